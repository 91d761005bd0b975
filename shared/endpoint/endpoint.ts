import { readCredential } from "../auth/credential.ts";
import type { Admission } from "../database/rpc.ts";
import { type Problem, problemStatus } from "../http/problems.ts";
import type { Handler, Runtime } from "../runtime.ts";
import { latencyBucketMs } from "../usage/latency.ts";
import type { Exchange } from "./exchange.ts";
import { refusalFor } from "./failures.ts";
import { createHandler } from "./handler.ts";
import { respondAnswer, respondProblem } from "./respond.ts";
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
  return createHandler(name, routes, async (exchange, { route, parameters }, runtime: Runtime) => {
    const ending = await handle(route, parameters.id ?? "", exchange, runtime);
    const { admission } = ending;
    exchange.apiKeyId = admission?.api_key_id;
    const response =
      "problem" in ending
        ? respondProblem(exchange, ending.problem, admission)
        : await respondAnswer(exchange, ending.answer, ending.admission);
    const caller = admission === undefined ? callerOf(ending) : { api_key_id: admission.api_key_id };
    if (caller !== undefined) {
      const { elapsedMs } = exchange;
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
  });
}

async function handle(route: Route, id: string, exchange: Exchange, runtime: Runtime): Promise<Ending> {
  const { request } = exchange;
  const { lists } = runtime;
  const database = exchange.databaseOf(runtime);
  const embeddings = exchange.embedderOf(runtime);
  const credential = await readCredential(request);
  if (!credential.ok) return { problem: credential.problem };
  const keyHash = credential.value;

  const input = await route.read(request, id);
  // A request that is wrong is still the caller's: an unknown key comes first, and it counts.
  const outcome = input.ok
    ? await route.ask({ database, embeddings, lists, keyHash, warn: (warning) => exchange.warn(warning) }, input.value)
    : await database.call("admit_request", { key_hash: keyHash });

  if (!outcome.ok) {
    const refusal = refusalFor(outcome.failure, new Date());
    if (problemStatus(refusal.problem.name) >= 500) {
      exchange.error = `${outcome.failure.code} ${outcome.failure.message}`;
    }
    return { ...refusal, keyHash };
  }
  const { admission, body } = outcome.value;
  if (!input.ok) return { problem: input.problem, admission };

  const answer = route.show(body, input.value, {
    elapsedMs: exchange.elapsedMs,
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
