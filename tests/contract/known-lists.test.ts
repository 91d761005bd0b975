import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount, defineTier } from "../../database/accounts/accounts.ts";
import { createKey, revokeKey } from "../../database/accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

/** Lists that were asked before, by many at once: requests that may share a call of the database. */
const target = contractTarget();
const canRun = needs("signIn");
const quota = 6;
const paths = [
  "/grants-api?limit=5&sort_by=title&order=asc",
  "/contracts-api?limit=3",
  "/funders-api?limit=4",
  "/grants-api?limit=5&search=health+education&search_mode=hybrid",
  "/grants-api?limit=5&search=water&sort_by=relevance",
];

let connection: Connection;
let keys: Record<"one" | "other" | "metered" | "revoked", string>;
/** The answer for each path, without the members that differ each time. */
let bodies: Map<string, string>;

beforeAll(async () => {
  if (!canRun) return;
  const people = target.people();
  if (people === undefined) throw new Error("there is no connection to the database");
  ({ connection } = people);
  await defineTier(connection, "known-lists", quota);
  const revoked = await newKey("developer");
  await revokeKey(connection, revoked.id);
  keys = {
    one: (await newKey("developer")).key,
    other: (await newKey("developer")).key,
    metered: (await newKey("known-lists")).key,
    revoked: revoked.key,
  };
  bodies = new Map();
  for (const path of paths) bodies.set(path, (await asked(path, keys.one)).body);
});

async function newKey(tier: string): Promise<{ id: string; key: string }> {
  const email = `${crypto.randomUUID()}@known-lists.example`;
  await createAccount(connection, email, tier);
  return createKey(connection, email, "test");
}

async function asked(path: string, key: string) {
  const response = await target.send(path, {}, { key });
  const body = (await response.text()).replace(/"response_time_ms":[\d.]+/, "");
  return { status: response.status, remaining: response.headers.get("x-ratelimit-remaining"), body, path };
}

/** Of four keys at once: as many as a machine that is busy answers before it refuses the last. */
const callsOfEach = 10;

test("each of many concurrent callers is answered as if alone, and a quota is exact to its last request", async () => {
  const turns = Array.from({ length: callsOfEach }, (_, turn) => paths[turn % paths.length] ?? "");
  const [one, other, metered, revoked] = await Promise.all(
    [keys.one, keys.other, keys.metered, keys.revoked].map((key) => Promise.all(turns.map((path) => asked(path, key)))),
  );
  for (const { status, remaining, body, path } of [...(one ?? []), ...(other ?? [])]) {
    expect([status, remaining, body]).toEqual([200, "-1", bodies.get(path)]);
  }
  const admitted = (metered ?? []).filter(({ status }) => status === 200);
  expect(admitted.map(({ remaining }) => Number(remaining)).toSorted((a, b) => a - b)).toEqual([
    ...Array(quota).keys(),
  ]);
  for (const { body, path } of admitted) expect(body).toBe(bodies.get(path));
  const refused = (metered ?? []).filter(({ status }) => status !== 200);
  expect(refused.map(({ status, remaining }) => [status, remaining])).toEqual(
    Array(callsOfEach - quota).fill([429, "0"]),
  );
  expect((revoked ?? []).map(({ status }) => status)).toEqual(Array(callsOfEach).fill(401));
});

interface Total {
  results: { id: string }[];
  pagination: { total: number };
}

let archivedId: string | undefined;
const archive = (moment: string) =>
  connection.query(`update funding.grants set archived_at = ${moment} where id = $1`, [archivedId]);
afterAll(() => (archivedId === undefined ? undefined : archive("null")));

test("many concurrent callers all see that a record was archived just before, in the total too", async () => {
  const [path = ""] = paths;
  const before = (await (await target.send(path, {}, { key: keys.one })).json()) as Total;
  archivedId = before.results[0]?.id;
  await archive("now()");
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, turn) => {
      const response = await target.send(path, {}, { key: turn % 2 === 0 ? keys.one : keys.other });
      return (await response.json()) as Total;
    }),
  );
  for (const { results, pagination } of answers) {
    expect(pagination.total).toBe(before.pagination.total - 1);
    expect(results.map(({ id }) => id)).not.toContain(archivedId);
  }
});
