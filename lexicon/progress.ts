/** Where a long command tells how far it is. */
export interface Progress {
  /** Says what is done from now on. */
  step(what: string): void;
  /** Says how much of it is done, at most once a second, and at its end. */
  count(what: string, done: number, all: number): void;
}

const pauseMs = 1_000;

/** Progress in lines. */
export function linesOf(report: (line: string) => void): Progress {
  let said = 0;
  return {
    step(what) {
      said = Date.now();
      report(what);
    },
    count(what, done, all) {
      if (done < all && Date.now() - said < pauseMs) return;
      said = Date.now();
      report(`${what}: ${done} of ${all}`);
    },
  };
}
