import { checkLink, type LinkResult } from "./check-link.ts";
import { Host, HostClosedError, type HostOptions } from "./host.ts";

/** Hosts that are asked at a time. */
const hostsAtATime = 16;
/** Results that are stored at a time. */
const batchSize = 50;

export type CheckedLink = LinkResult & { url: string };

export interface CheckOptions extends HostOptions {
  allowLoopback: boolean;
  /** Stores results. Called for one batch at a time. */
  store(results: readonly CheckedLink[]): Promise<unknown>;
  /** Whether no further link is to be begun. */
  isOver(): boolean;
}

/** Links that were checked, by result, and those that were left for the next run. */
export type CheckCounts = Record<LinkResult["result"] | "left", number>;

/**
 * Checks addresses: several hosts at a time, each by one request at a time. Those that a host wants no requests for any more, and those that the time
 * does not suffice for, are left.
 */
export async function checkLinks(urls: readonly string[], options: CheckOptions): Promise<CheckCounts> {
  const hosts = new Map<string, Host>();
  const web = {
    allowLoopback: options.allowLoopback,
    hostOf({ hostname }: URL) {
      const host = hosts.get(hostname) ?? new Host(options);
      hosts.set(hostname, host);
      return host;
    },
  };
  const counts: CheckCounts = { ok: 0, failing: 0, unknown: 0, left: urls.length };
  const store = new Batches(options.store);
  const queues = byHost(urls);
  const work = async () => {
    for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
      for (const url of queue) {
        if (options.isOver()) return;
        const result = await checkLink(url, web).catch(leaveClosed);
        // The host that closed is the link's own, or one that it leads to.
        if (result === undefined) continue;
        counts[result.result]++;
        counts.left--;
        await store.add({ url, ...result });
      }
    }
  };
  await Promise.all(Array.from({ length: hostsAtATime }, work));
  await store.end();
  return counts;
}

function leaveClosed(error: unknown): undefined {
  if (!(error instanceof HostClosedError)) throw error;
}

/** Addresses by their hosts, those of most addresses first, since they take longest. */
function byHost(urls: readonly string[]): string[][] {
  const queues = new Map<string, string[]>();
  for (const url of urls) {
    const name = URL.parse(url)?.hostname ?? "";
    const queue = queues.get(name);
    if (queue === undefined) queues.set(name, [url]);
    else queue.push(url);
  }
  return [...queues.values()].sort((one, other) => other.length - one.length);
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
