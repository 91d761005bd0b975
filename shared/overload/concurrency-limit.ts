import { FairQueue, type Kind } from "./fair-queue.ts";

/** Releases a permit. Calling it twice is harmless. */
export type Release = () => void;

export interface LimitOptions {
  /** Calls under way at a time. */
  permits: number;
  /** Longest wait for a permit; by default 2 s. Callers are refused after it even if no call ever ends. */
  maxWaitMs?: number;
  /** Longest wait of a part of an answer that has begun; by default `maxPartWaitMs`. */
  maxPartWaitMs?: number;
  /** CoDel's target delay; by default 0.2 s. */
  targetMs?: number;
  /** CoDel's interval: how long waits may stay over the target, so that a burst is served; by default 1 s. */
  intervalMs?: number;
  /** Length limit of the queue; by default 1,000 calls. */
  maxQueueLength?: number;
  /** Limit of a caller's permits while other callers are active; by default a sixteenth, and at least 2. */
  sharedPermits?: number;
  /** How long a caller is active after an answer (`noteAnswer`); by default 1 s. */
  activeMs?: number;
  /** Lease of a permit; by default 30 s. A Worker whose client left is stopped without releasing its permit. */
  leaseMs?: number;
  /** Delays the release of each permit, so that requests that have come meanwhile take part when it is given; by default not at all. */
  beforeRelease?(): Promise<unknown>;
}

/** Longest wait of a part of an answer that has begun. */
export const maxPartWaitMs = 120_000;

interface Waiter {
  caller: string;
  kind: Kind;
  since: number;
  /** When its own timer last ran, or its wait began. Without a sign of life for `maxSilenceMs`, it has gone with its Worker. */
  seenAt: number;
  maxSilenceMs: number;
  settle(release: Release | undefined): void;
}

interface Lease {
  caller: string;
  since: number;
}

/**
 * Semaphore in front of the database, with a bound on the time spent waiting. A permit goes to the waiting caller that holds the fewest,
 * so that no waiting caller holds less than its share while others hold more (max-min fairness). All waiting calls are served as long
 * as waits stay under `targetMs`. When waits have been longer for `intervalMs`, there is an overload, and a queue would only make
 * all answers late: until permits are free, a call that has waited for `targetMs` is refused.
 *
 * While other callers are active, a caller gets `sharedPermits` at most, even if permits stay free. The database works on all of its calls
 * at once: if one caller had all permits, the call of another would get a permit only to share the processors with all of those calls. A
 * call that waits because its caller has its part of the permits is refused only after `maxWaitMs`: that is no overload.
 *
 * A caller is a text by which the user of this class tells callers apart.
 *
 * This is load shedding by CoDel (RFC 8289), for requests, as in Maurer, "Fail at Scale", ACM Queue 13(8), 2015. It bounds time, so it
 * needs no knowledge of what a call costs.
 */
export class ConcurrencyLimit {
  readonly #options: Required<Omit<LimitOptions, "beforeRelease">> & LimitOptions;
  /** Permits under way, the oldest first. */
  readonly #leases = new Set<Lease>();
  readonly #queue = new FairQueue<Waiter>();
  /** Time when each active caller was last seen, the latest at the end. */
  readonly #active = new Map<string, number>();
  #lateSince: number | undefined;
  /** Time of the next look for callers that have become eligible. */
  #recheckDueAt: number | undefined;

