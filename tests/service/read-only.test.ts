import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashKey } from "../../shared/auth/key.ts";
import { openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let keyHash: string;
let limited: { keyHash: string; accountId: string };
let grant: string;
beforeAll(async () => {
  service = await openTestService();
  keyHash = await hashKey((await service.newKey()).key);
  const { key, keyId } = await service.newKey("five", 5);
  const [row] = await service.connection.query<{ account_id: string }>(
    "select account_id from funding.api_keys where id = $1",
    [keyId],
  );
  limited = { keyHash: await hashKey(key), accountId: row?.account_id ?? "" };
  const [first] = await service.connection.query<{ id: string }>(
    "select id from funding.grants order by created_at desc limit 1",
  );
  grant = first?.id ?? "";
});
afterAll(() => service.close());

interface Result {
  admission: { daily_quota: number; remaining: number | null };
  body: Record<string, unknown>;
}

/** Calls an RPC that reads as a replica does it: by `read_data`, in a transaction that cannot write. */
async function read(rpc: string, parameters: object, key_hash = keyHash): Promise<Result> {
  await service.connection.execute("begin transaction read only");
  try {
    const [row] = await service.connection.query<{ result: Result }>("select public.read_data($1, $2) as result", [
      rpc,
      JSON.stringify({ key_hash, ...parameters }),
    ]);
    if (row === undefined) throw new Error("no row");
    return row.result;
  } finally {
    await service.connection.execute("rollback");
  }
}

async function call(rpc: string, parameters: object): Promise<Result> {
  const outcome = await service.runtime.database.call(
    rpc as "get_grant",
    { key_hash: keyHash, ...parameters } as never,
  );
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value as unknown as Result;
}

const page = { limit: 5, offset: 0, sort_by: "created_at", order: "desc" };
const ranked = { limit: 5, offset: 0, sort_by: "relevance", order: "desc", search: "clean water" };
const lists: [name: string, parameters: object][] = [
  ["a list", page],
  ["a list with facets", { ...page, facets: ["status", "states"] }],
  ["a list whose total is counted", { ...page, search: '"clean water"' }],
  ["a count", { count_only: true, search: '"clean water"' }],
  ["a keyword search", { ...ranked, search_mode: "keyword" }],
  ["a semantic search", { ...ranked, search_mode: "semantic" }],
  ["a hybrid search, explained", { ...ranked, search_mode: "hybrid", explain: true }],
  ["the feed of changes", { ...page, sort_by: "updated_at", order: "asc" }],
];

describe("in a transaction that cannot write, the answer is the same:", () => {
  test.each(lists)("%s", async (_, parameters) => {
    const { body } = await read("list_grants", { parameters });
    expect(body).toEqual((await call("list_grants", { parameters })).body);
    // Again, now that it may be cached.
    expect((await read("list_grants", { parameters })).body).toEqual(body);
  });

  test.each([
    ["list_contracts", { parameters: page }],
    ["list_funders", { parameters: page }],
    ["semantic_search", { query: "clean water", datasets: ["grants", "contracts"], maximum: 3 }],
    ["list_addresses", { dataset: "grants" }],
    ["list_addresses", { dataset: "funders", part: "a" }],
  ])("%s", async (rpc, parameters) => {
    expect((await read(rpc, parameters)).body).toEqual((await call(rpc, parameters)).body);
  });

  test("single records, by what reads them, and their changes", async () => {
    for (const [rpc, more] of Object.entries({
      get_grant: {},
      get_changes: { dataset: "grants", maximum: 5 },
      list_awards: { parameters: { limit: 5 } },
    })) {
      const { body } = await read(rpc, { id: grant, ...more });
      expect(body).not.toBeNull();
      expect(body).toEqual((await call(rpc, { id: grant, ...more })).body);
    }
    for (const rpc of ["get_contract", "get_funder", "get_organization", "get_funder_statistics", "get_document"])
      expect((await read(rpc, { id: grant })).body).toBeNull();
  });

  test("an unchanged list is confirmed", async () => {
    const { body } = await read("list_grants", { parameters: page });
    expect(Object.keys((await read("list_grants", { parameters: page, if_none_match: body.tag })).body)).toEqual([
      "data_as_of",
    ]);
  });
});

describe("in a transaction that cannot write, nothing is counted:", () => {
  test("what remains of a quota is null, and an account without one is admitted", async () => {
    expect((await read("list_grants", { parameters: page }, limited.keyHash)).admission).toMatchObject({
      daily_quota: 5,
      remaining: null,
    });
    expect((await read("list_grants", { parameters: page })).admission).toMatchObject({ remaining: -1 });
    expect(
      await service.connection.query("select from funding.daily_quota where account_id = $1", [limited.accountId]),
    ).toEqual([]);
  });

  test("a caller is refused as always", async () => {
    await expect(read("list_grants", { parameters: page }, "0".repeat(64))).rejects.toMatchObject({ code: "PT401" });
    await service.connection.query("insert into funding.daily_quota values ($1, funding.quota_day(), 5)", [
      limited.accountId,
    ]);
    // Whether there is room is for the primary to say, which may have counted this very request as the last.
    expect((await read("list_grants", { parameters: page }, limited.keyHash)).admission.remaining).toBeNull();
  });
});

test("the heartbeat is written with usage, once a second at most, and says until when changes are settled", async () => {
  const beat = async () => {
    await service.connection.query("select public.record_usage('[]')");
    const [row] = await service.connection.query<{ at: Date; settled_until: Date }>(
      "select at, settled_until from funding.replication_heartbeat",
    );
    if (row === undefined) throw new Error("there is no heartbeat");
    return row;
  };
  await service.connection.query(
    "update funding.replication_heartbeat set at = '2001-01-01', settled_until = '2001-01-01'",
  );
  const first = await beat();
  expect(Math.abs(Date.now() - first.at.getTime())).toBeLessThan(60_000);
  expect(first.settled_until.getTime()).toBeGreaterThan(Date.parse("2026-01-01"));
  await service.connection.query(
    "update funding.replication_heartbeat set at = clock_timestamp() - interval '0.5 seconds'",
  );
  const [{ at } = { at: new Date() }] = await service.connection.query<{ at: Date }>(
    "select at from funding.replication_heartbeat",
  );
  expect((await beat()).at).toEqual(at);
  await service.connection.query("update funding.replication_heartbeat set at = clock_timestamp() + interval '1 day'");
  expect(Math.abs(Date.now() - (await beat()).at.getTime())).toBeLessThan(60_000);
});
