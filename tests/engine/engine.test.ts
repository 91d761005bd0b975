import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { apiClient } from "../contract/client.ts";
import { contractTarget } from "../contract/target.ts";
import { waitUntil } from "../support/wait-until.ts";

const target = contractTarget();
const client = apiClient(target);
const { DATABASE_URL = "", ENGINE_URL = "" } = process.env;

let database: Connection;
let engine: Connection;
beforeAll(async () => {
  database = await connectPostgres(DATABASE_URL);
  engine = await connectPostgres(ENGINE_URL);
});
afterAll(async () => {
  await database.close();
  await engine.close();
});

test.each(["keyword", "semantic", "hybrid"])("a %s search has the engine's records, scores and total", async (mode) => {
  const query = { search: "rural health clinics", search_mode: mode, sort_by: "relevance", limit: 10 };
  const { results, pagination } = await client.ranked("grants-api", query);
  const ranked = await engine.query<{ id: string; score: number; total: number }>(
    "select id, score, total::integer from funding.ranked('grants', funding.filter_of('grants', $1), $2, null, 10)",
    [JSON.stringify(query), mode],
  );
  expect(ranked.length).toBe(10);
  expect(results.map(({ id, relevance_score }) => ({ id, score: relevance_score, total: pagination.total }))).toEqual(
    ranked,
  );
});

test.each([
  "funding.keyword_candidates(null, null, 10, true)",
  "funding.semantic_candidates(null, null, 10)",
  "funding.document_candidates(null, null, 10)",
  "funding.hybrid_scores(null, null, 10, true)",
])("%s of the API's database raises", async (call) => {
  await expect(database.query(`select ${call}`)).rejects.toThrow("ranks beside the engine");
});

test("a record that is imported is found by the next search, and one that is archived is not", async () => {
  const search = "quokka burrow restoration";
  const found = async () =>
    (await client.ranked("grants-api", { search, search_mode: "hybrid" })).results.map(({ title }) => title);
  const [source, sourceId] = ["engine-test", crypto.randomUUID()];
  const record = {
    source,
    source_id: sourceId,
    title: `Grants for ${search}`,
    status: "open",
    funder_name: "Quokka Trust",
  };
  expect(await found()).not.toContain(record.title);
  await database.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify([record])]);
  expect(await found()).toContain(record.title);
  await database.query("select funding.archive_records('grants', $1, $2)", [source, [sourceId]]);
  expect(await found()).not.toContain(record.title);
});

test("without the engine lists are answered, a search is refused as unavailable, and both are answered once it is back", async () => {
  const search = "/grants-api?search=watershed+monitoring&search_mode=hybrid";
  const status = async (path: string) => (await target.send(path)).status;
  const name = new URL(ENGINE_URL).pathname.slice(1);
  await engine.close();
  await database.query(`alter database ${name} allow_connections false`);
  await database.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [name]);
  try {
    expect([await status("/grants-api?limit=1"), await status(search)]).toEqual([200, 503]);
  } finally {
    await database.query(`alter database ${name} allow_connections true`);
    engine = await connectPostgres(ENGINE_URL);
  }
  await waitUntil(async () => (await status(search)) === 200, "a search is answered", 30);
});
