import { readApiKey } from "../auth/credential.ts";
import type { Admission, Admitted, RpcClient, RpcFailure, RpcOutcome } from "../database/rpc.ts";
import type { QueryEmbedder } from "../embeddings/query-embedder.ts";
import { invalidParameters, type Outcome, type Problem, problemStatus } from "../http/problems.ts";
import type { Handler, Runtime } from "../runtime.ts";
import type { SnapshotStore } from "../snapshots/store.ts";
import { latencyBucketMs } from "../usage/recorder.ts";
import { problemForFailure } from "./database-failures.ts";
import { createHandler, type HandlerOptions, type PathParameters } from "./handler.ts";
import type { ListCache } from "./list-cache.ts";
import type { RequestContext } from "./request-context.ts";
import { requestDatabase, streamDatabase } from "./request-database.ts";
import { type Answer, respondAnswer, respondProblem } from "./respond.ts";

/** Arguments of a route's `query`, beside its input. */
export interface QueryContext {
  database: RpcClient;
  /** For calls after the answer's body has begun. */
  streamDatabase: RpcClient;
  embeddings: QueryEmbedder;
  lists: ListCache;
  snapshots: SnapshotStore;
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
export interface Route<Input = unknown, Body = unknown> {
  method: "GET" | "POST";
  /** Path after the function's name. */
  path:
    | ""
    | "/{id}"
    | "/{id}/changes"
    | "/{id}/{file}"
    | "/opportunities"
    | "/opportunities/search"
    | "/opportunities/{oppId}";
  /** Parameters that the database calls by another name than the request: the request's name by the database's. */
  parameterNames?: Readonly<Record<string, string>>;
  /**
   * Parses and validates the request.
   *
   * @param segments the texts in place of the path's segments in braces.
   */
  parse(request: Request, ...segments: [string, string]): Promise<Outcome<Input>> | Outcome<Input>;
  /** Calls the database: one round trip that admits the caller and answers (a second for a query's embedding). */
  query(context: QueryContext, input: Input): Promise<RpcOutcome<Admitted<Body>>>;
  /** Renders the answer, or the problem in its place; null where there is nothing with that id. */
  render(body: Body, input: Input, context: RenderContext): Answer | { problem: Problem } | null;
}

/** Checks that a route's parts agree, then erases their types, so that routes of different types share a list. */
export function route<Input, Body>(definition: Route<Input, Body>): Route {
  return definition as unknown as Route;
}

/** How a request ended, and for which caller, if the database recognised one. */
type Result =
  | { problem: Problem; admission?: Admission | undefined; keyHash?: string | undefined }
  | { answer: Answer; admission: Admission };

/**
 * Makes an endpoint of its routes: finds the route, reads the API key, parses the request, queries the database, renders
 * the answer, and counts the request once the answer is on its way.
 *
 * @param name the function's name, which is the first segment of its path.
 */
export function createEndpoint(name: string, routes: readonly Route[], options?: HandlerOptions): Handler {
  const respond = async (
    context: RequestContext,
    { route, parameters }: { route: Route; parameters: PathParameters },
    runtime: Runtime,
  ) => {
    const result = await handle(route, Object.values(parameters), context, runtime);
    const { admission } = result;
    context.apiKeyId = admission?.api_key_id;
    const response =
      "problem" in result
        ? respondProblem(context, result.problem, admission)
        : await respondAnswer(context, result.answer, result.admission);
    const caller = admission === undefined ? callerOf5xx(result) : { api_key_id: admission.api_key_id };
    if (caller !== undefined) {
      const { elapsedMs } = context;
      runtime.waitUntil(
        runtime.usage.record({
          ...caller,
          at: new Date().toISOString(),
          endpoint: `${name}${route.path}`,
          status: response.status,
          latency_bucket_ms: latencyBucketMs(elapsedMs),
          duration_ms: elapsedMs,
        }),
      );
    }
    return response;
  };
  return createHandler(name, routes, respond, options);
}

async function handle(
  route: Route,
  segments: readonly string[],
  context: RequestContext,
  runtime: Runtime,
): Promise<Result> {
  const { request } = context;
  const key = await readApiKey(request, runtime.keyHashes);
  if (!key.ok) return { problem: key.problem };
  const keyHash = key.value;
  const database = requestDatabase(context, runtime, keyHash);

  const input = await route.parse(request, segments[0] ?? "", segments[1] ?? "");
  // An unknown key comes before invalid parameters, and a known caller's invalid request counts against the quota.
  const outcome = input.ok
    ? await route.query(
        {
          database,
          streamDatabase: streamDatabase(runtime, keyHash),
          embeddings: context.timedEmbedder(runtime.embeddings),
          lists: runtime.lists,
          snapshots: runtime.snapshots,
          keyHash,
          warn: (warning) => context.warn(warning),
        },
        input.value,
      )
    : await database.call("admit_request", { key_hash: keyHash });

  if (!outcome.ok) {
    if (outcome.failure.code === "PT400") return refuseParameter(outcome.failure, route, keyHash, database);
    const refusal = problemForFailure(outcome.failure, new Date());
    if (problemStatus(refusal.problem.name) >= 500) {
      context.error = `${outcome.failure.code} ${outcome.failure.message}`;
    }
    return { ...refusal, keyHash };
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
  return "problem" in answer ? { ...answer, admission } : { answer, admission };
}

/**
 * Refuses a parameter that only the database could find wrong; its hint names the parameter. The failure rolled back the
 * admission, so the request is counted anew, like any other invalid one.
 */
async function refuseParameter(
  { hint, message }: RpcFailure,
  { parameterNames = {} }: Route,
  keyHash: string,
  database: RpcClient,
): Promise<Result> {
  const admitted = await database.call("admit_request", { key_hash: keyHash });
  if (!admitted.ok) return { ...problemForFailure(admitted.failure, new Date()), keyHash };
  const name = hint ?? "";
  const problem = invalidParameters([{ parameter: parameterNames[name] ?? name, message }]);
  return { problem, admission: admitted.value.admission };
}

/** The caller to charge a 5xx to, or undefined if the key is unknown. */
function callerOf5xx(result: Result): { key_hash: string } | undefined {
  if (!("problem" in result) || result.keyHash === undefined) return undefined;
  return problemStatus(result.problem.name) >= 500 ? { key_hash: result.keyHash } : undefined;
}
