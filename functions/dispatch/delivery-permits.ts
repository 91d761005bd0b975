/** Share of the permits for endpoints whose last attempt failed. They cannot take the others'. */
const failingShare = 1 / 4;
/** Duration from which an attempt is slow, in milliseconds. */
const slowMs = 1_000;
/** With fewer permits than this, connections are few in all, and slow attempts keep their permits. */
const fewPermits = 16;

/**
 * Semaphore of a dispatcher's attempts: how many are under way, and how many more may begin.
 *
 * An attempt of a healthy endpoint that turns out to be slow releases its permit, as long as not too many do. Otherwise receivers
 * that begin to hang would hold all permits until they time out.
 */
export class DeliveryPermits {
  #underWay = { healthy: new Set<Promise<void>>(), failing: new Set<Promise<void>>(), slow: new Set<Promise<void>>() };
  readonly #max: { healthy: number; failing: number; slow: number };

  /** @param concurrency attempts at a time, at least 2. As many slow attempts more may run beside them. */
  constructor(concurrency: number) {
    const failing = Math.max(1, Math.floor(concurrency * failingShare));
    this.#max = {
      healthy: Math.max(1, concurrency - failing),
      failing,
      slow: concurrency < fewPermits ? 0 : concurrency,
    };
  }

  /** Free permits, for healthy and for failing endpoints. */
  get free(): { healthy: number; failing: number } {
    const { healthy, failing } = this.#underWay;
    return {
      healthy: this.#max.healthy - healthy.size,
      failing: this.#max.failing - failing.size,
    };
  }

  /** Whether no attempt is under way. */
  get isIdle(): boolean {
    const { healthy, failing, slow } = this.#underWay;
    return healthy.size + failing.size + slow.size === 0;
  }

  /** Holds a permit until the attempt ends or turns out to be slow. @param attempt must not throw. */
  hold(isFailing: boolean, attempt: Promise<void>): void {
    const { healthy, failing, slow } = this.#underWay;
    const kind = isFailing ? failing : healthy;
    const timer = setTimeout(() => {
      if (slow.size >= this.#max.slow || !healthy.delete(tracked)) return;
      slow.add(tracked);
      this.#onRelease();
    }, slowMs);
    const tracked: Promise<void> = attempt.finally(() => {
      clearTimeout(timer);
      kind.delete(tracked);
      slow.delete(tracked);
      this.#onRelease();
    });
    kind.add(tracked);
  }

  /** Resolves when a permit is released, the time is over, or the signal aborts. */
  nextRelease(maxWaitMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, maxWaitMs);
      signal?.addEventListener("abort", end);
      this.#onRelease = end;
    });
  }

  /** Resolves when all attempts have ended. */
  async settled(): Promise<void> {
    const { healthy, failing, slow } = this.#underWay;
    await Promise.all([...healthy, ...failing, ...slow]);
  }

  #onRelease: () => void = () => undefined;
}
