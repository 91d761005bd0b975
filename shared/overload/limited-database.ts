import type { RpcClient, RpcFailure } from "../database/rpc.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";

/** The failure of a call that was not made, because too many others were under way. */
export const overloaded: RpcFailure = {
  code: "OVERLOAD",
  message: "too many calls are under way",
  details: null,
  hint: null,
};

/**
 * The database as one request has it: its first call waits for a place, and may be refused; those that follow are the
 * rest of a request that was let in.
 */
export function limitedDatabase(database: RpcClient, limit: Pick<ConcurrencyLimit, "enter" | "take">): RpcClient {
  let isLetIn = false;
  return {
    async call(name, parameters) {
      const release = isLetIn ? limit.take() : await limit.enter();
      if (release === undefined) return { ok: false, failure: overloaded };
      isLetIn = true;
      try {
        return await database.call(name, parameters);
      } finally {
        release();
      }
    },
  };
}
