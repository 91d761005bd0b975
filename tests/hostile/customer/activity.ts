import { sleep } from "../time.ts";

/** Work that is done again and again until the end, and somebody who waits for a round of it. */
export class Activity {
  /** Whether it was not right again after a fault, and has not been since. */
  isBroken = false;
  #done: Promise<void> | undefined;
  readonly #waiting = new Set<{ started: boolean; resolve: () => void }>();

  /**
   * @param name for messages.
   * @param round one round; true if it was done to its end, with right answers.
   */
  constructor(
    readonly name: string,
    private readonly round: () => Promise<boolean>,
    private readonly pauseMs: number,
  ) {}

  start(signal: AbortSignal): void {
    this.#done = this.#repeat(signal);
  }

  /** Resolves when a whole round was right that began after this call. */
  nextRound(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add({ started: false, resolve }));
  }

  /** Resolves when it has ended after its signal; rejects with an error of its own. */
  ended(): Promise<void> {
    return this.#done ?? Promise.resolve();
  }

  async #repeat(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const waiter of this.#waiting) waiter.started = true;
      if (await this.round()) {
        for (const waiter of this.#waiting) {
          if (!waiter.started) continue;
          this.#waiting.delete(waiter);
          waiter.resolve();
        }
      }
      await sleep(this.pauseMs, signal);
    }
  }
}
