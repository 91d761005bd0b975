import { Batcher } from "./batcher.ts";
import type { ListConfirmation, ListRpc, QueryVector, RpcClient, RpcOutcome, Rpcs } from "./rpc.ts";

type ListOutcome = RpcOutcome<Rpcs[ListRpc]["result"]>;

/** A call for a list that the caller knows. */
interface KnownListCall {
  /** As `confirm_lists` takes it. */
  request: { dataset: string; key_hash: string; parameters: object; known_tag: string };
  /** Asks the list's own RPC. */
  alone(): Promise<ListOutcome>;
}

const datasets: Readonly<Record<ListRpc, string>> = {
  list_grants: "grants",
  list_contracts: "contracts",
  list_funders: "funders",
};

/**
 * By `npm run bench -- --only list`: one at once took 0.32 ms of CPU a request, two 0.36, three 0.36 and no batches 0.77.
 * But with one, two callers waited for each other: 1,240 requests a second, where with two it is 1,490 and without
 * batches 1,580. As many as an edge function lets in by default may go together. Ten milliseconds are several calls of
 * a database that is near, and all that one that is far, or busy, can add to a wait.
 */
const batching = { atOnce: 2, size: 32, slowMs: 10 };

/**
 * A client whose calls for lists that the callers know share round trips when several are under way: the database then
 * only admits and counts each request, and says that its list is what it was. Where it is not, the list's own RPC is asked
 * after all. A call that has no company goes to it at once.
 *
 * Batches make no lists, so what one call takes is nothing to the others.
 */
export function sharingConfirmations(database: RpcClient): RpcClient {
  const calls = new Batcher<KnownListCall, ListOutcome | null>(async (batch) => {
    const [first, ...others] = batch;
    if (first !== undefined && others.length === 0) return [await first.alone()];
    const outcome = await database.call("confirm_lists", { requests: batch.map(({ request }) => request) });
    return outcome.ok ? outcome.value.map(confirmed) : batch.map(() => outcome);
  }, batching);

  return {
    async call<Name extends keyof Rpcs>(name: Name, parameters: Rpcs[Name]["arguments"]) {
      const alone = () => database.call(name, parameters);
      const request = isList(name) ? requestOf(name, parameters as Rpcs[ListRpc]["arguments"]) : undefined;
      if (request === undefined) return alone();
      const outcome = await calls.ask({ request, alone: alone as KnownListCall["alone"] });
      return outcome === null ? alone() : (outcome as RpcOutcome<Rpcs[Name]["result"]>);
    },
  };
}

function isList(name: keyof Rpcs): name is ListRpc {
  return Object.hasOwn(datasets, name);
}

/** The request of a call for a list that the caller knows, unless an earlier call has counted it. */
function requestOf(
  list: ListRpc,
  { key_hash, parameters, query_vector, known_tag }: Rpcs[ListRpc]["arguments"],
): KnownListCall["request"] | undefined {
  if (known_tag === undefined || (query_vector as QueryVector | undefined)?.is_second_call) return undefined;
  return { dataset: datasets[list], key_hash, parameters, known_tag };
}

function confirmed(answer: ListConfirmation): ListOutcome | null {
  if (answer === null) return null;
  return "failure" in answer ? { ok: false, failure: answer.failure } : { ok: true, value: answer };
}
