import type { RpcClient, UsageEvent } from "../database/rpc.ts";
import type { Log } from "../log/log.ts";
import { isRefused, retryDelayMs } from "./retry.ts";

/** How long requests gather after a write, in milliseconds. */
const gatherMs = 25;
/** Most distinct counters that wait to be written, of some 300 bytes each. */
const maximumCounters = 20_000;
/** Most of them for keys that the database has not recognised: there is no end of those. */
const maximumUnrecognised = 1_000;

/**
 * Counts finished requests and writes them in batches: while one batch is on its way, and for a moment
 * after it, what finishes gathers for the next. Under load that is one write for many requests; without
 * load, one write right after each response.
 *
 * A batch that may not have arrived goes again, as it was and under its number, until the database says that it has
 * it. The database counts a number once. So nothing is lost while this process lives, and nothing counted twice.
 */
export class UsageRecorder {
  readonly #writer = crypto.randomUUID();
  #batches = 0;
  #pending = new Map<string, UsageEvent>();
  #unrecognised = 0;
  #dropped = 0;
  /** The write under way, and the one after it. */
  #writing: Promise<void> | undefined;
  #following: Promise<void> | undefined;

  /** @param delayMs how long to wait after a number of failures in a row. */
  constructor(
    private readonly database: RpcClient,
    private readonly log: Log,
    private readonly delayMs: (failures: number) => number = retryDelayMs,
  ) {}

  /** @returns a promise for the moment when this request is counted in the database; the same for all that go together. */
  record(event: Omit<UsageEvent, "requests">): Promise<void> {
    this.#count(event);
    return this.flush();
  }

  /** Resolves when everything recorded so far has been written. */
  flush(): Promise<void> {
    if (this.#following !== undefined) return this.#following;
    if (this.#writing === undefined) {
      if (this.#pending.size === 0) return Promise.resolve();
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined;
      });
      return this.#writing;
    }
    if (this.#pending.size === 0) return this.#writing;
    this.#following = this.#writing
      .then(() => new Promise((resolve) => setTimeout(resolve, gatherMs)))
      .then(() => {
        this.#following = undefined;
        return this.flush();
      });
    return this.#following;
  }

  #count(event: Omit<UsageEvent, "requests">): void {
    const key = `${event.api_key_id ?? event.key_hash} ${event.at.slice(0, 10)} ${event.endpoint} ${event.status} ${event.latency_bucket_ms}`;
    const counted = this.#pending.get(key);
    if (counted !== undefined) {
      counted.requests += 1;
      counted.duration_ms += event.duration_ms;
      return;
    }
    const isUnrecognised = event.api_key_id === undefined;
    if (this.#pending.size >= maximumCounters || (isUnrecognised && this.#unrecognised >= maximumUnrecognised)) {
      this.#dropped += 1;
      return;
    }
    if (isUnrecognised) this.#unrecognised += 1;
    this.#pending.set(key, { ...event, requests: 1 });
  }

  /** Writes what has gathered, however often it takes. */
  async #write(): Promise<void> {
    const events = [...this.#pending.values()];
    this.#pending = new Map();
    this.#unrecognised = 0;
    if (this.#dropped > 0)
      this.#tell("error", `${this.#dropped} requests were not counted: too many kinds of them waited`);
    this.#dropped = 0;
    const batch = ++this.#batches;
    for (let failures = 0; ; failures++) {
      if (failures > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs(failures)));
      const outcome = await this.database.call("record_usage", { events, writer: this.#writer, batch });
      if (outcome.ok) return;
      const { code, message } = outcome.failure;
      if (isRefused(code)) return this.#tell("error", `${events.length} counters were refused: ${code} ${message}`);
      if (failures === 0) this.#tell("warning", `usage could not be written and goes again: ${code} ${message}`);
    }
  }

  #tell(level: "error" | "warning", text: string): void {
    this.log.write(level, { function: "usage", [level]: text });
  }
}
