import type { Log } from "../../shared/log/log.ts";

/**
 * Semaphore for password checks, against guessing. A wrong password keeps its permit until its refusal is sent, `refusalMs`
 * later, even if the client hangs up: parallel attempts get no more than `permits` checks in that time. Further checks queue,
 * first come, first served; those of clients that left are skipped. A client cannot tell whether it waits for a permit or for
 * its refusal.
 */
export class PasswordChecks {
  #freePermits: number;
  #waiters: (() => void)[] = [];

  constructor(
    permits: number,
    private readonly refusalMs: number,
  ) {
    this.#freePermits = permits;
  }

  /**
   * Runs `check` in a permit. Returns its result at once, or undefined (a refusal) after the delay.
   *
   * @param signal aborts the wait for a permit: then `check` is not called, and the result is undefined.
   */
  async run<Result>(check: () => Result | undefined, signal: AbortSignal): Promise<Result | undefined> {
    if (!(await this.#acquire(signal))) return undefined;
    try {
      const result = check();
      if (result === undefined) await new Promise((resolve) => setTimeout(resolve, this.refusalMs));
      return result;
    } finally {
      this.#release();
    }
  }

  #acquire(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#freePermits > 0) {
      this.#freePermits -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const proceed = () => {
        signal.removeEventListener("abort", giveUp);
        resolve(true);
      };
      const giveUp = () => {
        this.#waiters = this.#waiters.filter((waiter) => waiter !== proceed);
        resolve(false);
      };
      this.#waiters.push(proceed);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  #release(): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#freePermits += 1;
    else next();
  }
}

/** Shortest time between two log lines about refused passwords. */
const logIntervalMs = 60_000;

/**
 * Throttled log of refused passwords: the first refusal is logged at once, later ones at most once a minute with their
 * number since the last line.
 *
 * @param now the time in milliseconds.
 */
export function createRefusalLog(log: Log, now: () => number = Date.now): () => void {
  let lastLineAt = Number.NEGATIVE_INFINITY;
  let refused = 0;
  return () => {
    refused += 1;
    if (now() - lastLineAt < logIntervalMs) return;
    // Without the user's name, which may be a password typed by mistake.
    log.write("warning", { function: "postgres-port", warning: "a client gave a wrong password", refused });
    lastLineAt = now();
    refused = 0;
  };
}
