import { applyDueDates, dueDatesMs } from "./due-dates.ts";
import { announceDeadlines, type BatchResult, continueRecovery, fanOut, type WorkContext } from "./endpoint-work.ts";
import { Retention } from "./retention.ts";
import { type SegmentSizes, sealingMs, sealRecords } from "./sealing.ts";

/** Polling interval of each kind of work while there is none, in milliseconds. */
const pollMs = { dueDates: dueDatesMs, events: 200, deadlines: 1_000, recoveries: 1_000, retention: 60_000 };
/** Backoff of a kind of work that failed, in milliseconds. */
const backoffMs = 5_000;
/** Longest time that claims wait for this work, in milliseconds. Longer work goes on beside them. */
const maxWaitMs = 250;

/**
 * Work beside the attempts: lets dates act that have come, makes deliveries of events, deadlines and recoveries, indexes new records, and keeps
 * tables within their retention.
 */
export class FanOut {
  #underWay: Promise<boolean> | undefined;
  readonly #kinds: (() => Promise<boolean>)[];
  readonly #retention: Retention;
  #sealing: Promise<void> | undefined;
  #nextSealing = 0;

  /** @param segments sizes of the segments that it makes. Default: those for a database with sessions of its own. */
  constructor(
    private readonly context: WorkContext,
    private readonly segments?: SegmentSizes,
  ) {
    this.#retention = new Retention(context);
    this.#kinds = [
      // First: no deadline is announced of a record that has closed.
      this.#task("dueDates", () => applyDueDates(context)),
      this.#task("events", () => fanOut(context)),
      this.#task("deadlines", () => announceDeadlines(context)),
      this.#task("recoveries", () => continueRecovery(context)),
      this.#task("retention", () => this.#retention.runBatch()),
    ];
  }

  /** Deliveries made in all. */
  total = 0;

  /** Runs one batch of each kind, or continues the one under way. @returns whether there was work; undefined if it takes longer. */
  async runBatch(): Promise<boolean | undefined> {
    this.#underWay ??= this.#runAll().finally(() => {
      this.#underWay = undefined;
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, maxWaitMs, undefined);
    });
    const found = await Promise.race([this.#underWay, timeout]);
    clearTimeout(timer);
    return found;
  }

  /** Resolves when the batch under way has ended. */
  async settled(): Promise<void> {
    await Promise.all([this.#underWay, this.#sealing]);
    this.#retention.end();
  }

  /** Seals records beside the other work, which is not to wait for it. */
  #seal(): void {
    if (this.#sealing !== undefined || performance.now() < this.#nextSealing) return;
    this.#sealing = sealRecords(this.context, this.segments).finally(() => {
      this.#sealing = undefined;
      this.#nextSealing = performance.now() + sealingMs;
    });
  }

  async #runAll(): Promise<boolean> {
    this.#seal();
    let hasFound = false;
    for (const kind of this.#kinds) hasFound = (!this.context.isOver() && (await kind())) || hasFound;
    return hasFound;
  }

  /** Polls one kind of work: at once while there is some, else at its interval. When it fails, the other kinds go on. */
  #task(kind: keyof typeof pollMs, work: () => Promise<BatchResult>): () => Promise<boolean> {
    let nextPoll = 0;
    return async () => {
      if (performance.now() < nextPoll) return false;
      try {
        const { found, made } = await work();
        if (found === 0) nextPoll = performance.now() + pollMs[kind];
        this.total += made;
        return found > 0;
      } catch (error) {
        this.context.log.write("error", { function: "dispatch", error: String(error) });
        nextPoll = performance.now() + Math.max(backoffMs, pollMs[kind]);
        return false;
      }
    };
  }
}