  constructor(options: LimitOptions) {
    this.#options = {
      maxWaitMs: 2_000,
      maxPartWaitMs,
      targetMs: 200,
      intervalMs: 1_000,
      maxQueueLength: 1_000,
      sharedPermits: Math.max(2, Math.floor(options.permits / 16)),
      activeMs: 1_000,
      leaseMs: 30_000,
      ...options,
    };
  }

  /** Waits for a permit. @returns undefined when none was free in time. */
  acquire(caller: string): Promise<Release | undefined> {
    if (this.#isFreeFor(caller)) return Promise.resolve(this.acquireNow(caller));
    const { maxWaitMs, maxQueueLength } = this.#options;
    // If the caller's first call has waited too long, a call behind it would wait too long, too.
    const first = this.#queue.firstCall(caller);
    if (first !== undefined && this.#isTooLate(first)) return Promise.resolve(undefined);
    if (this.#queue.calls >= maxQueueLength) {
      const refused = this.#queue.makeRoom(caller);
      if (refused === undefined) return Promise.resolve(undefined);
      refused.settle(undefined);
    }
    return this.#wait(caller, "calls", maxWaitMs);
  }

  /**
   * Waits for a permit for the next part of an answer that has begun. No overload refuses it, and it never goes over the limit: many answers
   * that are read on at the same moment would shut everybody else out. While other calls of this caller queue, they and these parts get permits by
   * turns. Permits that nobody releases go to those who wait when their leases end.
   *
   * @param signal ends the wait when the answer was given up.
   * @returns undefined when it has waited for `maxPartWaitMs`, so that the answer has to break off, or was given up.
   */
  acquireForStream(caller: string, signal?: AbortSignal): Promise<Release | undefined> {
    if (signal?.aborted === true) return Promise.resolve(undefined);
    if (this.#isFreeFor(caller)) return Promise.resolve(this.acquireNow(caller));
    return this.#wait(caller, "parts", this.#options.maxPartWaitMs, signal);
  }

  /** Acquires a permit at once, over the limit if need be: for further calls of a request that was admitted. */
  acquireNow(caller: string): Release {
    const lease = { caller, since: performance.now() };
    this.#leases.add(lease);
    const release = () => {
      if (!this.#leases.delete(lease)) return;
      // Noted now, not only when the request is answered: in between, another caller would take all permits.
      if (this.#active.has(caller)) this.noteAnswer(caller);
      this.#next();
    };
    const { beforeRelease } = this.#options;
    return beforeRelease === undefined ? release : () => void beforeRelease().finally(release);
  }

  /**
   * Notes that a request of this caller was answered: it is active from then on, until nothing of it has been under way for
   * `activeMs`. Not for callers that may not exist: keys that do not exist would take permits from those that do.
   */
  noteAnswer(caller: string): void {
    this.#active.delete(caller);
    this.#active.set(caller, performance.now());
  }

  #wait(caller: string, kind: Kind, maxWaitMs: number, signal?: AbortSignal): Promise<Release | undefined> {
    const { leaseMs } = this.#options;
    // A call looks once, as its wait ends. A part, which may wait for longer than a lease, looks now and then.
    const lookMs = kind === "parts" ? Math.min(this.#options.maxWaitMs, leaseMs) : maxWaitMs;
    return new Promise((resolve) => {
      const since = performance.now();
      let isWaiting = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const waiter: Waiter = {
        caller,
        kind,
        since,
        seenAt: since,
        maxSilenceMs: kind === "parts" ? leaseMs : maxWaitMs,
        settle(release) {
          isWaiting = false;
          clearTimeout(timer);
          signal?.removeEventListener("abort", leave);
          resolve(release);
        },
      };
      const leave = () => {
        this.#queue.remove(caller, kind, waiter);
        waiter.settle(undefined);
      };
      const look = () => {
        if (kind === "parts") waiter.seenAt = performance.now();
        // It may have become eligible since the last look, and leases may have ended.
        this.#next();
        if (!isWaiting) return;
        const leftMs = since + maxWaitMs - performance.now();
        if (leftMs > 0) timer = setTimeout(look, Math.ceil(Math.min(leftMs, lookMs)));
        else leave();
      };
      signal?.addEventListener("abort", leave);
      timer = setTimeout(look, Math.min(maxWaitMs, lookMs));
      this.#queue.push(caller, kind, waiter);
      this.#next();
    });
  }

  /** Whether a permit is free for a caller after all waiting callers have had theirs. */
  #isFreeFor(caller: string): boolean {
    this.#next();
    return this.#leases.size < this.#options.permits && this.#eligibility(this.#heldByCaller())(caller);
  }

  /** Gives free permits to waiting callers. */
  #next(): void {
    this.#dropExpiredLeases();
    while (this.#leases.size < this.#options.permits) {
      if (this.#queue.calls === 0) this.#lateSince = undefined;
      if (this.#queue.isEmpty) return;
      const held = this.#heldByCaller();
      const next = this.#queue.next(held, this.#eligibility(held));
      if (next === undefined) {
        // Permits are free: each waiting call waits for earlier calls of its own caller.
        this.#lateSince = undefined;
        this.#scheduleRecheck();
        return;
      }
      const { caller, kind, item: waiter } = next;
      if (kind === "calls" && this.#isOverTarget(waiter)) this.#lateSince ??= performance.now();
      if (isOverdue(waiter) || (kind === "calls" && this.#isTooLate(waiter))) {
        this.#queue.remove(caller, kind, waiter);
        waiter.settle(undefined);
      } else {
        this.#queue.serve(next);
        waiter.settle(this.acquireNow(caller));
      }
    }
  }

  /** Schedules a look for callers that have become eligible: the passing of time makes them so, too. */
  #scheduleRecheck(): void {
    const now = performance.now();
    // A look that is long overdue is set anew: its timer has gone with the Worker that set it.
    if (this.#recheckDueAt !== undefined && now < this.#recheckDueAt + recheckMs) return;
    const dueAt = now + recheckMs;
    this.#recheckDueAt = dueAt;
    setTimeout(() => {
      // Another look has replaced this one if it was late.
      if (this.#recheckDueAt !== dueAt) return;
      this.#recheckDueAt = undefined;
      this.#next();
    }, recheckMs);
  }

  /**
   * Permits by caller, of those acquired in the last `maxWaitMs`. An older one may be that of a Worker that was stopped, and would count for
   * the time of a lease.
   */
  #heldByCaller(): Map<string, number> {
    const oldest = performance.now() - this.#options.maxWaitMs;
    const held = new Map<string, number>();
    for (const { caller, since } of this.#leases) {
      if (since > oldest) held.set(caller, (held.get(caller) ?? 0) + 1);
    }
    return held;
  }

  /** Returns a function that says whether a caller may have another free permit. */
  #eligibility(held: ReadonlyMap<string, number>): (caller: string) => boolean {
    this.#forgetInactive(held);
    return (caller) =>
      (held.get(caller) ?? 0) < this.#options.sharedPermits ||
      this.#active.size - (this.#active.has(caller) ? 1 : 0) === 0;
  }

  #forgetInactive(held: ReadonlyMap<string, number>): void {
    const now = performance.now();
    for (const [caller, at] of this.#active) {
      if (at > now - this.#options.activeMs) return;
      if (held.has(caller)) this.noteAnswer(caller);
      else this.#active.delete(caller);
    }
  }

  #isOverTarget({ since }: Waiter): boolean {
    return performance.now() - since > this.#options.targetMs;
  }

  #isTooLate(waiter: Waiter): boolean {
    if (this.#lateSince === undefined || !this.#isOverTarget(waiter)) return false;
    return performance.now() - this.#lateSince >= this.#options.intervalMs;
  }

  #dropExpiredLeases(): void {
    const oldest = performance.now() - this.#options.leaseMs;
    for (const lease of this.#leases) {
      if (lease.since > oldest) return;
      this.#leases.delete(lease);
    }
  }
}

/** Whether a waiter is overdue: its timer has gone with its Worker. */
function isOverdue({ seenAt, maxSilenceMs }: Waiter): boolean {
  return performance.now() - seenAt > maxSilenceMs + 2 * recheckMs;
}

/** Interval at which waiting callers are looked at while permits are free that none of them may have. */
const recheckMs = 50;

/** More than PostgREST has connections by default (10), so that none is idle while answers are on their way. */
const defaultPermits = 32;

/**
 * Limit of one isolate or process at the edge: `DATABASE_CONCURRENCY` calls at a time, by default 32.
 *
 * @throws when the variable is not a whole number from 1.
 */
export function createEdgeLimit(variable: (name: string) => string | undefined): ConcurrencyLimit {
  const text = variable("DATABASE_CONCURRENCY");
  const permits = text === undefined ? defaultPermits : Number(text);
  if (!Number.isInteger(permits) || permits < 1) throw new Error("DATABASE_CONCURRENCY must be a whole number from 1");
  return new ConcurrencyLimit({ permits });
}
