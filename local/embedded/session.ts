import type { PGlite } from "@electric-sql/pglite";

/** The database did not become free in time. */
export class SessionBusyError extends Error {
  constructor() {
    super("the database is busy");
  }
}

/** Gives the session back. Calling it twice is harmless. */
export type Release = () => void;

/**
 * PGlite has one session, which the API and every socket client share. Whoever holds this lock has
 * the session to itself, so no statement can slip into another's transaction. First come, first
 * served.
 */
export class SessionLock {
  #held = false;
  #waiting: (() => void)[] = [];

  constructor(readonly database: PGlite) {}

  /**
   * Waits for the session.
   *
   * @param maximumWaitMs how long at most; absent, however long it takes.
   * @throws {SessionBusyError} when the wait is over, for example because a `psql` keeps a transaction open.
   */
  acquire(maximumWaitMs?: number): Promise<Release> {
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const enter = () => {
        clearTimeout(timer);
        this.#held = true;
        resolve(this.#releaseOnce());
      };
      if (!this.#held) return enter();
      this.#waiting.push(enter);
      if (maximumWaitMs !== undefined) {
        timer = setTimeout(() => {
          this.#waiting = this.#waiting.filter((waiter) => waiter !== enter);
          reject(new SessionBusyError());
        }, maximumWaitMs);
      }
    });
  }

  /** Runs `work` with the session held. */
  async run<Result>(work: (database: PGlite) => Promise<Result>, maximumWaitMs?: number): Promise<Result> {
    const release = await this.acquire(maximumWaitMs);
    try {
      return await work(this.database);
    } finally {
      release();
    }
  }

  #releaseOnce(): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#held = false;
      this.#waiting.shift()?.();
    };
  }
}
