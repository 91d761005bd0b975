/** Progress of a long command. */
export interface Progress {
  /** Reports that a step begins. */
  step(what: string): void;
  /** Reports how much of a step is done, at most once a second, and at its end. */
  count(what: string, done: number, all: number): void;
}

const pauseMs = 1_000;

/** Returns a progress that is reported in lines. */
export function createProgress(report: (line: string) => void): Progress {
  let reportedAt = 0;
  return {
    step(what) {
      reportedAt = Date.now();
      report(what);
    },
    count(what, done, all) {
      if (done < all && Date.now() - reportedAt < pauseMs) return;
      reportedAt = Date.now();
      report(`${what}: ${done} of ${all}`);
    },
  };
}
