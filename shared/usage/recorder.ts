import type { RequestLine, RpcClient, UsageEvent } from "../database/rpc.ts";
import type { Log } from "../log/log.ts";

/** Pause after a write, in which requests gather for the next batch. */
const gatherMs = 100;
/** Limit of distinct counters that wait for a write, some 600 bytes each. */
const maximumCounters = 20_000;
/** Limit of waiting counters for keys that the database has not recognised: a caller can invent any number of keys. */
const maximumUnrecognised = 1_000;
/** Limit of requests that wait to be logged, some 600 bytes each. Further requests are counted, and not in the log. */
const maximumLines = 2_000;
/** Limit of waiting log entries of one counter: a flood of equal requests leaves a sample in each batch. */
const maximumLinesOfCounter = 10;
/** Limit of waiting log entries that were refused for their key: a caller can invent any number of keys. */
const maximumRefusedKeys = 100;

/**
 * Counts finished requests, keeps their lines of the request log, and writes both in batches. While a batch is being written, and for `gatherMs` after it,
 * the requests that finish are gathered for the next batch. Under load that is one write for many requests; without load,
 * one write right after each response.
 *
 * A batch that may not have arrived is sent again, unchanged and under its number, until the database confirms it. The
 * database counts each number once. So nothing is lost while this process lives, and nothing is counted twice.
 */
export class UsageRecorder {
  /** Id of this recorder. With the number of a batch, it names the batch. */
  readonly #writer = crypto.randomUUID();
  #batches = 0;
  /** Counters that wait for the next write. */
  #pending = new Map<string, UsageEvent>();
  /** Pending counters of keys that the database has not recognised. */
  #unrecognised = 0;
  /** Pending lines of the request log, and refused keys among them. */
  #lines = 0;
  #refusedKeys = 0;
  /** Requests that were not counted since the last write. */
  #dropped = 0;
  /** The write under way, and the one that follows it. */
  #writing: Promise<void> | undefined;
  #following: Promise<void> | undefined;

  /** @param delayMs returns the pause after a number of failures in a row. */
  constructor(
    private readonly database: RpcClient,
    private readonly log: Log,
    private readonly delayMs: (failures: number) => number = retryDelayMs,
  ) {}

  /**
   * Counts a request, and logs its line unless too many wait. @returns a promise that resolves when the database has counted it; one for the whole
   * batch.
   */
  record(event: Omit<UsageEvent, "requests" | "lines">, makeLine?: () => RequestLine): Promise<void> {
    const counted = this.#count(event);
    const lines = counted?.lines ?? [];
    if (counted && makeLine && this.#lines < maximumLines && lines.length < maximumLinesOfCounter) {
      this.#lines += 1;
      lines.push(makeLine());
      counted.lines = lines;
    }
    return this.flush();
  }

  /** Logs a request whose key was refused: it counts as none, and the database knows whether there was such a key. */
  recordRefusedKey(event: Omit<UsageEvent, "requests" | "lines">, makeLine: () => RequestLine): Promise<void> {
    if (this.#refusedKeys >= maximumRefusedKeys) return this.flush();
    this.#pending.set(`refused ${this.#refusedKeys++}`, { ...event, requests: 0, lines: [makeLine()] });
    return this.flush();
  }

  /** Returns a promise that resolves when everything recorded so far is written. */
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

  /** Returns the counter, or undefined where too many were pending. */
  #count(event: Omit<UsageEvent, "requests" | "lines">): UsageEvent | undefined {
    const key = `${event.api_key_id ?? event.key_hash} ${event.at.slice(0, 13)} ${event.endpoint} ${event.status} ${event.latency_bucket_ms}`;
    const counted = this.#pending.get(key);
    if (counted !== undefined) {
      counted.requests += 1;
      counted.duration_ms += event.duration_ms;
      return counted;
    }
    const isUnrecognised = event.api_key_id === undefined;
    if (this.#pending.size >= maximumCounters || (isUnrecognised && this.#unrecognised >= maximumUnrecognised)) {
      this.#dropped += 1;
      return undefined;
    }
    if (isUnrecognised) this.#unrecognised += 1;
    const first: UsageEvent = { ...event, requests: 1 };
    this.#pending.set(key, first);
    return first;
  }

  /** Writes the pending counters, with retries until the database confirms or refuses them. */
  async #write(): Promise<void> {
    const events = [...this.#pending.values()];
    this.#pending = new Map();
    this.#unrecognised = 0;
    this.#lines = 0;
    this.#refusedKeys = 0;
    if (this.#dropped > 0)
      this.#logEntry("error", `${this.#dropped} requests were not counted: too many different counters were pending`);
    this.#dropped = 0;
    const batch = ++this.#batches;
    let deletions = 0;
    for (let failures = 0; ; failures++) {
      if (failures > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs(failures)));
      const outcome = await this.database.call("record_usage", { events, writer: this.#writer, batch });
      if (outcome.ok) return;
      const { code, message } = outcome.failure;
      if (code === missingKeyCode) deletions += 1;
      if (isRefused(code, deletions))
        return this.#logEntry("error", `the database refused ${events.length} counters: ${code} ${message}`);
      if (failures === 0)
        this.#logEntry("warning", `usage could not be written and will be sent again: ${code} ${message}`);
    }
  }

  #logEntry(level: "error" | "warning", text: string): void {
    this.log.write(level, { function: "usage", [level]: text });
  }
}

const firstDelayMs = 500;
const longestDelayMs = 10_000;

/** Backoff with jitter: half a second after the first failure in a row, doubled after each further one, ten seconds at most; a quarter less or more. */
export function retryDelayMs(failures: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1)) * (0.75 + Math.random() / 2);
}

/** SQLSTATE of a foreign key. A batch refers to API keys alone: one of them was deleted with its account during the write. */
const missingKeyCode = "23503";
/** Limit of retries of a batch for that. Each skips the keys that are gone by then. */
const maximumDeletionRetries = 10;

/**
 * Whether the database rejected a batch for its content, so that a retry is of no use: SQLSTATE classes 22 (data) and 23
 * (constraints). Any other failure may pass. So may a missing key, which a retry skips.
 *
 * @param deletions failures of the batch for a missing key, this one included.
 */
export function isRefused(code: string, deletions: number): boolean {
  return code === missingKeyCode ? deletions > maximumDeletionRetries : /^2[23]/.test(code);
}

/**
 * Upper bounds of the response-time buckets, in milliseconds, as in `funding.latency_bounds`. Each is about 1.5 times the one before: a percentile taken
 * from the buckets, in which requests count as evenly spread, is at most half too high or a third too low.
 */
export const bucketBoundsMs = [
  1, 2, 3, 5, 7, 10, 15, 22, 33, 50, 75, 110, 165, 250, 375, 560, 850, 1300, 2000, 3000, 4500, 7000, 10000,
];

/** Bucket of all slower requests. */
export const slowestBucketMs = 2_147_483_647;

/** Returns the upper bound of a response time's bucket. */
export function latencyBucketMs(elapsedMs: number): number {
  return bucketBoundsMs.find((bound) => elapsedMs <= bound) ?? slowestBucketMs;
}
