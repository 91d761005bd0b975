import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";

/** The session lock was not acquired: the wait timed out, or its caller aborted it. */
export class SessionBusyError extends Error {
  constructor() {
    super("the database is busy");
  }
}

/** Releases the lock. Calling it twice is harmless. */
export type Release = () => void;

/** Limits of the wait for the lock. */
export interface WaitOptions {
  /** @default unlimited */
  maxWaitMs?: number;
  /** Ends the wait when it is aborted. */
  signal?: AbortSignal;
}

/** Turns of the event loop in a pause: an HTTP request takes some until its handler runs, and its answer some more until it is sent. */
const turnsOfPause = 4;
/** A path that may be read. Where the files are replaced under a server that runs, it goes on. */
const somePath = new URL(".", import.meta.url);

/** How long the database may work between two pauses. */
const maxWorkMs = 5;

/**
 * Ends a transaction that the lock's last holder left open, and undoes its settings. In a failed transaction, all statements of the next holder
 * would fail. PGlite does not know the user that the session began with, so `reset session authorization` would change nothing.
 */
const resetSession = "rollback; set session authorization postgres; reset role; reset all";

/** Has `funding.require_room` raise. */
const refuseToGrow = "set funding.has_no_room = 'on'";
const allowToGrow = "reset funding.has_no_room";

/**
 * Mutex for PGlite's one session, which the API and all socket clients share. The holder has the session to itself, so
 * nobody else's statement can end up in its transaction. First come, first served. Settings are reset when the holder
 * changes.
 */
export class SessionLock {
  #isHeld = false;
  #lastHolder: object = this;
  #waiters: (() => void)[] = [];
  /** Resolves when the next holder may begin. */
  #pause: Promise<unknown> = Promise.resolve();
  #pausedAt = 0;
  /** Whether the session was last told that the disk has room. */
  #knowsRoom = true;

  /** @param hasRoom whether the disk has room for more than what reading writes: `funding.require_room` refuses the rest. */
  constructor(
    readonly database: PGlite,
    private readonly hasRoom: () => boolean = () => true,
  ) {}

  /**
   * Acquires the lock.
   *
   * @param holder identity of the caller: the API's calls are one holder, each socket client is another.
   * @throws {SessionBusyError} when the wait ends without the lock, for example because a `psql` keeps a transaction open.
   */
  async acquire(holder: object = this, wait: WaitOptions = {}): Promise<Release> {
    await this.#waitForLock(wait);
    await this.#pause;
    const release = this.#createRelease();
    try {
      await this.#prepareFor(holder);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** Resolves after the event loop could read its sockets. */
  get paused(): Promise<unknown> {
    return this.#pause;
  }

  /** Runs `work` for the API while holding the lock. */
  async run<Result>(work: (database: PGlite) => Promise<Result>, wait?: WaitOptions): Promise<Result> {
    const release = await this.acquire(this, wait);
    try {
      return await work(this.database);
    } finally {
      release();
    }
  }

  /** Undoes what another holder has set, and says whether the disk has room. */
  async #prepareFor(holder: object): Promise<void> {
    const isNewHolder = this.#lastHolder !== holder;
    const hasRoom = this.hasRoom();
    if (isNewHolder) await this.database.exec(resetSession);
    if (!hasRoom && (isNewHolder || this.#knowsRoom)) await this.database.exec(refuseToGrow);
    if (hasRoom && !isNewHolder && !this.#knowsRoom) await this.database.exec(allowToGrow);
    this.#lastHolder = holder;
    this.#knowsRoom = hasRoom;
  }

  #waitForLock({ maxWaitMs, signal }: WaitOptions): Promise<void> {
    if (!this.#isHeld) {
      this.#isHeld = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const giveUp = () => {
        clearTimeout(timer);
        this.#waiters = this.#waiters.filter((waiter) => waiter !== proceed);
        reject(new SessionBusyError());
      };
      const proceed = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      this.#waiters.push(proceed);
      signal?.addEventListener("abort", giveUp);
      if (maxWaitMs !== undefined) timer = setTimeout(giveUp, maxWaitMs);
    });
  }

  /** Passes the lock to the first waiter without freeing it in between, so that no newcomer can overtake the queue. */
  #passOn(): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#isHeld = false;
    else next();
  }

  #createRelease(): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#pauseIfDue();
      this.#passOn();
    };
  }

  /**
   * Lets the process read its sockets and run its timers before the next holder begins: the database blocks it while it works.
   * Otherwise requests would be taken in the order in which they were sent, without regard to the caller, and none refused in time.
   * A timer is needed: under Deno, sockets are hardly read while `setImmediate` is called again and again. Each further turn is a call of the system,
   * which takes a tenth of a timer's time. With one turn, an answer that needs no database took 110 ms beside 64 visitors of the catalogue, with four 9.
   */
  #pauseIfDue(): void {
    if (performance.now() - this.#pausedAt < maxWorkMs) return;
    this.#pausedAt = Number.POSITIVE_INFINITY;
    this.#pause = (async () => {
      await sleep(0);
      for (let turn = 0; turn < turnsOfPause; turn++) await stat(somePath).catch(() => undefined);
      this.#pausedAt = performance.now();
    })();
  }
}
