import { describe, expect, test } from "vitest";
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
      for (const value of records.flatMap((record) => record[field] ?? [])) {
        counted.set(String(value), (counted.get(String(value)) ?? 0) + 1);
      }
      const expected = [...counted].map(([value, count]) => ({ value, count }));
      expect(new Set(facets[facet]), facet).toEqual(new Set(expected));
      const counts = facets[facet]?.map(({ count }) => count) ?? [];
      expect(counts).toEqual([...counts].sort((one, other) => other - one));
    }
  });

  test("of states are what the states filter finds", async () => {
    const { states = [] } = await facetsOf(name, { facets: "states", limit: 1 });
    expect(states.length).toBeGreaterThan(0);
    for (const { value, count } of states.slice(0, 3)) expect(await client.count(name, { states: value })).toBe(count);
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
