import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadBatch } from "../../ingest/load.ts";
import { expectFacetTotals, facetsOf, type Query } from "../support/facet-totals.ts";
import { runs } from "../support/properties.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** Spellings that a filter takes together, some of them in one record. */
const categories = [
  "Health",
  "HEALTH",
  "health",
  "Ärzte",
  "ärzte",
  "Food; Nutrition",
  'Arts "and" Crafts',
  "a,b",
  "50%",
  "_",
  "x".repeat(201),
];
const agencies = [
  "Department of Health",
  "DEPARTMENT OF HEALTH",
  "Départment of Health",
  "Dept. of Health",
  "Health & Co",
  "Health and Co.",
  "???",
];
const setAsides = ["8A", "8a", "SBA", "Local Choice", "LOCAL CHOICE", "local choice", "Élan"];
const applicants = ["unrestricted", "individual", "government_county", "custom"] as const;
const instruments = ["grant", "other"] as const;
const listings = ["10.557", "84.U01", "84.305A"];
const places = ["OH", "PA", "TX"];
const words = ["water", "kelp", "bridge", "harbor", "clinic"];

/** Repeats items, as the path of an agency may. */
const someOf = <Value>(...values: Value[]) => fc.array(fc.constantFrom(...values), { maxLength: 4 });
const details = fc.record(
  {
    agency: someOf(...agencies),
    applicant_types: fc.subarray([...applicants]),
    funding_instrument: fc.subarray([...instruments]),
    assistance_listings: fc.subarray(listings.map((number) => ({ number, title: null }))),
    cost_sharing: fc.boolean(),
    psc: fc.constantFrom("R499", "R425", "Z"),
    recipient: fc.record({
      name: fc.constantFrom(...agencies, null),
      uei: fc.constant(null),
      ein: fc.constant(null),
      city: fc.constant(null),
      state: fc.constantFrom("OH", "oh", "PA", null),
      country: fc.constant(null),
    }),
    obligated_amount: fc.integer({ min: -90, max: 900 }),
  },
  { requiredKeys: [] },
);
const common = {
  source: fc.constantFrom("one", "two", "Two"),
  title: someOf(...words).map((some) => `Title ${some.join(" ")}`),
  description: someOf(...words).map((some) => some.join(" ")),
  place: fc.oneof(fc.subarray(places), fc.constant("national" as const)),
  categories: fc.subarray(categories, { maxLength: 5 }),
  details,
  amount: fc.option(fc.integer({ min: 1, max: 900 })),
  isAwarded: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  isArchived: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
};
const grants = fc.record({ ...common, status: fc.constantFrom("open", "posted", "closed", "forecasted", "upcoming") });
const contracts = fc.record({
  ...common,
  status: fc.constantFrom("open", "posted", "forecasted", "upcoming", "cancelled", "under protest"),
  naics: fc.option(fc.constantFrom("541511", "237110")),
  set_aside_code: fc.option(fc.constantFrom(...setAsides)),
});

const toRecord = (
  {
    place,
    amount,
    isAwarded,
    isArchived,
    ...given
  }: { place: string[] | "national"; amount: number | null; isAwarded: boolean; isArchived: boolean; source: string },
  index: number,
) => ({
  ...given,
  source_id: String(index),
  states: place === "national" ? [] : place,
  is_national: place === "national",
  geography: null,
  amount_min: amount,
  amount_max: amount === null ? null : amount * 2,
  deadline_date: null,
  project_end_date: null,
  classification: isAwarded ? "awarded_project" : "opportunity",
  archived_at: isArchived ? "2026-01-01T00:00:00Z" : null,
  funder_name: "Funder",
  funder_source_id: null,
  listing_url: null,
  created_at: "2026-01-01T00:00:00Z",
  identifiers: [],
});

/** Filters that a list may have. Each is there in a fifth of the lists. */
const rare = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { freq: 1, nil: undefined });
const joined = (...values: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }).map((some) => some.join(","));
/** One value or two, as the query repeats them. */
const several = (...values: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });
const filters = {
  opportunity_type: rare(fc.constantFrom("open", "awarded", "all")),
  include_archived: rare(fc.boolean()),
  status: rare(several("open", "posted", "upcoming", "forecasted")),
  exclude_status: rare(several("posted", "upcoming")),
  states: rare(joined(...places)),
  include_national: rare(fc.boolean()),
  category: rare(several(...categories.filter((category) => category.length <= 200))),
  exclude_category: rare(several("health", "a,b")),
  applicant_type: rare(joined(...applicants)),
  include_unrestricted: rare(fc.boolean()),
  agency: rare(several(...agencies)),
  assistance_listing: rare(several(...listings, "84.")),
  exclude_assistance_listing: rare(several("84.305A", "10.")),
  funding_instrument: rare(joined(...instruments)),
  cost_sharing: rare(fc.boolean()),
  source: rare(several("one", "Two")),
  facets_mode: rare(fc.constant("disjunctive")),
  facets_sort_by: rare(fc.constantFrom("count", "amount")),
  min_amount: rare(fc.integer({ min: 0, max: 900 })),
  text: rare(fc.tuple(fc.constantFrom(...words), fc.constantFrom("keyword", "semantic", "hybrid", "relevance"))),
};
const contractFilters = {
  ...filters,
  naics: rare(several("541511", "237110", "54", "2371")),
  exclude_naics: rare(several("237110", "54")),
  psc: rare(several("R499", "R4", "R")),
  exclude_psc: rare(several("R42", "Z")),
  set_aside: rare(several(...setAsides)),
};

