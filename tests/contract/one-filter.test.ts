import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { orderNames } from "../../shared/catalogue/orders.ts";
import { expectFacetTotals } from "../support/facet-totals.ts";
import { runs, share } from "../support/properties.ts";
import { apiClient, idsOf, type Listing, pathOf, type Query } from "./client.ts";
import { discoverStates, frequentWords, median, mostFrequent, sampleOf } from "./discover.ts";
import type { Opportunity } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

type Facets = Record<string, { value: string; count: number }[]>;
type Answer = Listing<{ id: string }> & { facets?: Facets };

const orders = {
  "grants-api": orderNames("grants"),
  "contracts-api": orderNames("contracts"),
  "funders-api": orderNames("funders"),
};

/** A ranked search lists no more than its legs give: 200 where there is a vector index. Below, a filter only narrows it. */
const leastLegs = 200;
/** Of a longer list, only the beginning is read. */
const longest = 400;

/** Searches of every kind: some words, a phrase, alternatives, words that are excluded. */
function searches(records: readonly { title: string }[]): fc.Arbitrary<string> {
  const words = frequentWords(records).slice(0, 40);
  const word = fc.constantFrom(...words, "zorb", "2026");
  const phrases = records
    .map(({ title }) => /[a-z]{4,} [a-z]{4,}/i.exec(title)?.[0])
    .filter((phrase) => phrase !== undefined);
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map((some) => some.join(" ")) },
    fc.tuple(word, word).map(([one, other]) => `${one} or ${other}`),
    fc.tuple(word, word).map(([one, other]) => `${one} -${other}`),
    fc.constantFrom(...phrases, "of the").map((phrase) => `"${phrase}"`),
  );
}

function requests(
  name: keyof typeof orders,
  records: readonly { title: string }[],
  filters: Query,
): fc.Arbitrary<Query> {
  const narrowing = fc.shuffledSubarray(Object.keys(filters)).map((some) => some.slice(0, 3));
  const search = fc.option(searches(records), { freq: 6, nil: undefined });
  return fc
    .record({
      search,
      search_mode: fc.constantFrom("keyword", "keyword", "semantic", "hybrid"),
      sort_by: fc.option(fc.constantFrom(...orders[name], "relevance"), { freq: 4, nil: undefined }),
      order: fc.constantFrom("asc", "desc"),
      narrowing,
    })
    .map(({ search, search_mode, sort_by, order, narrowing }) => ({
      ...(search === undefined ? {} : { search, search_mode }),
      ...(sort_by === undefined || (search === undefined && sort_by === "relevance") ? {} : { sort_by }),
      order,
      ...Object.fromEntries(narrowing.map((key) => [key, filters[key] ?? ""])),
    }));
}

async function answer(name: keyof typeof orders, query: Query): Promise<Answer> {
  return (await client.json(pathOf(name, query))) as Answer;
}

async function byOffset(name: keyof typeof orders, query: Query, size: number, most: number): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { results } = await answer(name, { ...query, limit: size, offset: ids.length });
    ids.push(...idsOf(results));
    if (results.length < size || ids.length >= most) return ids;
  }
}

async function byCursor(name: keyof typeof orders, query: Query, size: number, most: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { results, pagination } = await answer(name, {
      ...query,
      limit: size,
      ...(cursor === undefined ? {} : { cursor }),
    });
    ids.push(...idsOf(results));
    if (ids.length >= most) return ids;
    cursor = pagination.next;
  }
  return ids;
}

/** Holds everything that is said of a list to one set of records. */
async function expectOneList(name: keyof typeof orders, query: Query): Promise<void> {
  const asked = name === "funders-api" ? {} : { facets: "status" };
  const first = await answer(name, { ...query, ...asked, limit: 1 });
  const { total } = first.pagination;
  const what = pathOf(name, query);
  if (first.facets !== undefined) {
    expect(
      first.facets.status?.reduce((sum, { count }) => sum + count, 0),
      `${what}: facet status`,
    ).toBe(total);
  }
  expect(await client.count(name, query), `${what}: count_only`).toBe(total);

  const most = Math.min(total, longest);
  const size = Math.min(100, Math.max(1, Math.ceil(most / 3)));
  const paged = (await byOffset(name, query, size, most)).slice(0, most);
  expect(paged, `${what}: pages by offset`).toHaveLength(most);
  expect(new Set(paged).size, `${what}: pages by offset repeat nothing`).toBe(most);
  expect((await byCursor(name, query, size, most)).slice(0, most), `${what}: pages by cursor`).toEqual(paged);
  const csv = await (await target.send(pathOf(name, { ...query, format: "csv" }))).text();
  const rows = parse(csv, { columns: true, record_delimiter: "\r\n" }) as { id: string }[];
  expect(rows, `${what}: CSV`).toHaveLength(Math.min(total, 10_000));
  expect(idsOf(rows).slice(0, most), `${what}: CSV`).toEqual(paged);

  const isRanked = query.search_mode === "semantic" || query.search_mode === "hybrid" || query.sort_by === "relevance";
  if (name === "funders-api" || (isRanked && total >= leastLegs)) return;
  await expectFacetTotals(client.json, name, query, (values) =>
    values.length > 2 ? [...values.slice(0, 1), ...values.slice(-1)] : values,
  );
}

describe.each(["grants-api", "contracts-api", "funders-api"] as const)("every request for a list of %s", (name) => {
  let records: readonly { title: string }[];
  let filters: Query = {};
  beforeAll(async () => {
    if (name === "funders-api") {
      const { results } = await client.list(name, { limit: 100 });
      records = results.map((funder) => ({ title: funder.name }));
      return;
    }
    const sample: readonly Opportunity[] = await sampleOf(client, name);
    records = sample;
    const [state = "OH", other = "PA"] = await discoverStates(client, name, {});
    filters = {
      opportunity_type: "all",
      include_archived: true,
      status: "open",
      category: mostFrequent(sample.flatMap(({ categories }) => categories)) ?? "Health",
      states: `${state},${other}`,
      include_national: true,
      geography: "a",
      min_amount: 100_000,
      max_amount: 2_000_000,
      posted_after: median(sample.map(({ created_at }) => created_at)) ?? "2026-01-01",
    };
  });

  test("has one set of records: total, count, facets, pages by offset and by cursor, CSV", async () => {
    await fc.assert(
      fc.asyncProperty(requests(name, records, filters), (query) => expectOneList(name, query)),
      { numRuns: runs(name === "funders-api" ? 10 : 20) },
    );
  });

  test("is one list where a keyword search is ranked, which needs only enough of its words", async () => {
    const [one = "", other = ""] = frequentWords(records);
    for (const [index, search] of [`zorb ${one} ${other}`, `${one} ${other}`].entries()) {
      for (const sort_by of share(orders[name], index)) await expectOneList(name, { search, sort_by });
    }
  });
});
