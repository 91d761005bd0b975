import { hashKey } from "../../../shared/auth/key.ts";
import { bearer } from "../http/api.ts";
import { type PostgRest, rawHeaders } from "../http/postgrest.ts";
import { callRpc, get } from "../http/requests.ts";
import { type ListRequest, listRequests, unseenRequest } from "../list-requests.ts";
import { parametersOf } from "../parameters.ts";
import type { SpeedKeys } from "../records.ts";
import type { LoadedSide } from "../under-load.ts";

interface Servers {
  postgrest: PostgRest;
  /** Base URLs: of the whole API, and of the function over a database that answers a constant. */
  api: string;
  functionAlone: string;
  keys: SpeedKeys;
}

/** Everything that can be asked for a list. */
export async function listSides({ postgrest, api, functionAlone, keys }: Servers) {
  const key = bearer(keys.unlimited);
  const keyHash = await hashKey(keys.unlimited);
  const raw = rawHeaders(postgrest);
  const counting = { ...raw, prefer: "count=exact" };
  // New to every side: the API remembers what it answers.
  let newLists = 0;

  const fromApi = ({ api: query }: ListRequest, headers = key) => get(`${api}/grants-api${query}`, headers);
  const fromTable = ({ postgrest: query }: ListRequest, headers: Record<string, string>) =>
    get(`${postgrest.url}/grants${query}`, headers);
  const rpcParameters = listRequests.map(({ api: query }) => parametersOf(query));

  return {
    api: { name: "api", ask: (count: number) => fromApi(listAt(count)) },
    metered: { name: "api, with a quota", ask: (count: number) => fromApi(listAt(count), bearer(keys.metered)) },
    postgrest: { name: "postgrest", ask: (count: number) => fromTable(listAt(count), raw) },
    counted: { name: "postgrest, count=exact", ask: (count: number) => fromTable(listAt(count), counting) },
    newLists: { name: "api, new lists", ask: () => fromApi(unseenRequest(newLists++)) },
    newListsOfPostgrest: {
      name: "postgrest, new lists",
      ask: () => fromTable(unseenRequest(newLists++), raw),
    },
    newListsCounted: {
      name: "postgrest, count=exact, new lists",
      ask: () => fromTable(unseenRequest(newLists++), counting),
    },
    rpc: {
      name: "the rpc alone",
      ask: (count: number) =>
        callRpc(postgrest, "public", "list_grants", {
          key_hash: keyHash,
          parameters: rpcParameters[count % rpcParameters.length],
        }),
    },
    constantRpc: {
      name: "an rpc with a constant answer",
      ask: () => callRpc(postgrest, "bench", "constant_page", { key_hash: keyHash, parameters: {} }),
    },
    functionAlone: {
      name: "the function with a constant answer",
      ask: (count: number) => get(`${functionAlone}/grants-api${listAt(count).api}`, key),
    },
  } satisfies Record<string, LoadedSide<string>>;
}

/** The name in the code of something that can be asked for a list. */
export type ListSide = keyof Awaited<ReturnType<typeof listSides>>;

/** @throws when the API and PostgREST do not list the same records in the same order. */
export async function checkSameRecords(sides: Awaited<ReturnType<typeof listSides>>): Promise<void> {
  for (const [place, { api }] of listRequests.entries()) {
    const ours = JSON.parse(await sides.api.ask(place)) as { results: { id: string }[] };
    const theirs = JSON.parse(await sides.postgrest.ask(place)) as { id: string }[];
    const ids = (records: { id: string }[]) => records.map(({ id }) => id).join();
    if (ids(ours.results) !== ids(theirs)) throw new Error(`${api}: PostgREST lists other records than the API`);
  }
}

function listAt(count: number): ListRequest {
  return listRequests[count % listRequests.length] ?? { api: "", postgrest: "" };
}
