import { makeSpeedRow, type SpeedRow, type Timing } from "./row.ts";

/** Ratio of a side to its reference. */
export type Ratio = (side: Timing, reference: Timing) => number;

/** Requests a second, over the reference's. */
export const throughputRatio: Ratio = (side, reference) => side.requests_per_second / reference.requests_per_second;

/** The reference's 95th percentile, over the side's: how many times as fast the side is. */
export const speedRatio: Ratio = (side, reference) => reference.p95_ms / side.p95_ms;

/** The side's median, over the reference's: how many times as long the side takes. */
export const medianRatio: Ratio = (side, reference) => side.p50_ms / reference.p50_ms;

/** The side's 95th percentile, over the reference's: how many times as long the side takes. */
export const costRatio: Ratio = (side, reference) => side.p95_ms / reference.p95_ms;

/**
 * Makes the rows of a case: each side with its ratio to the reference.
 *
 * @param sides names of the timings to show, in this order.
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
    return makeSpeedRow(name, side, rows, timing, ratio(timing, against));
  });
}
