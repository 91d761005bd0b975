/** The share of the places that are for endpoints whose last attempt failed, who cannot take the others'. */
const failingShare = 1 / 4;

/** The attempts that a dispatcher has under way, and how many more it may begin. */
export class Places {
  #underWay = { well: new Set<Promise<void>>(), failing: new Set<Promise<void>>() };
  readonly #most: { well: number; failing: number };

  /** @param concurrency attempts at a time, 2 at least. */
  constructor(concurrency: number) {
    const failing = Math.max(1, Math.floor(concurrency * failingShare));
    this.#most = { well: Math.max(1, concurrency - failing), failing };
  }

  get free(): { well: number; failing: number } {
    return {
      well: this.#most.well - this.#underWay.well.size,
      failing: this.#most.failing - this.#underWay.failing.size,
    };
  }

  get areFree(): boolean {
    return this.#underWay.well.size + this.#underWay.failing.size === 0;
  }

  /** @param work an attempt, which does not throw. */
  take(isFailing: boolean, work: Promise<void>): void {
    const kind = isFailing ? this.#underWay.failing : this.#underWay.well;
    const tracked = work.finally(() => {
      kind.delete(tracked);
      this.#changed();
    });
    kind.add(tracked);
  }

  /** Resolves when an attempt has ended, or the time is over, or the signal comes. */
  change(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener("abort", end);
      this.#changed = end;
    });
  }

  /** Resolves when all attempts have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#underWay.well, ...this.#underWay.failing]);
  }

  #changed: () => void = () => undefined;
}
