import { beforeAll, describe, expect, test } from "vitest";
import { apiClient, idsOf, type Query } from "./client.ts";
import { discoverNationalQuery, discoverQuery, wordsOf } from "./discover.ts";
import { type FilterRow, filterRows } from "./filter-rows.ts";
import { skipForMissingRecords } from "./missing-records.ts";
import { expectOrder } from "./order.ts";
import type { OpportunityCollection, RecordOf, Scored } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const client = apiClient(contractTarget());
const nonsense = ["qzxvwk jjqpzz wqxkv", "zzzzqqqq", "xkcdqv-9981-wvvq"];

for (const mode of ["semantic", "hybrid"] as const) {
  rankedSearchOf("grants-api", mode, filterRows["grants-api"]);
  rankedSearchOf("contracts-api", mode, filterRows["contracts-api"]);
}

function rankedSearchOf<Name extends OpportunityCollection>(
  name: Name,
  search_mode: "semantic" | "hybrid",
  rows: FilterRow<RecordOf[Name]>[],
): void {
  describe(`${search_mode} search of GET /${name}`, () => {
    let query: Query;
    let everything: Query;
    let results: Scored<RecordOf[Name]>[];
    beforeAll(async () => {
      query = { search: await discoverQuery(client, [name], search_mode), search_mode };
      everything = { ...query, opportunity_type: "all" };
      results = await client.walkRanked(name, everything);
    });

    test("every result has a relevance_score from 0 to 1, and the best come first", async () => {
      expect(results.length).toBeGreaterThan(10);
      expectOrder(results, "relevance", "desc");
      // Whether there are any is the deployment's; tests/service/ranking.test.ts makes some.
      for (const [index, { id, relevance_score }] of results.slice(1).entries()) {
        const previous = results[index];
        if (previous?.relevance_score === relevance_score) expect([id, previous.id].sort()[0]).toBe(previous.id);
      }
      const scores = results.map(({ relevance_score }) => relevance_score);
      expect(new Set(scores).size, "scores tell results apart").toBeGreaterThan(results.length / 10);
    });

    test("meta names the mode and the order", async () => {
      const { meta } = await client.ranked(name, query);
      expect(meta).toMatchObject({ search_mode, sort_by: "relevance", order: "desc" });
    });

    test("the same question has the same answer", async () => {
      expect(await client.walkRanked(name, everything)).toEqual(results);
    });

    test.each([7, 40])("pages of %i neither repeat nor skip a result, and total is their sum", async (limit) => {
      const wanted = Math.min(results.length, limit * 5);
      const paged: Scored<RecordOf[Name]>[] = [];
      while (paged.length < wanted) {
        const page = await client.ranked(name, { ...everything, limit, offset: paged.length });
        expect(page.pagination).toMatchObject({ total: results.length, returned: page.results.length });
        expect(page.results.length).toBeGreaterThan(0);
        paged.push(...page.results);
      }
      expect(paged).toEqual(results.slice(0, paged.length));
    });

    test("no result comes twice", () => {
      expect(new Set(idsOf(results)).size).toBe(results.length);
    });

    for (const { guarantee, choose, keeps } of rows) {
      test(`filter: ${guarantee}`, async ({ skip }) => {
        const filter = choose(results) ?? skipForMissingRecords(skip, "no result here has a value to filter by");
        const best =
          results.find((record) => keeps(record, filter)) ?? skipForMissingRecords(skip, "no result here passes");
        const { results: filtered } = await client.ranked(name, { ...everything, ...filter, limit: 100 });
        expect(filtered.filter((record) => !keeps(record, filter))).toEqual([]);
        expect(idsOf(filtered)).toContain(best.id);
        expectOrder(filtered, "relevance", "desc");
      });
    }

    test("awarded projects are left out when opportunity_type is absent", async () => {
      const shown = await client.walkRanked(name, query);
      expect(shown.filter((record) => "project_end_date" in record)).toEqual([]);
      expect(shown.length).toBeGreaterThan(0);
      expect(results.some((record) => "project_end_date" in record)).toBe(true);
    });

    test("states keeps what a list of those states has, and include_national adds to it", async () => {
      const { query: asked, states } = await discoverNationalQuery(client, name, search_mode);
      const specific = await client.walkRanked(name, { ...asked, states });
      const withNational = await client.walkRanked(name, { ...asked, states, include_national: true });
      const added = withNational.filter(({ id }) => !idsOf(specific).includes(id));
      expect(specific.length).toBeGreaterThan(0);
      expect(added.length).toBeGreaterThan(0);

      const lists = async ({ id, title }: { id: string; title: string }, filter: Query) => {
        const search = wordsOf(title).slice(0, 6).join(" ");
        const same = { opportunity_type: "all", ...filter, ...(search === "" ? {} : { search }) };
        return idsOf(await client.walk(name, same)).includes(id);
      };
      for (const record of specific.slice(0, 4)) expect(await lists(record, { states })).toBe(true);
      for (const record of added.slice(0, 4)) {
        expect(await lists(record, { states })).toBe(false);
        expect(await lists(record, { states, include_national: true })).toBe(true);
      }
    });

    test("include_archived adds archived records, and they are left out otherwise", async () => {
      const withArchived = await client.walkRanked(name, { ...everything, include_archived: true });
      const added = withArchived.filter(({ id }) => !idsOf(results).includes(id));
      expect(added.length).toBeGreaterThan(0);
      for (const { id, title } of added.slice(0, 3)) {
        const search = { opportunity_type: "all", search: wordsOf(title).join(" ") || title };
        expect(idsOf(await client.walk(name, search))).not.toContain(id);
        expect(idsOf(await client.walk(name, { ...search, include_archived: true }))).toContain(id);
      }
    });

    // By meaning alone, what others say at length about the same thing may come before it.
    const near = search_mode === "semantic" ? 50 : 10;
    test(`a record's own title finds it among the first ${near}`, async () => {
      for (const { id, title } of results.slice(0, 3)) {
        const found = await client.ranked(name, { search: title, search_mode, opportunity_type: "all", limit: near });
        const same = found.results.filter((record) => record.id === id || record.title === title);
        expect(same, `${title} finds itself`).not.toEqual([]);
      }
    });

    test.each(nonsense)("nothing is relevant to %j: the list is empty, and no error", async (search) => {
      const { results: none, pagination } = await client.ranked(name, { search, search_mode, opportunity_type: "all" });
      expect(none).toEqual([]);
      expect(pagination).toMatchObject({ total: 0, returned: 0 });
    });

    test("a page past the last result is empty and keeps the total", async () => {
      const { results: none, pagination } = await client.ranked(name, { ...everything, offset: 10_000 });
      expect(none).toEqual([]);
      expect(pagination.total).toBe(results.length);
    });

    test.each([
      { sort_by: "title", order: "asc" },
      { sort_by: "deadline_date", order: "desc" },
    ])("results come in the order that meta names when sort_by=$sort_by is asked", async ({ sort_by, order }) => {
      const page = await client.ranked(name, { ...everything, sort_by, order, limit: 100 });
      expectOrder(page.results, page.meta.sort_by, page.meta.order);
      expect(page.pagination.total).toBe(results.length);
    });
  });
}

describe.each(["semantic", "hybrid"] as const)("%s search of GET /funders-api", (search_mode) => {
  const query = { search: "community health and education", search_mode };

  test("every result has a relevance_score, the best come first, and pages agree", async () => {
    const results = await client.walkRanked("funders-api", query);
    expect(results.length).toBeGreaterThan(1);
    expectOrder(results, "relevance", "desc");
    const first = await client.ranked("funders-api", { ...query, limit: 1 });
    const second = await client.ranked("funders-api", { ...query, limit: 1, offset: 1 });
    expect([...first.results, ...second.results]).toEqual(results.slice(0, 2));
    expect(first.meta).toMatchObject({ search_mode, sort_by: "relevance", order: "desc" });
  });

  test.each(nonsense)("nothing is relevant to %j", async (search) => {
    expect((await client.ranked("funders-api", { search, search_mode })).results).toEqual([]);
  });
});
