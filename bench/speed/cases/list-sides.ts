import { hashKey } from "../../../shared/auth/key.ts";
import { bearer } from "../http/api.ts";
import { type PostgRest, rawHeaders } from "../http/postgrest.ts";
import { callRpc, get } from "../http/requests.ts";
import {
  filtersOfSeveral,
  type ListRequest,
  listRequests,
  makeNewFilter,
  makeNewRequest,
  readParameters,
} from "../list-requests.ts";
import type { SpeedKeys } from "../speed-case.ts";
import type { LoadedSide } from "../under-load.ts";

interface Servers {
  postgrest: PostgRest;
  /** Base URLs of the whole API, and of the function over a database with a constant answer. */
  api: string;
  functionAlone: string;
  keys: SpeedKeys;
}

/** Makes every side that serves a list. */
export async function createListSides({ postgrest, api, functionAlone, keys }: Servers) {
  const key = bearer(keys.unlimited);
  const keyHash = await hashKey(keys.unlimited);
  const raw = rawHeaders(postgrest);
  const counting = { ...raw, prefer: "count=exact" };
  // Counts new lists for all sides together, since the API caches its answers.
  let newLists = 0;

  const fromApi = ({ api: query }: ListRequest, headers = key) => get(`${api}/grants-api${query}`, headers);
  const fromTable = ({ postgrest: query }: ListRequest, headers: Record<string, string>) =>
    get(`${postgrest.url}/grants${query}`, headers);
  const rpcParameters = listRequests.map(({ api: query }) => readParameters(query));

  return {
    api: { name: "api", run: (count: number) => fromApi(listAt(count)) },
    metered: { name: "api, with a quota", run: (count: number) => fromApi(listAt(count), bearer(keys.metered)) },
    postgrest: { name: "postgrest", run: (count: number) => fromTable(listAt(count), raw) },
    counted: { name: "postgrest, count=exact", run: (count: number) => fromTable(listAt(count), counting) },
    newLists: { name: "api, new lists", run: () => fromApi(makeNewRequest(newLists++)) },
    newListsOfPostgrest: {
      name: "postgrest, new lists",
      run: () => fromTable(makeNewRequest(newLists++), raw),
    },
    newListsCounted: {
      name: "postgrest, count=exact, new lists",
      run: () => fromTable(makeNewRequest(newLists++), counting),
    },
    oneValue: {
      name: "one value",
      run: (count: number) => get(`${api}/grants-api${makeNewFilter(filtersAt(count).one, newLists++)}`, key),
    },
    severalValues: {
      name: "several values, others excluded",
      run: (count: number) => get(`${api}/grants-api${makeNewFilter(filtersAt(count).several, newLists++)}`, key),
    },
    rpc: {
      name: "the rpc alone",
      run: (count: number) =>
        callRpc(postgrest, "public", "list_grants", {
          key_hash: keyHash,
          parameters: rpcParameters[count % rpcParameters.length],
        }),
    },
    constantRpc: {
      name: "an rpc with a constant answer",
      run: () => callRpc(postgrest, "bench", "constant_page", { key_hash: keyHash, parameters: {} }),
    },
    functionAlone: {
      name: "the function with a constant answer",
      run: (count: number) => get(`${functionAlone}/grants-api${listAt(count).api}`, key),
    },
  } satisfies Record<string, LoadedSide<string>>;
}

/** Name of a side in the code. */
export type ListSide = keyof Awaited<ReturnType<typeof createListSides>>;

/** Checks the comparison. @throws when the API and PostgREST do not list the same records in the same order. */
export async function checkSameRecords(sides: Awaited<ReturnType<typeof createListSides>>): Promise<void> {
  for (const [index, { api }] of listRequests.entries()) {
    const ours = JSON.parse(await sides.api.run(index)) as { results: { id: string }[] };
    const theirs = JSON.parse(await sides.postgrest.run(index)) as { id: string }[];
    const ids = (records: { id: string }[]) => records.map(({ id }) => id).join();
    if (ids(ours.results) !== ids(theirs)) throw new Error(`${api}: PostgREST lists other records than the API`);
  }
}

function filtersAt(count: number) {
  return filtersOfSeveral[count % filtersOfSeveral.length] ?? { one: "", several: "" };
}

function listAt(count: number): ListRequest {
  return listRequests[count % listRequests.length] ?? { api: "", postgrest: "" };
}
