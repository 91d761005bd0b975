import type { Admission, RpcFailure } from "../database/rpc.ts";
import type { QueryContext } from "./endpoint.ts";

/**
 * Takes the count of a request back that failed on our side after the RPC that counted it, from the day that it was counted on where
 * the admission names it: midnight UTC may have passed since.
 *
 * @returns the failure with the admission in its details, as a refusal by the first RPC has it; without, if the count could not be taken back.
 */
export async function withdrawRequest(
  { database, keyHash }: Pick<QueryContext, "database" | "keyHash">,
  admission: Admission,
  failure: RpcFailure,
): Promise<RpcFailure> {
  const { counted_on, remaining } = admission;
  if (counted_on === null || remaining === -1) return { ...failure, details: JSON.stringify(admission) };
  const outcome = await database.call("withdraw_request", {
    key_hash: keyHash,
    ...(counted_on !== undefined && { counted_on }),
  });
  return outcome.ok ? { ...failure, details: JSON.stringify(outcome.value.admission) } : failure;
}
