export interface BatcherOptions {
  /** As long as fewer items are under way, what comes goes at once. */
  atOnce: number;
  /** Most items of a batch. */
  size: number;
  /** A batch that takes longer holds nobody back: its items count no more. */
  slowMs: number;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Sends what is asked in batches: while some is under way, what comes gathers for the next. So nothing waits for more to
 * come, and the more is asked the more goes together. Databases write many transactions with one flush like this (group
 * commit).
 */
export class Batcher<Item, Answer> {
  #gathered: Waiting<Item, Answer>[] = [];
  #underWay = 0;

  /** @param send gives as many answers as there are items, in their order. What it throws, all of them get. */
  constructor(
    private readonly send: (items: Item[]) => Promise<Answer[]>,
    private readonly options: BatcherOptions,
  ) {}

  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#gathered.push({ item, resolve, reject });
      this.#sendNext();
    });
  }

  #sendNext(): void {
    while (this.#gathered.length > 0 && this.#underWay < this.options.atOnce) {
      void this.#sendBatch(this.#gathered.splice(0, this.options.size));
    }
  }

  async #sendBatch(batch: Waiting<Item, Answer>[]): Promise<void> {
    this.#underWay += batch.length;
    let isHolding = true;
    const holdNobody = () => {
      if (!isHolding) return;
      isHolding = false;
      this.#underWay -= batch.length;
      this.#sendNext();
    };
    const timer = setTimeout(holdNobody, this.options.slowMs);
    try {
      const answers = await this.send(batch.map(({ item }) => item));
      if (answers.length !== batch.length) throw new Error(`${batch.length} were asked, ${answers.length} answered`);
      for (const [place, answer] of answers.entries()) batch[place]?.resolve(answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      clearTimeout(timer);
      holdNobody();
    }
  }
}
