import { readCredential } from "../auth/credential.ts";
import type { Admission } from "../database/rpc.ts";
import { preflightHeaders, requestId } from "../http/headers.ts";
import { type Problem, problemStatus } from "../http/problems.ts";
import { limitedDatabase } from "../overload/limited-database.ts";
import type { Handler, Runtime } from "../runtime.ts";
import { latencyBucketMs } from "../usage/latency.ts";
import { recorderFor } from "../usage/recorder.ts";
import { refusalFor } from "./failures.ts";
import { findRoute } from "./find-route.ts";
import { logError, logWarning } from "./log.ts";
import { type Exchange, respondAnswer, respondEmpty, respondProblem } from "./respond.ts";
import type { Answer, Route } from "./route.ts";

/** How a request ended, and for whom, where the database recognised the caller. */
type Ending =
  | { problem: Problem; admission?: Admission | undefined; keyHash?: string | undefined }
  | { answer: Answer; admission: Admission };

/**
 * Makes an endpoint of its routes: finds the route, reads the key, checks the request, asks the
 * database once, answers, and counts the request when the answer is on its way.
 *
 * @param name the function's name, which is the first segment of its path.
 */
export function createEndpoint(name: string, routes: readonly Route[]): Handler {
  return async (request, runtime) => {
    const started = performance.now();
    const exchange: Exchange = { request, requestId: requestId(request) };
    const found = findRoute(name, routes, request);

    if ("problem" in found) return respondProblem(exchange, found.problem);
    if ("methods" in found) return respondEmpty(exchange, preflightHeaders(found.methods));

    let ending: Ending;
    try {
      ending = await handle(found.route, found.parameters.id ?? "", exchange, runtime, started);
    } catch (error) {
      logError(exchange.requestId, name, String(error));
      ending = { problem: { name: "server-error", detail: "Something went wrong on our side." } };
    }
    const { admission } = ending;
    const response =
      "problem" in ending
        ? respondProblem(exchange, ending.problem, admission)
        : await respondAnswer(exchange, ending.answer, ending.admission);
    const caller = admission === undefined ? callerOf(ending) : { api_key_id: admission.api_key_id };
    if (caller !== undefined) {
      runtime.waitUntil(
        recorderFor(runtime.database).record({
          ...caller,
          at: new Date().toISOString(),
          endpoint: found.route.path === "" ? name : `${name}/{id}`,
          status: response.status,
          latency_bucket_ms: latencyBucketMs(performance.now() - started),
        }),
      );
    }
    return response;
  };
}

async function handle(
  route: Route,
  id: string,
  exchange: Exchange,
  runtime: Runtime,
  started: number,
): Promise<Ending> {
  const { request } = exchange;
  const { embeddings, lists } = runtime;
  const credential = await readCredential(request);
  if (!credential.ok) return { problem: credential.problem };
  const keyHash = credential.value;

  const warn = (warning: string) => logWarning(exchange.requestId, new URL(request.url).pathname, warning);
  const input = await route.read(request, id);
  const database = limitedDatabase(runtime.database, runtime.limit);
  // A request that is wrong is still the caller's: an unknown key comes first, and it counts.
  const outcome = input.ok
    ? await route.ask({ database, embeddings, lists, keyHash, warn }, input.value)
    : await database.call("admit_request", { key_hash: keyHash });

  if (!outcome.ok) {
    const refusal = refusalFor(outcome.failure, new Date());
    if (refusal.problem.name === "server-error") {
      logError(exchange.requestId, new URL(request.url).pathname, `${outcome.failure.code} ${outcome.failure.message}`);
    }
    return { ...refusal, keyHash };
  }
  const { admission, body } = outcome.value;
  if (!input.ok) return { problem: input.problem, admission };

  const answer = route.show(body, input.value, {
    elapsedMs: performance.now() - started,
    documentationUrl: runtime.documentationUrl,
  });
  if (answer === null) {
    return { problem: { name: "not-found", detail: `There is no record with the id ${id}.` }, admission };
  }
  return { answer, admission };
}

/** Whose request our own failure was. A key that was refused as unknown is nobody's. */
function callerOf(ending: Ending): { key_hash: string } | undefined {
  if (!("problem" in ending) || ending.keyHash === undefined) return undefined;
  return problemStatus(ending.problem.name) >= 500 ? { key_hash: ending.keyHash } : undefined;
}
