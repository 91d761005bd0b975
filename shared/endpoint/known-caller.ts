import { readApiKey } from "../auth/credential.ts";
import { type Problem, problemStatus } from "../http/problems.ts";
import type { ReadRuntime } from "../runtime.ts";
import { problemForFailure } from "./database-failures.ts";
import type { RequestContext } from "./request-context.ts";
import { requestDatabase } from "./request-database.ts";

/**
 * Refuses callers whose key is unknown, without counting a request. For endpoints that make requests of other endpoints, which count. A key without API
 * access is known, and so is one that is limited to other addresses: those endpoints tell it so.
 *
 * @returns undefined where the caller may go on.
 */
export async function refuseUnknownCaller(context: RequestContext, runtime: ReadRuntime): Promise<Problem | undefined> {
  const credential = await readApiKey(context.request, runtime.keyHashes);
  if (!credential.ok) return credential.problem;
  const keyHash = credential.value;
  const outcome = await requestDatabase(context, runtime, keyHash).call("identify_key", { key_hash: keyHash });
  if (outcome.ok) {
    context.apiKeyId = outcome.value.admission.api_key_id;
    return undefined;
  }
  const { problem, admission } = problemForFailure(outcome.failure, new Date());
  context.apiKeyId = admission?.api_key_id;
  if (problemStatus(problem.name) >= 500) context.error = `${outcome.failure.code} ${outcome.failure.message}`;
  return problemStatus(problem.name) === 403 ? undefined : problem;
}
