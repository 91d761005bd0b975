import type { RpcClient, UsageEvent } from "../database/rpc.ts";

/** A batch that failed goes again with the next. This many distinct counters are kept for that. */
const maximumPending = 10_000;

/**
 * Counts finished requests and writes them in batches: while one batch is on its way, what finishes
 * meanwhile gathers for the next. Under load that is one write for many requests; without load, one
 * write right after each response.
 */
export class UsageRecorder {
  #pending = new Map<string, UsageEvent>();
  #flushing: Promise<void> | undefined;

  constructor(private readonly database: RpcClient) {}

  /** @returns a promise for the moment when this request is counted in the database. */
  record(event: Omit<UsageEvent, "requests">): Promise<void> {
    const key = `${event.api_key_id ?? event.key_hash} ${event.at.slice(0, 10)} ${event.endpoint} ${event.status} ${event.latency_bucket_ms}`;
    const counted = this.#pending.get(key);
    if (counted !== undefined) counted.requests += 1;
    else if (this.#pending.size < maximumPending) this.#pending.set(key, { ...event, requests: 1 });
    return this.flush();
  }

  /** Resolves when everything recorded so far has been written, or could not be. */
  async flush(): Promise<void> {
    // One flush under way does not have the latest events; the one after it does.
    await this.#flushing;
    if (this.#pending.size === 0) return this.#flushing;
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const batch = this.#pending;
    this.#pending = new Map();
    const outcome = await this.database.call("record_usage", { events: [...batch.values()] });
    if (outcome.ok) return;
    for (const [key, event] of batch) {
      const newer = this.#pending.get(key);
      if (newer !== undefined) newer.requests += event.requests;
      else if (this.#pending.size < maximumPending) this.#pending.set(key, event);
    }
  }
}

const recorders = new WeakMap<RpcClient, UsageRecorder>();

/** The one recorder of a database client. */
export function recorderFor(database: RpcClient): UsageRecorder {
  let recorder = recorders.get(database);
  if (recorder === undefined) {
    recorder = new UsageRecorder(database);
    recorders.set(database, recorder);
  }
  return recorder;
}
