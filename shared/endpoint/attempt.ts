import type { Admission, Admitted, RpcClient, RpcFailure } from "../database/rpc.ts";
import type { AnswerStream } from "./answer-stream.ts";

/** A request under way: the facts that are known if it ends with an exception. */
export interface Attempt {
  caller?: { keyHash: string; database: RpcClient };
  input?: unknown;
  /** Of the call that the database admitted, and so counted; of its withdrawal, if there was one. */
  admission?: Admission | undefined;
  isWithdrawn?: boolean;
  /** Streamed answer that was opened for it. */
  stream?: AnswerStream;
}

/** RPC client that notes in the attempt the admitted caller, and whether the count was taken back. */
export function noteAdmission(database: RpcClient, attempt: Attempt): RpcClient {
  return {
    async call(name, parameters) {
      const outcome = await database.call(name, parameters);
      if (!outcome.ok) return outcome;
      const { admission } = outcome.value as Partial<Admitted<unknown>>;
      if (name === "withdraw_request") Object.assign(attempt, { admission, isWithdrawn: true });
      // A second call counts nothing, and does not say on which day the first was counted.
      else attempt.admission ??= admission;
      return outcome;
    },
  };
}

/** Takes the count of an attempt back that failed on our side. @returns the admission, if the caller is known. */
export async function withdrawAttempt({ caller, admission, isWithdrawn }: Attempt): Promise<Admission | undefined> {
  if (caller === undefined || admission === undefined || isWithdrawn === true) return admission;
  const failure = { code: "", message: "", details: null, hint: null };
  const { details } = await withdrawRequest(caller, admission, failure);
  return details === null ? admission : (JSON.parse(details) as Admission);
}

/**
 * Takes the count of a request back that failed on our side after the RPC that counted it, from the day that it was counted on where
 * the admission names it: midnight UTC may have passed since.
 *
 * @returns the failure with the admission in its details, as a refusal by the first RPC has it; without, if the count could not be taken back.
 */
export async function withdrawRequest(
  { database, keyHash }: { database: RpcClient; keyHash: string },
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
