import { Web, type WebOptions } from "../web/web.ts";
import { checkLink, type LinkResult } from "./check-link.ts";

/** Results that are stored at a time. */
const batchSize = 50;

export type CheckedLink = LinkResult & { url: string };

export interface CheckOptions extends WebOptions {
  /** Stores results. Called for one batch at a time. */
  store(results: readonly CheckedLink[]): Promise<unknown>;
  /** Whether no further link is to be begun. */
  isOver(): boolean;
}

/** Links that were checked, by result, and those that were left for the next run. */
export type CheckCounts = Record<LinkResult["result"] | "left", number>;

/** Checks addresses. Those that a host wants no requests for any more, and those that the time does not suffice for, are left. */
export async function checkLinks(urls: readonly string[], options: CheckOptions): Promise<CheckCounts> {
  const web = new Web(options);
  const counts: CheckCounts = { ok: 0, failing: 0, unknown: 0, left: urls.length };
  const store = new Batches(options.store);
  await web.visit(urls, options.isOver, async (url) => {
    const result = await checkLink(url, web);
    counts[result.result]++;
    counts.left--;
    await store.add({ url, ...result });
  });
  await store.end();
  return counts;
}

/** Gathers results and stores them in batches, one at a time. */
class Batches {
  readonly #store: CheckOptions["store"];
  #batch: CheckedLink[] = [];
  #storing: Promise<unknown> = Promise.resolve();

  constructor(store: CheckOptions["store"]) {
    this.#store = store;
  }

  async add(result: CheckedLink): Promise<void> {
    this.#batch.push(result);
    if (this.#batch.length >= batchSize) await this.end();
  }

  async end(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length > 0) this.#storing = this.#storing.then(() => this.#store(batch));
    await this.#storing;
  }
}
