import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { runs, share } from "../support/properties.ts";
import { spellingsOf } from "../support/spellings.ts";
import { apiClient, idsOf, pathOf, type Query, readJson } from "./client.ts";
import { sampleOf } from "./discover.ts";
import type { Opportunity, OpportunityCollection } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

/** Every way in which a list searches and is ordered. */
const ways: Query[] = [
  {},
  { sort_by: "title", order: "asc" },
  { sort_by: "relevance" },
  { search_mode: "semantic" },
  { search_mode: "hybrid" },
  { search_mode: "hybrid", sort_by: "created_at" },
];

const everything: Query = { opportunity_type: "all", include_archived: true };

interface Numbered {
  record: Opportunity;
  number: string;
}

/** The numbers that a record shows: its id, its NAICS code, and that which the demo data's addresses end with. */
function numbersOf(record: Opportunity): string[] {
  const listing = /\/(?:opportunities\/([a-z-]+-g?\d{2}-\d{5})|notices\/([a-z0-9-]+))$/
    .exec(record.listing_url ?? "")
    ?.slice(1)
    .find((number) => number !== undefined);
  return [
    record.id,
    ...(listing === undefined ? [] : [listing]),
    ...("naics" in record && record.naics !== null ? [record.naics] : []),
  ];
}

/** Holds what is said of a list to the ids that its pages have. */
async function found(name: OpportunityCollection, query: Query): Promise<Set<string>> {
  const isRanked = query.search_mode !== undefined || query.sort_by === "relevance";
  const records = isRanked ? await client.walkRanked(name, query) : await client.walk(name, query);
  const ids = new Set(idsOf(records));
  expect(ids.size).toBe(records.length);
  const { facets, pagination } = (await client.json(pathOf(name, { ...query, facets: "status", limit: 1 }))) as {
    facets: { status: { count: number }[] };
    pagination: { total: number };
  };
  expect(pagination.total, pathOf(name, query)).toBe(ids.size);
  expect(
    facets.status.reduce((sum, { count }) => sum + count, 0),
    pathOf(name, query),
  ).toBe(ids.size);
  expect(await client.count(name, query), pathOf(name, query)).toBe(ids.size);
  return ids;
}

describe.each(["grants-api", "contracts-api"] as const)("a search of GET /%s that is a number", (name) => {
  let numbered: Numbered[];
  beforeAll(async () => {
    const records = await sampleOf(client, name);
    numbered = records.flatMap((record) => numbersOf(record).map((number) => ({ record, number })));
    expect(numbered.length).toBeGreaterThan(records.length);
  });

  test("finds the record that has it, however it is written, in every mode and order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...numbered)
          .chain((one) => fc.tuple(fc.constant(one), spellingsOf(one.number), fc.constantFrom(...ways))),
        async ([{ record }, search, way]) => {
          const query = { ...everything, ...way, search };
          expect([...(await found(name, query))], pathOf(name, query)).toContain(record.id);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test("finds it first where the list is ranked", async () => {
    for (const { record } of numbered.slice(0, 3)) {
      for (const way of [{ sort_by: "relevance" }, { search_mode: "semantic" }, { search_mode: "hybrid" }]) {
        const { results } = await client.ranked(name, { ...everything, ...way, search: record.id, limit: 1 });
        expect(results).toMatchObject([{ id: record.id, relevance_score: 1 }]);
      }
    }
  });

  test("finds it within the filters, and not outside", async () => {
    for (const [index, { record, number }] of numbered.slice(0, 6).entries()) {
      for (const way of share(ways, index)) {
        const query = { ...everything, ...way, search: number };
        const isAwarded = "project_end_date" in record;
        const [own, other] = isAwarded ? ["awarded", "open"] : ["open", "awarded"];
        expect([...(await found(name, { ...query, opportunity_type: own ?? "" }))]).toContain(record.id);
        expect([...(await found(name, { ...query, opportunity_type: other ?? "" }))]).not.toContain(record.id);
        expect((await found(name, { ...query, posted_after: "2999-01-01" })).size).toBe(0);
      }
    }
  });

  test("finds it by POST /semantic-search", async () => {
    const { results: open } = await client.list(name, { limit: 5 });
    for (const record of open) {
      for (const query of numbersOf(record).filter((number) => number !== ("naics" in record ? record.naics : null))) {
        const response = await target.send("/semantic-search", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query, type: name.replace("-api", ""), limit: 100 }),
        });
        const { results } = (await readJson(response, 200, query)) as { results: { id: string }[] };
        expect(idsOf(results), query).toContain(record.id);
      }
    }
  });
});

test("a number that no record has finds the records with its words, of which there are none here", async () => {
  for (const name of ["grants-api", "contracts-api", "funders-api"] as const) {
    for (const search of ["QQXJ-99-ZZVK-0001", "00000000-0000-0000-0000-000000000000"]) {
      expect(await client.count(name, { search })).toBe(0);
    }
  }
});
