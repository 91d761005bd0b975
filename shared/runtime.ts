import type { RpcClient } from "./database/rpc.ts";
import type { QueryEmbedder } from "./embeddings/query-embedder.ts";
import type { RecentLists } from "./endpoint/recent-lists.ts";
import type { Log } from "./log/log.ts";
import type { ReadinessCache } from "./operations/readiness.ts";
import type { ConcurrencyLimit } from "./overload/concurrency-limit.ts";
import type { UsageRecorder } from "./usage/recorder.ts";
import type { WebhookPlatform } from "./webhooks/platform.ts";

/**
 * What a handler needs of the platform it runs on. Nothing else in `shared/` knows platforms. What is to outlive a request is
 * a member, and the platform makes it once: the object itself may be new for each request.
 */
export interface Runtime {
  /** Calls to the database's functions. */
  readonly database: RpcClient;
  /** Who may ask the database now, of the requests that callers send. */
  readonly limit: ConcurrencyLimit;
  /** The vectors of queries, where the database does not make them itself. */
  readonly embeddings: QueryEmbedder;
  /** The lists that were answered last. */
  readonly lists: RecentLists;
  /** Whether the database could serve a moment ago. */
  readonly readiness: ReadinessCache;
  /** Counts requests. One for a process or isolate; on Workers, one for each request. */
  readonly usage: UsageRecorder;
  /** What sends webhooks. */
  readonly webhooks: WebhookPlatform;
  /** What the operator reads. */
  readonly log: Log;
  /** Lets work go on after the response, as far as the platform allows. */
  waitUntil(work: Promise<unknown>): void;
  /** Where people read the API's documentation, or undefined where it is not published. */
  readonly documentationUrl?: string | undefined;
  /** A setting or secret of the deployment, or undefined where it is not set. */
  variable(name: string): string | undefined;
}

/** A function's entry: the same on every platform. */
export type Handler = (request: Request, runtime: Runtime) => Promise<Response>;
