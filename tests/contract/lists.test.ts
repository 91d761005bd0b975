import { beforeAll, describe, expect, test } from "vitest";
import { apiClient, idsOf, type Query } from "./client.ts";
import { discoverQuery, discoverScope, frequentWords } from "./discover.ts";
import type { CollectionName } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const client = apiClient(contractTarget());
const collections = ["grants-api", "contracts-api", "funders-api"] as const;

/** A filter that leaves some records, few enough to be walked in small pages. */
async function walkable(name: CollectionName): Promise<Query> {
  if (name !== "funders-api") return (await discoverScope(client, name)).query;
  if ((await client.count(name)) <= 800) return {};
  const { results } = await client.list(name, { limit: 100 });
  for (const search of frequentWords(results.map((one) => ({ title: one.name })))) {
    const total = await client.count(name, { search });
    if (total >= 70 && total <= 800) return { search };
  }
  throw new Error("no word leaves from 70 to 800 funders");
}

describe.each(collections)("the envelope of GET /%s", (name) => {
  let query: Query;
  beforeAll(async () => {
    query = await walkable(name);
  });

  test("limit is 20 and offset 0 when absent", async () => {
    const { results, pagination } = await client.list(name);
    expect(results).toHaveLength(20);
    expect(pagination).toMatchObject({ limit: 20, offset: 0, returned: 20 });
    expect(pagination.total).toBeGreaterThan(20);
  });

  test.each([1, 2, 99, 100])("limit=%i gives at most that many, and is shown", async (limit) => {
    const { results, pagination } = await client.list(name, { limit });
    expect(results).toHaveLength(Math.min(limit, pagination.total));
    expect(pagination).toMatchObject({ limit, offset: 0, returned: results.length });
  });

  test("offset=n skips the first n, and is repeated in the answer", async () => {
    const whole = await client.list(name, { limit: 10 });
    const tail = await client.list(name, { limit: 10, offset: 4 });
    expect(tail.pagination).toMatchObject({ offset: 4, total: whole.pagination.total });
    expect(idsOf(tail.results).slice(0, 6)).toEqual(idsOf(whole.results).slice(4));
  });

  test("pages neither repeat nor skip a record, and total is their sum", async () => {
    const inOne = await client.walk(name, query, 100);
    const inSmall = await client.walk(name, query, 61);
    expect(idsOf(inSmall)).toEqual(idsOf(inOne));
    expect(new Set(idsOf(inOne)).size).toBe(inOne.length);
    expect(await client.count(name, query)).toBe(inOne.length);
    expect(inOne.length).toBeGreaterThan(61);
  });

  test("a page past the end is empty and keeps the total", async () => {
    const total = await client.count(name, query);
    const { results, pagination } = await client.list(name, { ...query, offset: 10_000 });
    expect(results).toEqual([]);
    expect(pagination).toEqual({ total, limit: 20, offset: 10_000, returned: 0, next: null });
  });

  test("the last page has what is left", async () => {
    const total = await client.count(name, query);
    const { results, pagination } = await client.list(name, { ...query, offset: total - 3, limit: 100 });
    expect(results).toHaveLength(3);
    expect(pagination.returned).toBe(3);
  });

  test("count_only=true answers the total of the list and nothing else", async () => {
    for (const asked of [{}, query, { search: "community" }, { search: "no-such-word-qzxv" }]) {
      const { pagination } = await client.list(name, { ...asked, limit: 1 });
      expect(await client.count(name, asked)).toBe(pagination.total);
    }
  });

  test.each(["semantic", "hybrid"] as const)("count_only=true counts a %s search too", async (search_mode) => {
    const names = name === "funders-api" ? [] : [name];
    const search =
      names.length === 0 ? "community health and education" : await discoverQuery(client, names, search_mode);
    const asked = { search, search_mode };
    const { pagination } = await client.ranked(name, { ...asked, limit: 1 });
    expect(pagination.total).toBeGreaterThan(0);
    expect(await client.count(name, asked)).toBe(pagination.total);
  });

  test("meta has the search mode used, and when the data last changed", async () => {
    const { meta } = await client.list(name, { limit: 1 });
    expect(meta.search_mode).toBe("keyword");
    expect(Date.parse(meta.data_as_of)).toBeLessThanOrEqual(Date.now() + 60_000);
  });
});
