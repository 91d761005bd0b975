import type { KeyHashes } from "./auth/credential.ts";
import type { RpcClient } from "./database/rpc.ts";
import type { QueryEmbedder } from "./embeddings/query-embedder.ts";
import type { ListCache } from "./endpoint/list-cache.ts";
import type { Log } from "./log/log.ts";
import type { ConcurrencyLimit } from "./overload/concurrency-limit.ts";
import type { StreamLimit } from "./overload/stream-limit.ts";
import type { UsageRecorder } from "./usage/recorder.ts";

/**
 * Platform of a handler, as far as every function needs it. A function that needs more says so in its own type: what reads data a
 * `ReadRuntime`, the account API and the dispatcher one of their own. State that outlives a request is a member, made once by the platform; the
 * object itself may be new for each request.
 */
export interface Runtime {
  /** RPC client. */
  readonly database: RpcClient;
  /** Address of the request's client, as the platform or the proxy in front of it says; undefined where they do not. */
  readonly clientAddress?: string | undefined;
  /** Semaphore in front of the database, for the requests that callers send. */
  readonly limit: ConcurrencyLimit;
  /** The operator's log. */
  readonly log: Log;
  /** Lets work go on after the response, as far as the platform allows. */
  waitUntil(work: Promise<unknown>): void;
  /** Reads a setting or secret of the deployment; undefined where it is not set. */
  variable(name: string): string | undefined;
}

/** Runtime of the endpoints that answer with data to API keys: see `createReadState`. */
export interface ReadRuntime extends Runtime {
  /** Limit of the answers that are made while they are sent. */
  readonly streams: StreamLimit;
  /** Embeddings of queries, where the database does not make them itself. */
  readonly embeddings: QueryEmbedder;
  /** Cache of the pages answered last. */
  readonly lists: ListCache;
  /** Cache of the hashes of API keys. */
  readonly keyHashes: KeyHashes;
  /** Counts requests. One for a process or isolate; on Workers, one for each request. */
  readonly usage: UsageRecorder;
  /** Address of the API's documentation, or undefined where it is not published. */
  readonly documentationUrl?: string | undefined;
}

/** A function's entry: the same on every platform. */
export type Handler<Needs = ReadRuntime> = (request: Request, runtime: Needs) => Promise<Response>;
