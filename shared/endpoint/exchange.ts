import type { RpcClient } from "../database/rpc.ts";
import type { QueryEmbedder } from "../embeddings/query-embedder.ts";
import { requestId } from "../http/headers.ts";
import type { ProblemName } from "../http/problems.ts";
import type { Log, LogLevel } from "../log/log.ts";
import { limitedDatabase } from "../overload/limited-database.ts";
import type { Runtime } from "../runtime.ts";
import { milliseconds } from "./milliseconds.ts";

/** What a request may wait for, by its name in `Server-Timing`. */
type Waiting = "queue" | "db" | "embed";

/** What is shorter was no wait: a place in the queue is there at once as long as there is no overload. */
const leastWaitMs = 0.05;

/** A request on its way, and what is learnt of it meanwhile: for its answer, and for its line in the log. */
export class Exchange {
  readonly requestId: string;
  /** The route's pattern, never the path: that may hold anything. */
  route: string | undefined;
  apiKeyId: string | undefined;
  problem: ProblemName | undefined;
  /** What went wrong on our side, for the operator alone. */
  error: string | undefined;
  #warning: string | undefined;
  readonly #started = performance.now();
  readonly #waitedMs: Partial<Record<Waiting, number>> = {};
  #isOver = false;

  /** @param name the function that answers it, where there is one. */
  constructor(
    readonly request: Request,
    private readonly name: string | undefined,
    private readonly log: Log,
  ) {
    this.requestId = requestId(request);
  }

  /** Milliseconds since the request came in. */
  get elapsedMs(): number {
    return performance.now() - this.#started;
  }

  /** The database as this request has it: within the limit, and with what waiting for it takes on its account. */
  databaseOf({ database, limit }: Pick<Runtime, "database" | "limit">): RpcClient {
    return limitedDatabase(
      { call: (name, parameters) => this.#waitFor("db", database.call(name, parameters)) },
      { enter: () => this.#waitFor("queue", limit.enter()), take: () => limit.take() },
    );
  }

  /** What gets vectors, likewise. */
  embedderOf({ embeddings }: Pick<Runtime, "embeddings">): QueryEmbedder {
    return {
      remembered: (query) => embeddings.remembered(query),
      embed: (query, wanted) => this.#waitFor("embed", embeddings.embed(query, wanted)),
    };
  }

  /** Where the time went so far, as a `Server-Timing` header. */
  get serverTiming(): string {
    const waits = Object.entries(this.#waitedMs).filter(([, duration]) => duration >= leastWaitMs);
    return [...waits, ["total", this.elapsedMs] as const]
      .map(([name, duration]) => `${name};dur=${milliseconds(duration)}`)
      .join(", ");
  }

  /** Tells the operator of something that the request got over; of what happens after its end, in a line of its own. */
  warn(warning: string): void {
    this.#warning = warning;
    const { requestId: request_id, name, route } = this;
    if (this.#isOver) this.log.write("warning", { request_id, function: name, route, warning });
  }

  /**
   * Writes the request's line.
   *
   * @param usual the level of one that ended as it should.
   */
  end(status: number, usual: LogLevel = "info"): void {
    const { queue = 0, db, embed } = this.#waitedMs;
    this.#isOver = true;
    this.log.write(this.#levelOf(status, usual), {
      request_id: this.requestId,
      function: this.name,
      method: this.request.method,
      route: this.route,
      status,
      problem: this.problem,
      api_key_id: this.apiKeyId,
      duration_ms: milliseconds(this.elapsedMs),
      queue_ms: queue < leastWaitMs ? undefined : milliseconds(queue),
      database_ms: db && milliseconds(db),
      embedding_ms: embed && milliseconds(embed),
      warning: this.#warning,
      error: this.error,
    });
  }

  /** A 503 says that we are busy, or that something is down; any other 5xx is a mistake of ours. */
  #levelOf(status: number, usual: LogLevel): LogLevel {
    if (status >= 500 && status !== 503) return "error";
    return status === 503 || this.#warning !== undefined || this.error !== undefined ? "warning" : usual;
  }

  async #waitFor<Result>(what: Waiting, work: Promise<Result>): Promise<Result> {
    const begun = performance.now();
    try {
      return await work;
    } finally {
      this.#waitedMs[what] = (this.#waitedMs[what] ?? 0) + performance.now() - begun;
    }
  }
}
