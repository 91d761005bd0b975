/** Gives a place back. Calling it twice is harmless. */
export type Release = () => void;

export interface LimitOptions {
  /** Calls under way at a time. */
  places: number;
  /** Longest wait for a place: when nothing comes back at all, this is when callers are told so. */
  patienceMs?: number;
  /** The wait that those who are let in may have for long. */
  targetMs?: number;
  /** For how long the wait may be over the target, so that a burst is taken. */
  intervalMs?: number;
  /** Most callers that wait. */
  queue?: number;
  /** After so long a caller has gone without giving its place back: a Worker whose client left is stopped where it is. */
  leaseMs?: number;
}

interface Waiter {
  since: number;
  settle(release: Release | undefined): void;
}

/**
 * Bounds the calls under way, and the wait for a place. First come, first served, as long as the wait is short or is
 * so now and then. When everybody has waited longer than `targetMs` for `intervalMs`, more is asked than can be done,
 * and a queue would only make all of it late: until the queue is empty, whoever has waited for `targetMs` is refused.
 *
 * That is CoDel (RFC 8289) for requests, as in Maurer, "Fail at Scale", ACM Queue 13(8), 2015: what it bounds is time,
 * so that it needs no knowledge of what a call costs.
 */
export class ConcurrencyLimit {
  readonly #options: Required<LimitOptions>;
  /** Who has a place, and since when, the oldest first. */
  readonly #holders = new Map<symbol, number>();
  #waiting: Waiter[] = [];
  #lateSince: number | undefined;

  constructor(options: LimitOptions) {
    this.#options = { patienceMs: 2_000, targetMs: 200, intervalMs: 1_000, queue: 1_000, leaseMs: 30_000, ...options };
  }

  /** Waits for a place. @returns undefined when there was none in time. */
  enter(): Promise<Release | undefined> {
    this.#forgetTheGone();
    const { places, patienceMs, queue } = this.#options;
    if (this.#holders.size < places) return Promise.resolve(this.take());
    const [first] = this.#waiting;
    // Whoever comes behind one who waits too long would wait too long.
    if (this.#waiting.length >= queue || (first !== undefined && this.#isTooLate(first))) {
      return Promise.resolve(undefined);
    }
    return new Promise((resolve) => {
      const waiter: Waiter = {
        since: performance.now(),
        settle(release) {
          clearTimeout(timer);
          resolve(release);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        waiter.settle(undefined);
      }, patienceMs);
      this.#waiting.push(waiter);
    });
  }

  /** Takes a place at once, over the limit if need be, for the rest of what was let in already. */
  take(): Release {
    const holder = Symbol();
    this.#holders.set(holder, performance.now());
    return () => {
      if (this.#holders.delete(holder)) this.#next();
    };
  }

  #next(): void {
    while (this.#holders.size < this.#options.places) {
      const waiter = this.#waiting.shift();
      if (waiter === undefined) {
        this.#lateSince = undefined;
        return;
      }
      if (this.#hasWaitedLong(waiter)) this.#lateSince ??= performance.now();
      waiter.settle(this.#isTooLate(waiter) ? undefined : this.take());
    }
  }

  #hasWaitedLong({ since }: Waiter): boolean {
    return performance.now() - since > this.#options.targetMs;
  }

  #isTooLate(waiter: Waiter): boolean {
    if (this.#lateSince === undefined || !this.#hasWaitedLong(waiter)) return false;
    return performance.now() - this.#lateSince >= this.#options.intervalMs;
  }

  #forgetTheGone(): void {
    const latest = performance.now() - this.#options.leaseMs;
    for (const [holder, since] of this.#holders) {
      if (since > latest) return;
      this.#holders.delete(holder);
    }
  }
}
