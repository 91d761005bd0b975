import type { RpcClient } from "../database/rpc.ts";
import type { QueryEmbedder } from "../embeddings/query-embedder.ts";
import type { ProblemName } from "../http/problems.ts";
import { type ErrorFormat, problemDetails } from "../http/problems.ts";
import type { Log, LogLevel } from "../log/log.ts";
import { hasSecret } from "../log/redact.ts";

/** Time that a request spends waiting, by its name in `Server-Timing`. */
type Span = "queue" | "db" | "embed";

/** Shorter waits are noise, and are not reported: without overload a permit is free at once. */
const minReportedMs = 0.05;

/** A request under way: its id, and the facts for its answer and its log line. */
export class RequestContext {
  readonly requestId: string;
  /** The route's pattern, never the path: that may hold anything. */
  route: string | undefined;
  apiKeyId: string | undefined;
  problem: ProblemName | undefined;
  /** Our own failure, for the operator alone. */
  error: string | undefined;
  #warning: string | undefined;
  readonly #started = performance.now();
  readonly #spansMs: Partial<Record<Span, number>> = {};
  #isOver = false;

  /** @param name the function that answers, if one does. */
  constructor(
    readonly request: Request,
    private readonly name: string | undefined,
    private readonly log: Log,
    /** Format of its failures. */
    readonly errorFormat: ErrorFormat = problemDetails,
    /** Header in which the API key may be, beside Authorization. */
    readonly keyHeader?: string,
  ) {
    this.requestId = requestId(request);
  }

  /** Milliseconds since the request came in. */
  get elapsedMs(): number {
    return performance.now() - this.#started;
  }

  /** Adds the time that the work takes to a span. */
  async time<Result>(span: Span, work: Promise<Result>): Promise<Result> {
    const begun = performance.now();
    try {
      return await work;
    } finally {
      this.#spansMs[span] = (this.#spansMs[span] ?? 0) + performance.now() - begun;
    }
  }

  /** The RPC client, with the time of its calls in the span `db`. */
  timedDatabase(database: RpcClient): RpcClient {
    return { call: (name, parameters) => this.time("db", database.call(name, parameters)) };
  }

  /** The embedder, with its time in the span `embed`. */
  timedEmbedder(embeddings: QueryEmbedder): QueryEmbedder {
    return {
      getCached: (query) => embeddings.getCached(query),
      embed: (query, wanted) => this.time("embed", embeddings.embed(query, wanted)),
    };
  }

  /** Time spent so far, as a `Server-Timing` header. */
  get serverTiming(): string {
    const spans = Object.entries(this.#spansMs).filter(([, duration]) => duration >= minReportedMs);
    return [...spans, ["total", this.elapsedMs] as const]
      .map(([name, duration]) => `${name};dur=${roundMs(duration)}`)
      .join(", ");
  }

  /** Logs a fault that the request survived: in the request's line or, after its end, in a line of its own. */
  warn(warning: string): void {
    this.#warning = warning;
    const { requestId: request_id, name, route } = this;
    if (this.#isOver) this.log.write("warning", { request_id, function: name, route, warning });
  }

  /**
   * Writes the request's log line.
   *
   * @param level of a request that ended as it should.
   */
  end(status: number, level: LogLevel = "info"): void {
    const { queue = 0, db, embed } = this.#spansMs;
    this.#isOver = true;
    this.log.write(this.#levelOf(status, level), {
      request_id: this.requestId,
      function: this.name,
      method: this.request.method,
      route: this.route,
      status,
      problem: this.problem,
      api_key_id: this.apiKeyId,
      duration_ms: roundMs(this.elapsedMs),
      queue_ms: queue < minReportedMs ? undefined : roundMs(queue),
      database_ms: db && roundMs(db),
      embedding_ms: embed && roundMs(embed),
      warning: this.#warning,
      error: this.error,
    });
  }

  /** 503 means overload or an outage: a warning. Any other 5xx is a defect of ours: an error. */
  #levelOf(status: number, usual: LogLevel): LogLevel {
    if (status >= 500 && status !== 503) return "error";
    return status === 503 || this.#warning !== undefined || this.error !== undefined ? "warning" : usual;
  }
}

/** Rounds to hundredths, which are as fine as the clocks of the platforms we run on. */
export function roundMs(elapsed: number): number {
  return Math.round(elapsed * 100) / 100;
}

/** Returns the client's own request id if it is well-formed and no secret (it is logged), else a new one. */
function requestId(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && /^[\w.:-]{1,128}$/.test(given) && !hasSecret(given) ? given : crypto.randomUUID();
}
