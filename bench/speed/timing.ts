import { percentile } from "../relevance/metrics.ts";
import type { Timing } from "./row.ts";

/** The times of one round, in milliseconds, and how long the round took. */
export interface Round {
  times: readonly number[];
  /** Wall-clock time in milliseconds; with several connections it is less than the sum of the times. */
  elapsedMs: number;
}

/** The median over the rounds of each round's figures: a burst of other work spoils a round, not the result. */
export function timingOf(rounds: readonly Round[]): Timing {
  const median = (figure: (round: Round) => number) => percentile(rounds.map(figure), 0.5);
  return {
    p50_ms: median(({ times }) => percentile(times, 0.5)),
    p95_ms: median(({ times }) => percentile(times, 0.95)),
    requests_per_second: median(({ times, elapsedMs }) => (times.length / elapsedMs) * 1000),
  };
}
