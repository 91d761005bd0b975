import { setImmediate } from "node:timers";
import type { PGlite } from "@electric-sql/pglite";

/** The database did not become free in time, or the caller stopped waiting. */
export class SessionBusyError extends Error {
  constructor() {
    super("the database is busy");
  }
}

/** Gives the session back. Calling it twice is harmless. */
export type Release = () => void;

/** How long to wait for the session. */
export interface Patience {
  maximumWaitMs?: number;
  signal?: AbortSignal;
}

/**
 * Undoes whatever the last holder set, so that it cannot reach the next one. PGlite forgets who it
 * was, so `reset session authorization` would change nothing.
 */
const resetSession = "set session authorization postgres; reset role; reset all";

/**
 * PGlite has one session, which the API and every socket client share. Whoever holds this lock has
 * the session to itself, so no statement can slip into another's transaction. First come, first
 * served; settings do not outlast a change of hands.
 */
export class SessionLock {
  #held = false;
  #lastHolder: object = this;
  #waiting: (() => void)[] = [];

  constructor(readonly database: PGlite) {}

  /**
   * Waits for the session.
   *
   * @param holder who asks; the API's calls are one holder, each socket client is another.
   * @throws {SessionBusyError} when the wait is over, for example because a `psql` keeps a transaction open.
   */
  async acquire(holder: object = this, patience: Patience = {}): Promise<Release> {
    await this.#enter(patience);
    const release = this.#releaseOnce();
    if (this.#lastHolder !== holder) {
      try {
        await this.database.exec(resetSession);
        this.#lastHolder = holder;
      } catch (error) {
        release();
        throw error;
      }
    }
    return release;
  }

  /** Runs `work` for the API with the session held. */
  async run<Result>(work: (database: PGlite) => Promise<Result>, patience?: Patience): Promise<Result> {
    const release = await this.acquire(this, patience);
    try {
      return await work(this.database);
    } finally {
      release();
    }
  }

  #enter({ maximumWaitMs, signal }: Patience): Promise<void> {
    if (!this.#held) {
      this.#held = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((waiter) => waiter !== enter);
        reject(new SessionBusyError());
      };
      const enter = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stopWaiting);
        resolve();
      };
      this.#waiting.push(enter);
      signal?.addEventListener("abort", stopWaiting);
      if (maximumWaitMs !== undefined) timer = setTimeout(stopWaiting, maximumWaitMs);
    });
  }

  /** Handed over rather than freed, so that nobody who comes now can be first. */
  #handOver(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#held = false;
    else next();
  }

  #releaseOnce(): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      if (this.#waiting.length === 0) this.#held = false;
      // The database works in this process. Between two turns, what came over the network meanwhile is looked at: under
      // load, nothing would be accepted, refused or timed out otherwise.
      else setImmediate(() => this.#handOver());
    };
  }
}
