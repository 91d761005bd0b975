import { type SpeedRow, speedRow, type Timing } from "./row.ts";

/** How one side stands to the side it is compared with. */
export type Ratio = (side: Timing, reference: Timing) => number;

/** How many times as many requests a second as the reference. */
export const throughputRatio: Ratio = (side, reference) => side.requests_per_second / reference.requests_per_second;

/** How many times as fast as the reference, by the 95th percentile. */
export const speedRatio: Ratio = (side, reference) => reference.p95_ms / side.p95_ms;

/** How many times as long as the reference, by the 95th percentile. */
export const costRatio: Ratio = (side, reference) => side.p95_ms / reference.p95_ms;

/**
 * The rows of a case: its sides, each beside the reference.
 *
 * @param sides which of the timings to show, in that order.
 */
export function compare(
  name: string,
  rows: number,
  timings: ReadonlyMap<string, Timing>,
  sides: readonly string[],
  reference: string,
  ratio: Ratio,
): SpeedRow[] {
  const against = timings.get(reference);
  return sides.map((side) => {
    const timing = timings.get(side);
    if (timing === undefined || against === undefined) throw new Error(`${name}: ${side} was not measured`);
    return speedRow(name, side, rows, timing, ratio(timing, against));
  });
}
