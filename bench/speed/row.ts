import { percentile, round } from "../statistics.ts";

/** A row of the result. Its field names are those of the JSON file. */
export interface SpeedRow {
  case: string;
  side: string;
  /** Grants in the database. */
  rows: number;
  p50_ms: number;
  p95_ms: number;
  requests_per_second: number;
  /** Ratio to the reference, as `--help` defines it for the case. Null when there is no reference. */
  ratio: number | null;
}

/** Times and throughput of a side, over all rounds. */
export interface Timing {
  p50_ms: number;
  p95_ms: number;
  requests_per_second: number;
}

/** Makes a row, with its figures rounded. */
export function makeSpeedRow(
  name: string,
  side: string,
  rows: number,
  { p50_ms, p95_ms, requests_per_second }: Timing,
  ratio: number | null,
): SpeedRow {
  return {
    case: name,
    side,
    rows,
    p50_ms: round(p50_ms, 2),
    p95_ms: round(p95_ms, 2),
    requests_per_second: round(requests_per_second, 1),
    ratio: ratio === null ? null : round(ratio, 2),
  };
}

/** Times of the requests in one round. */
export interface Round {
  /** In milliseconds. */
  times: readonly number[];
  /** Wall-clock time in milliseconds; with several connections it is less than the sum of the times. */
  elapsedMs: number;
}

/** Computes the medians over the rounds of each round's figures, so that a burst of other load affects a round only. */
export function summarizeRounds(rounds: readonly Round[]): Timing {
  const median = (figure: (round: Round) => number) => percentile(rounds.map(figure), 0.5);
  return {
    p50_ms: median(({ times }) => percentile(times, 0.5)),
    p95_ms: median(({ times }) => percentile(times, 0.95)),
    requests_per_second: median(({ times, elapsedMs }) => (times.length / elapsedMs) * 1000),
  };
}
