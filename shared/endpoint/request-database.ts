import type { RpcClient, RpcFailure } from "../database/rpc.ts";
import type { ConcurrencyLimit } from "../overload/concurrency-limit.ts";
import type { Runtime } from "../runtime.ts";
import type { RequestContext } from "./request-context.ts";

/** Failure of a call that was not made, because too many others were under way. */
export const overloaded: RpcFailure = {
  code: "OVERLOAD",
  message: "too many calls are under way",
  details: null,
  hint: null,
};

type Needs = Pick<Runtime, "database" | "limit" | "clientAddress">;

/**
 * RPC client of one request: limited and timed. A call passes the wrappers from the outermost in.
 *
 * @param caller holder of the permits that the request uses: the key's hash, since the account is known to the database alone; in
 *   the account API, the user's id.
 * @param accountId account that a request of the account API names.
 */
export function requestDatabase(
  context: RequestContext,
  runtime: Needs,
  caller: string,
  accountId?: string,
): RpcClient {
  return limited(context.timedDatabase(fromClient(runtime, accountId)), runtime.limit, context, caller);
}

/** Adds the client's address, which is the runtime's, and the account to each call. Nothing else of the request is passed on. */
function fromClient({ database, clientAddress }: Needs, accountId?: string): RpcClient {
  return { call: (name, parameters) => database.call(name, parameters, clientAddress, accountId) };
}

/**
 * RPC client of an answer whose body has begun. Each call waits for its turn, longer than other calls and through an overload: a reader of
 * many long answers would otherwise keep all other callers out. Its time is in no header: those have been sent.
 *
 * @param signal ends the wait when the answer was given up.
 */
export function streamDatabase(runtime: Needs, caller: string, signal: AbortSignal): RpcClient {
  const { limit } = runtime;
  const database = fromClient(runtime);
  return {
    async call(name, parameters) {
      const release = await limit.acquireForStream(caller, signal);
      if (release === undefined) return { ok: false, failure: overloaded };
      try {
        return await database.call(name, parameters);
      } finally {
        // Its first part was answered, so the caller is known: it stays active from part to part.
        limit.noteAnswer(caller);
        release();
      }
    },
  };
}

/** Waits for a permit before the first call, which may be refused. Further calls belong to a request that was admitted. */
function limited(database: RpcClient, limit: ConcurrencyLimit, context: RequestContext, caller: string): RpcClient {
  let isAdmitted = false;
  return {
    async call(name, parameters) {
      const release = isAdmitted ? limit.acquireNow(caller) : await context.time("queue", limit.acquire(caller));
      if (release === undefined) return { ok: false, failure: overloaded };
      isAdmitted = true;
      try {
        return await database.call(name, parameters);
      } finally {
        release();
      }
    },
  };
}