function toQuery({ text, ...filter }: Record<string, unknown>): Query {
  const given = Object.entries(filter).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined);
  if (!Array.isArray(text)) return Object.fromEntries(given);
  const [search, mode] = text as [string, string];
  return {
    ...Object.fromEntries(given),
    search,
    ...(mode === "relevance" ? { sort_by: mode } : { search_mode: mode }),
  };
}

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  await service.connection.execute("truncate funding.grants, funding.contracts");
  const seed = { seed: 46, numRuns: 150 };
  const loaded = [
    await loadBatch(service.connection, "grants", fc.sample(grants, seed).map(toRecord) as never),
    await loadBatch(service.connection, "contracts", fc.sample(contracts, seed).map(toRecord) as never),
  ];
  for (const { inserted, refused } of loaded) expect({ inserted, refused }).toEqual({ inserted: 150, refused: [] });
});
afterAll(() => service.close());

async function ask(path: string): Promise<unknown> {
  const response = await service.fetch(path, { headers: bearer(key) });
  expect(response.status, path).toBe(200);
  return response.json();
}

const names = Object.keys(facetsOf).filter((name) => name !== "funders-api");

test.each(names)("a facet's count of GET /%s is the total of the list with its value chosen", async (name) => {
  expect(await expectFacetTotals(ask, name, { opportunity_type: "all", include_archived: true })).toBeGreaterThan(25);
  const filter = name === "grants-api" ? filters : contractFilters;
  await fc.assert(
    fc.asyncProperty(fc.record(filter), async (given) => void (await expectFacetTotals(ask, name, toQuery(given)))),
    { numRuns: runs(150) },
  );
});

test("the top recipients are those of the most awarded dollars, with the sums of them", async () => {
  const query = { opportunity_type: "all", include_archived: true, facets_sort_by: "amount" };
  expect(await expectFacetTotals(ask, "grants-api", query)).toBeGreaterThan(25);
  const recipientsOf = async (more: string) => {
    const path = `/grants-api?opportunity_type=all&include_archived=true&count_only=true&facets=recipient${more}`;
    return ((await ask(path)) as { facets: { recipient: { value: string; amount?: number | null }[] } }).facets
      .recipient;
  };
  const byAmount = await recipientsOf("&facets_sort_by=amount");
  const byCount = await recipientsOf("");
  expect(byAmount.map(({ value }) => value).toSorted()).toEqual(byCount.map(({ value }) => value).toSorted());
  expect(byAmount).not.toEqual(byAmount.map(({ value }) => byCount.find((one) => one.value === value)));
  expect(await recipientsOf("&facets_sort_by=count")).toEqual(byCount);
});

test("of opportunities, amounts are null", async () => {
  const { facets } = (await ask("/grants-api?count_only=true&facets=status,states&facets_sort_by=amount")) as {
    facets: Record<string, { amount: number | null; count: number }[]>;
  };
  expect(facets.status?.length).toBeGreaterThan(1);
  for (const { amount } of Object.values(facets).flat()) expect(amount).toBeNull();
  // Without sums, the most frequent come first.
  const counts = facets.status?.map(({ count }) => count) ?? [];
  expect(counts).toEqual(counts.toSorted((one, other) => other - one));
});

test("values that a filter takes together are one, under the spelling of most records", async () => {
  const everything = "opportunity_type=all&include_archived=true&limit=100";
  const { facets } = (await ask(`/contracts-api?${everything}&facets=status,category,agency,set_aside`)) as {
    facets: Record<string, { value: string }[]>;
  };
  const shown = (facet: string) => facets[facet]?.map(({ value }) => value) ?? [];
  expect(shown("status").filter((value) => ["open", "posted"].includes(value))).toHaveLength(1);
  expect(shown("status").filter((value) => ["upcoming", "forecasted"].includes(value))).toHaveLength(1);
  expect(shown("category").filter((value) => /^health$/i.test(value))).toHaveLength(1);
  expect(shown("agency").filter((value) => /^d.partment of health$/i.test(value))).toHaveLength(1);
  expect(shown("set_aside").filter((value) => /^local choice$/i.test(value))).toHaveLength(1);
  // A category that is longer than a parameter may be cannot be chosen.
  expect(shown("category").filter((value) => value.startsWith("xxx"))).toEqual([]);
});

test("a disjunctive facet is that of the list without the filter by its own parameter, whatever other filters it has", async () => {
  type Answer = { facets: Record<string, unknown[]> };
  const facets = async (filter: string, names: string) =>
    ((await ask(`/contracts-api?limit=1&facets=${names}&${filter}`)) as Answer).facets;
  const chosen = "status=open&states=OH&exclude_naics=237110";
  const disjunctive = await facets(`${chosen}&facets_mode=disjunctive`, "status,states,source");
  expect(disjunctive).toEqual({
    ...(await facets("states=OH&exclude_naics=237110", "status")),
    ...(await facets("status=open&exclude_naics=237110", "states")),
    ...(await facets(chosen, "source")),
  });
  expect(disjunctive.status?.length).toBeGreaterThan(1);
  expect(disjunctive).not.toEqual(await facets(chosen, "status,states,source"));
  expect(await facets(`${chosen}&facets_mode=conjunctive`, "status")).toEqual(await facets(chosen, "status"));
});

test("where a list is filtered by a facet's parameter, the facet has the values of the filter", async () => {
  const { facets, pagination } = (await ask("/grants-api?states=OH,PA&status=posted&facets=states,status&limit=1")) as {
    facets: Record<string, { value: string; count: number }[]>;
    pagination: { total: number };
  };
  expect(facets.states?.map(({ value }) => value).sort()).toEqual(["OH", "PA"]);
  expect(facets.status?.map(({ count }) => count)).toEqual([pagination.total]);
});
