import type { Connection } from "../../database/connection.ts";
import type { Caller, Callers } from "./callers.ts";
import { knownLists, unseenMoment, unseenSpelling } from "./lists.ts";

/** One request of the mix, and what is right. */
export interface Shot {
  kind: string;
  /** The account in whose usage it counts, if any. */
  caller?: Caller;
  /** After `/functions/v1`. */
  path: string;
  init: RequestInit;
  /** The answer's status; 503 is right as well where more is asked than can be done. */
  status: number;
  /** The whole body, less what differs from one answer to the next; undefined for a problem. */
  body?: string;
}

/** Makes the requests of the mix: the same kinds in the same shares, in an order that repeats. None asks for contracts. */
export interface Mix {
  next(): Shot;
  /** The requests with a body, each once. */
  known: Shot[];
}

/** Members of an answer that differ each time. */
export function comparable(body: string): string {
  return body.replace(/"response_time_ms":[\d.]+/, '"response_time_ms":0');
}

const searches = ["clean water for rural towns", "youth job training", "energy research at universities"];
const keywords = ["water", "community health", "research -training", "school*"];

/**
 * Asks every request of the mix once, while nothing else is asked. Records, order and total of each list are held
 * against SQL written by hand; what a search ranks first is not known that way, and is what the quiet service says.
 *
 * @param limited gives the caller with a quota, who changes from phase to phase.
 */
export async function prepareMix(
  baseUrl: string,
  connection: Connection,
  callers: Callers,
  limited: () => Caller,
): Promise<Mix> {
  const [first, second] = callers.developers;
  const ids = await connection.query<{ id: string }>(
    "select id from funding.grants where classification = 'opportunity' and archived_at is null order by id limit 20",
  );
  const get = (caller: Caller, kind: string, path: string, status = 200): Shot => ({
    kind,
    caller,
    path,
    init: { headers: { authorization: `Bearer ${caller.key}` } },
    status,
  });
  const known: Shot[] = [];
  const learn = async (shot: Shot): Promise<Shot> => {
    const response = await fetch(baseUrl + shot.path, shot.init);
    const body = comparable(await response.text());
    if (response.status !== shot.status) throw new Error(`${shot.path}: ${response.status} ${body}`);
    const learned = { ...shot, body };
    known.push(learned);
    return learned;
  };

  const lists: Shot[] = [];
  for (const { query, where, order } of knownLists) {
    const shot = await learn(get(first, "list", `/grants-api?${query}`));
    const answer = JSON.parse(shot.body ?? "") as { results: { id: string }[]; pagination: { total: number } };
    const right = await connection.query<{ id: string; total: number }>(
      `select id, count(*) over ()::integer as total from funding.grants where ${where} order by ${order} limit 20`,
    );
    const isRight =
      JSON.stringify(answer.results.map(({ id }) => id)) === JSON.stringify(right.map(({ id }) => id)) &&
      answer.pagination.total === (right[0]?.total ?? 0);
    if (!isRight) throw new Error(`${shot.path} is wrong before there is any load`);
    lists.push(shot);
  }
  const singles: Shot[] = [];
  for (const { id } of ids) {
    const shot = await learn(get(second, "single", `/grants-api/${id}`));
    if ((JSON.parse(shot.body ?? "") as { id: string }).id !== id) throw new Error(`${shot.path} is another record`);
    singles.push(shot);
  }
  const ranked: Shot[] = [];
  for (const [mode, words] of [
    ...keywords.map((each) => ["keyword", each] as const),
    ...searches.flatMap((each) => [["semantic", each] as const, ["hybrid", each] as const]),
  ]) {
    ranked.push(
      await learn(get(second, mode, `/grants-api?search=${encodeURIComponent(words)}&search_mode=${mode}&limit=10`)),
    );
  }
  const others = [
    await learn(get(first, "facets", "/grants-api?facets=status,category&limit=5")),
    await learn(get(first, "count", "/grants-api?count_only=true&opportunity_type=all")),
    await learn(get(second, "csv", "/grants-api?format=csv&limit=50")),
    await learn(get(second, "funders", "/funders-api?search=health&limit=20")),
  ];
  const posted: Shot[] = [];
  for (const words of searches) {
    const { init, ...shot } = get(first, "semantic-search", "/semantic-search");
    const headers = { ...(init.headers as Record<string, string>), "content-type": "application/json" };
    posted.push(
      await learn({
        ...shot,
        init: { method: "POST", headers, body: JSON.stringify({ query: words, type: "grants", limit: 10 }) },
      }),
    );
  }
  const single = singles[0] as Shot;
  const etag = (await fetch(baseUrl + single.path, single.init)).headers.get("etag") ?? "";
  const keyed = (kind: string, key: string, status: number, path = "/grants-api?limit=1"): Shot => ({
    kind,
    path,
    init: { headers: { authorization: `Bearer ${key}` } },
    status,
  });

  // The learning was asked on the callers' keys; usage is compared from what is counted after it.
  let count = 0;
  const turn = <Item>(items: readonly Item[]) => items[count % items.length] as Item;
  const newList = (): Shot => {
    const shot = turn(lists);
    return { ...shot, kind: "list, new", path: `${shot.path}&posted_after=${unseenMoment(count)}` };
  };
  const newSearch = (): Shot => {
    const index = count % searches.length;
    const words = unseenSpelling(searches[index] ?? "", count);
    const shot = ranked[keywords.length + 2 * index + 1] as Shot;
    const path = `/grants-api?search=${encodeURIComponent(words)}&search_mode=hybrid&limit=10`;
    return { ...shot, kind: "hybrid, new", path };
  };
  const makers: [share: number, make: () => Shot][] = [
    [22, () => turn(lists)],
    [12, newList],
    [14, () => turn(singles)],
    [12, () => turn(ranked)],
    [6, newSearch],
    [4, () => turn(posted)],
    [6, () => turn(others)],
    [
      4,
      () => {
        const headers = { ...(single.init.headers as Record<string, string>), "if-none-match": etag };
        return { ...single, kind: "not modified", init: { headers }, status: 304, body: "" };
      },
    ],
    [3, () => get(second, "not found", `/grants-api/${crypto.randomUUID()}`, 404)],
    [3, () => get(first, "invalid", "/grants-api?limit=0", 400)],
    [2, () => keyed("malformed key", callers.malformedKey, 401)],
    [3, () => keyed("unknown key", callers.unknownKey, 401)],
    [3, () => get(callers.free, "no access", "/grants-api?limit=1", 403)],
    [6, () => ({ ...(lists[0] as Shot), ...pick(limited()), kind: "limited" })],
  ];
  const pick = (caller: Caller) => ({ caller, init: { headers: { authorization: `Bearer ${caller.key}` } } });
  const order = shuffled(makers.flatMap(([share, make]) => Array.from({ length: share }, () => make)));
  return {
    known,
    next() {
      count += 1;
      return (order[count % order.length] as () => Shot)();
    },
  };
}

/** In an order that looks drawn by lot and is the same each time. */
function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item, index) => ({ item, lot: ((index + 1) * 2_654_435_761) % 4_294_967_296 }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ item }) => item);
}
