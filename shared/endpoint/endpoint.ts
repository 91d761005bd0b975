import { readApiKey } from "../auth/credential.ts";
import type { Admission, Admitted, RpcClient, RpcFailure, RpcOutcome } from "../database/rpc.ts";
import type { Dataset } from "../datasets.ts";
import type { QueryEmbedder } from "../embeddings/query-embedder.ts";
import { invalidParameters, type Outcome, type Problem, problemStatus } from "../http/problems.ts";
import { tooManyStreams, unlimitedPermit } from "../overload/stream-limit.ts";
import type { Handler, ReadRuntime } from "../runtime.ts";
import { latencyBucketMs } from "../usage/recorder.ts";
import { requestLine } from "../usage/request-line.ts";
import type { AnswerStream } from "./answer-stream.ts";
import { type Attempt, noteAdmission, withdrawAttempt } from "./attempt.ts";
import { problemForFailure } from "./database-failures.ts";
import { createHandler, type HandlerOptions, type PathParameters, serverError } from "./handler.ts";
import type { ListCache } from "./list-cache.ts";
import type { RequestContext } from "./request-context.ts";
import { requestDatabase, streamDatabase } from "./request-database.ts";
import { type Answer, respondAnswer, respondProblem } from "./respond.ts";

/** Arguments of a route's `query`, beside its input. */
export interface QueryContext {
  database: RpcClient;
  /** Opens a stream for an answer whose body is made while it is sent. A long one is refused where too many of them are open. */
  openStream(options: { isLong: boolean }): Promise<RpcOutcome<AnswerStream>>;
  embeddings: QueryEmbedder;
  lists: ListCache;
  /** SHA-256 of the caller's API key, in hexadecimal. */
  keyHash: string;
  /** Logs a fault that the request survived. */
  warn(warning: string): void;
}

/** Arguments of a route's `render`, beside the body and the input. */
export interface RenderContext {
  /** Milliseconds since the request came in. */
  elapsedMs: number;
  documentationUrl: string | undefined;
}

/** One route of an endpoint, in the order in which a request passes through it. */
export interface Route<Input = unknown, Body = unknown, Needs = ReadRuntime> {
  method: "GET" | "POST";
  /** Path after the function's name. */
  path:
    | ""
    | "/search"
    | "/{id}"
    | "/{id}/changes"
    | "/{id}/awards"
    | "/{id}/statistics"
    | "/{id}/{file}"
    | "/opportunities"
    | "/opportunities/search"
    | "/opportunities/{oppId}"
    | "/awards"
    | "/awards/search"
    | "/awards/{awdId}"
    | "/orgs"
    | "/orgs/{orgId}";
  /** Datasets that its requests read, where the route alone says it: a key that is limited to others is told so before its mistakes. */
  datasets?: readonly Dataset[];
  /** Parameters that the database calls by another name than the request: the request's name by the database's. */
  parameterNames?: Readonly<Record<string, string>>;
  /**
   * Parses and validates the request.
   *
   * @param segments the texts in place of the path's segments in braces.
   */
  parse(request: Request, ...segments: [string, string]): Promise<Outcome<Input>> | Outcome<Input>;
  /** The parameters of a request that are in its body, as a query string, for the log. By default, they are the input's members. */
  given?(input: Input): string;
  /**
   * Calls the database: one round trip that admits the caller and answers (a second for a query's embedding).
   *
   * @param runtime for what the function alone needs of it. The context's RPC client is the one that is limited and timed.
   */
  query(context: QueryContext, input: Input, runtime: Needs): Promise<RpcOutcome<Admitted<Body>>>;
  /** Renders the answer, or the problem in its place; null where there is nothing with that id. */
  render(body: Body, input: Input, context: RenderContext): Answer | { problem: Problem } | null;
}

/** Checks that a route's parts agree, then erases their types, so that routes of different types share a list. */
export function route<Input, Body, Needs extends ReadRuntime = ReadRuntime>(
  definition: Route<Input, Body, Needs>,
): Route<unknown, unknown, Needs> {
  return definition as unknown as Route<unknown, unknown, Needs>;
}

/** Outcome of a request, and its caller, if the database recognised one. */
type Result =
  | { problem: Problem; admission?: Admission | undefined; keyHash?: string | undefined; input?: unknown }
  | { answer: Answer; admission: Admission; input: unknown };

/**
 * Makes an endpoint of its routes: finds the route, reads the API key, parses the request, queries the database, renders
 * the answer, and counts the request once the answer is on its way.
 *
 * @param name the function's name, which is the first segment of its path.
 */
export function createEndpoint<Needs extends ReadRuntime>(
  name: string,
  routes: readonly Route<unknown, unknown, Needs>[],
  options?: HandlerOptions,
): Handler<Needs> {
  const respond = async (
    context: RequestContext,
    { route, parameters }: { route: Route<unknown, unknown, Needs>; parameters: PathParameters },
    runtime: Needs,
  ) => {
    const attempt: Attempt = {};
    let result: Result;
    let response: Response;
    try {
      result = await handle(route, Object.values(parameters), context, runtime, attempt);
      response = await send(context, result);
    } catch (error) {
      context.error = String(error);
      void attempt.stream?.close();
      const { caller, input } = attempt;
      const admission = await withdrawAttempt(attempt);
      result = { problem: serverError, admission, keyHash: caller?.keyHash, input };
      response = await send(context, result);
    }
    // A problem and an answer to HEAD have no stream to send.
    if (attempt.stream?.isSent === false) void attempt.stream.close();
    record(context, `${name}${route.path}`, parameters, response, result, runtime, route.given);
    return response;
  };
  return createHandler(name, routes, respond, options);
}

