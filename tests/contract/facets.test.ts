import { describe, expect, test } from "vitest";
import { expectFacetTotals } from "../support/facet-totals.ts";
import { share } from "../support/properties.ts";
import { apiClient, type Query } from "./client.ts";
import { discoverQuery, discoverScope } from "./discover.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

type Facets = Record<string, { value: string; count: number }[]>;

async function facetsOf(name: string, query: Query): Promise<Facets> {
  const text = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const { facets } = (await client.json(`/${name}?${text}`)) as { facets: Facets };
  return facets;
}

/** The same for values that the parameter of a facet takes together. */
function meaningOf(facet: string, value: string): string {
  const lower = value.toLowerCase();
  if (facet !== "status") return lower;
  return { open: "posted", upcoming: "forecasted" }[lower] ?? lower;
}

describe.each([
  ["grants-api", { status: "status", states: null, category: "categories" }],
  [
    "contracts-api",
    { status: "status", states: null, category: "categories", naics: "naics", set_aside: "set_aside_code" },
  ],
] as const)("facets of GET /%s", (name, fields: Record<string, string | null>) => {
  const names = Object.keys(fields);

  test("count what the list's records have", async () => {
    const { query } = await discoverScope(client, name);
    const records = (await client.walk(name, query)) as unknown as Record<string, unknown>[];
    const facets = await facetsOf(name, { ...query, facets: names.join(","), limit: 1 });
    expect(Object.keys(facets)).toEqual(names);
    for (const [facet, field] of Object.entries(fields)) {
      if (field === null) continue;
      const counted = new Map<string, number>();
      for (const record of records) {
        // A record counts once for the values that the parameter takes together.
        for (const meaning of new Set([record[field] ?? []].flat().map((value) => meaningOf(facet, String(value))))) {
          counted.set(meaning, (counted.get(meaning) ?? 0) + 1);
        }
      }
      const found = facets[facet]?.map(({ value, count }) => [meaningOf(facet, value), count] as const);
      expect(found).toHaveLength(Math.min(100, counted.size));
      for (const [meaning, count] of found ?? [])
        expect([facet, meaning, counted.get(meaning)]).toEqual([facet, meaning, count]);
      const counts = facets[facet]?.map(({ count }) => count) ?? [];
      expect(counts).toEqual([...counts].sort((one, other) => other - one));
    }
  });

  test("are the totals of the list with each value chosen", async () => {
    const { query } = await discoverScope(client, name);
    expect(await expectFacetTotals(client.json, name, query)).toBeGreaterThan(50);
    // In brief, some values of each facet.
    const some = <Value>(values: readonly Value[]) => share(values, values.length);
    for (const more of [
      {},
      { include_national: true },
      { opportunity_type: "awarded" },
      { include_unrestricted: false },
    ]) {
      await expectFacetTotals(client.json, name, more, some);
    }
  });

  test("are those totals in every mode of search, as far as the ranking is not at its depth", async () => {
    const search = (await discoverScope(client, name)).query.search ?? (await discoverQuery(client, [name], "hybrid"));
    for (const mode of [
      { search_mode: "keyword" },
      { search_mode: "semantic" },
      { search_mode: "hybrid" },
      { sort_by: "relevance" },
    ]) {
      const query = { ...mode, search, min_amount: 1 };
      if ((await client.count(name, query)) >= 200) continue;
      await expectFacetTotals(client.json, name, query, (values) => values.slice(0, 4));
    }
  });

  test("of a ranked search are of what it found", async () => {
    const query = { search: await discoverQuery(client, [name], "hybrid"), search_mode: "hybrid" };
    const { pagination } = await client.ranked(name, { ...query, limit: 1 });
    const { status = [] } = await facetsOf(name, { ...query, facets: "status", limit: 1 });
    expect(status.reduce((sum, { count }) => sum + count, 0)).toBe(pagination.total);
  });
});

test("come with a total alone", async () => {
  const answer = (await client.json("/grants-api?facets=status&count_only=true")) as { total: number; facets: Facets };
  expect(Object.keys(answer)).toEqual(["total", "facets"]);
  expect(answer.facets.status?.reduce((sum, { count }) => sum + count, 0)).toBe(answer.total);
});

test.each([
  ["/grants-api?facets=naics", "status, states, category"],
  ["/contracts-api?facets=status,colour", "status, states, category"],
  ["/grants-api?facets=,", "status, states, category"],
])("%s is refused", async (path, names) => {
  const problem = await client.refused(path, 400);
  expect(problem.errors?.[0]).toMatchObject({ parameter: "facets", message: expect.stringContaining(names) });
});

test("funders have none", async () => {
  const problem = await client.refused("/funders-api?facets=status", 400);
  expect(problem.errors?.[0]?.parameter).toBe("facets");
});
