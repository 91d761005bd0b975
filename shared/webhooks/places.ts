/** The share of the places that are for endpoints whose last attempt failed, who cannot take the others'. */
const failingShare = 1 / 4;
/** From when on an attempt is a slow one, in milliseconds. */
const slowMs = 1_000;
/** Where there are fewer places than this, connections are few in all, and slow attempts keep theirs. */
const fewPlaces = 16;

/**
 * The attempts that a dispatcher has under way, and how many more it may begin.
 *
 * An attempt that turns out to be slow gives its place back, as long as there are not too many of them: receivers that
 * begin to hang would else hold everybody's places until they time out.
 */
export class Places {
  #underWay = { well: new Set<Promise<void>>(), failing: new Set<Promise<void>>(), slow: new Set<Promise<void>>() };
  readonly #most: { well: number; failing: number; slow: number };

  /** @param concurrency attempts at a time, slow ones apart, of which there may be as many again. 2 at least. */
  constructor(concurrency: number) {
    const failing = Math.max(1, Math.floor(concurrency * failingShare));
    this.#most = { well: Math.max(1, concurrency - failing), failing, slow: concurrency < fewPlaces ? 0 : concurrency };
  }

  get free(): { well: number; failing: number } {
    const { well, failing } = this.#underWay;
    return {
      well: this.#most.well - well.size,
      failing: this.#most.failing - failing.size,
    };
  }

  get areFree(): boolean {
    const { well, failing, slow } = this.#underWay;
    return well.size + failing.size + slow.size === 0;
  }

  /** @param work an attempt, which does not throw. */
  take(isFailing: boolean, work: Promise<void>): void {
    const { well, failing, slow } = this.#underWay;
    const kind = isFailing ? failing : well;
    const timer = setTimeout(() => {
      if (slow.size >= this.#most.slow || !well.delete(tracked)) return;
      slow.add(tracked);
      this.#changed();
    }, slowMs);
    const tracked: Promise<void> = work.finally(() => {
      clearTimeout(timer);
      kind.delete(tracked);
      slow.delete(tracked);
      this.#changed();
    });
    kind.add(tracked);
  }

  /** Resolves when an attempt has ended or given its place back, or the time is over, or the signal comes. */
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
    const { well, failing, slow } = this.#underWay;
    await Promise.all([...well, ...failing, ...slow]);
  }

  #changed: () => void = () => undefined;
}
