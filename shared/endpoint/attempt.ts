import type { Admission, Admitted, RpcClient } from "../database/rpc.ts";
import { withdrawRequest } from "./withdraw-request.ts";

/** A request under way: the facts that are known if it ends with an exception. */
export interface Attempt {
  caller?: { keyHash: string; database: RpcClient };
  input?: unknown;
  /** Of the call that the database admitted, and so counted; of its withdrawal, if there was one. */
  admission?: Admission | undefined;
  isWithdrawn?: boolean;
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