async function send(context: RequestContext, result: Result): Promise<Response> {
  const { admission } = result;
  context.apiKeyId = admission?.api_key_id;
  return "problem" in result
    ? respondProblem(context, result.problem, admission)
    : respondAnswer(context, result.answer, result.admission);
}

/** Counts a request, and logs it for its account, where the key is known or the database may know it. */
function record(
  { request, requestId, elapsedMs }: RequestContext,
  endpoint: string,
  segments: PathParameters,
  { status, headers }: Response,
  result: Result,
  { usage, waitUntil }: ReadRuntime,
  given: Route["given"],
): void {
  const caller = callerOf(result);
  if (caller === undefined) return;
  const at = new Date().toISOString();
  const event = {
    ...caller,
    at,
    endpoint,
    status,
    latency_bucket_ms: latencyBucketMs(elapsedMs),
    duration_ms: elapsedMs,
  };
  const makeLine = () =>
    requestLine({
      requestId,
      request,
      at,
      elapsedMs,
      segments,
      body: request.method === "POST" && result.input !== undefined ? bodyOf(result.input, given) : undefined,
      problem: "problem" in result ? result.problem : undefined,
      headers,
    });
  waitUntil(status === 401 ? usage.recordRefusedKey(event, makeLine) : usage.record(event, makeLine));
}

/** Parameters of a body, for the log. */
function bodyOf(input: unknown, given: Route["given"]): object | undefined {
  if (given !== undefined) return new URLSearchParams(given(input));
  return typeof input === "object" ? (input ?? {}) : undefined;
}

async function handle<Needs extends ReadRuntime>(
  route: Route<unknown, unknown, Needs>,
  segments: readonly string[],
  context: RequestContext,
  runtime: Needs,
  attempt: Attempt,
): Promise<Result> {
  const { request } = context;
  const key = await readApiKey(request, runtime.keyHashes, context.keyHeader);
  if (!key.ok) return { problem: key.problem };
  const keyHash = key.value;
  const database = noteAdmission(requestDatabase(context, runtime, keyHash), attempt);
  attempt.caller = { keyHash, database };

  const input = await route.parse(request, segments[0] ?? "", segments[1] ?? "");
  if (input.ok) attempt.input = input.value;
  const warn = (warning: string) => context.warn(warning);
  // An unknown key comes before invalid parameters, and a known caller's invalid request counts against the quota.
  const outcome = input.ok
    ? await route.query(
        {
          database,
          openStream: async ({ isLong }) => {
            // Before the permit is taken, which an exception would not give back.
            const { AnswerStream } = await import("./answer-stream.ts");
            const permit = isLong ? runtime.streams.open(keyHash) : unlimitedPermit;
            if (typeof permit === "string") return { ok: false, failure: tooManyStreams[permit] };
            const value = new AnswerStream(permit, (signal) => streamDatabase(runtime, keyHash, signal), warn);
            attempt.stream = value;
            return { ok: true, value };
          },
          embeddings: context.timedEmbedder(runtime.embeddings),
          lists: runtime.lists,
          keyHash,
          warn,
        },
        input.value,
        runtime,
      )
    : await database.call("admit_request", {
        key_hash: keyHash,
        ...(route.datasets && { datasets: [...route.datasets] }),
      });

  if (!outcome.ok) {
    if (outcome.failure.code === "PT400") return refuseParameter(outcome.failure, route, keyHash, database);
    const refusal = problemForFailure(outcome.failure, new Date());
    if (problemStatus(refusal.problem.name) >= 500) {
      context.error = `${outcome.failure.code} ${outcome.failure.message}`;
    }
    return { ...refusal, keyHash, ...(input.ok && { input: input.value }) };
  }
  const { admission, body } = outcome.value;
  runtime.limit.noteAnswer(keyHash);
  if (!input.ok) return { problem: input.problem, admission };

  const answer = route.render(body, input.value, {
    elapsedMs: context.elapsedMs,
    documentationUrl: runtime.documentationUrl,
  });
  if (answer === null) {
    const [id, file] = segments;
    const detail = file === undefined ? `There is no record with the id ${id}.` : `There is no file ${file} of ${id}.`;
    return { problem: { name: "not-found", detail }, admission };
  }
  return "problem" in answer ? { ...answer, admission, input: input.value } : { answer, admission, input: input.value };
}

/**
 * Refuses a parameter that only the database could find wrong; its hint names the parameter. The failure rolled back the
 * admission, so the request is counted anew, like any other invalid one.
 */
async function refuseParameter(
  { hint, message }: RpcFailure,
  { parameterNames = {} }: Pick<Route, "parameterNames">,
  keyHash: string,
  database: RpcClient,
): Promise<Result> {
  const admitted = await database.call("admit_request", { key_hash: keyHash });
  if (!admitted.ok) return { ...problemForFailure(admitted.failure, new Date()), keyHash };
  const name = hint ?? "";
  const problem = invalidParameters([{ parameter: parameterNames[name] ?? name, message }]);
  return { problem, admission: admitted.value.admission };
}

/** The caller of a request: a key that was admitted, or one that failed with 5xx or was refused. Undefined without a key. */
function callerOf(result: Result): { api_key_id: string } | { key_hash: string } | undefined {
  if (result.admission !== undefined) return { api_key_id: result.admission.api_key_id };
  if (!("problem" in result) || result.keyHash === undefined) return undefined;
  const status = problemStatus(result.problem.name);
  return status >= 500 || status === 401 ? { key_hash: result.keyHash } : undefined;
}
