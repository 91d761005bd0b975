import { describe, expect, test } from "vitest";
import { apiClient, pathOf, type Query } from "./client.ts";
import type { CollectionName } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const contract = contractTarget();
const client = apiClient(contract);

/** A row of the parameter tables of docs/filters.md: a parameter, values it takes, values it refuses, and its default. */
interface ParameterRow {
  parameter: string;
  good: (string | number)[];
  bad: (string | number)[];
  default?: string | number;
  /** Parameters to send along, without which the good values and the default mean nothing. */
  with?: Query;
}

/** Parameters that may be given several times: see repeated-parameters.test.ts. */
const lists = [
  ...["applicant_type", "expand", "facets", "funding_instrument", "states", "sort_by"],
  ...["agency", "assistance_listing", "category", "funder_id", "naics", "set_aside", "source", "status"],
  ...["recipient", "recipient_state", "uei"],
];
const notBooleans = ["TRUE", "yes", "0"];
const notAmounts = [-1, "1.5", "1e3", "1,000", "NaN"];
const notDates = ["2026-02-30", "2026-6-1", "06/10/2026", "20260610"];

const shared: ParameterRow[] = [
  { parameter: "count_only", good: ["true", "false", "True", "False"], bad: notBooleans, default: "false" },
  { parameter: "limit", good: [1, 20, 100], bad: [0, 101, -1, "1.5", "abc"], default: 20 },
  { parameter: "offset", good: [0, 1, 10_000], bad: [10_001, -1, "1.5", "1e1"], default: 0 },
  { parameter: "order", good: ["asc", "desc"], bad: ["up", "ascending", "asc,desc"] },
  {
    parameter: "search",
    good: ["water", "two words", "100%", "a_b", "l'eau", "日本", "🌾 farm", "-a ".repeat(64)],
    bad: ["-a ".repeat(65), "a or ".repeat(65), '"a" '.repeat(65), "word ".repeat(10_000 / 5 + 1)],
  },
  {
    parameter: "search_mode",
    good: ["keyword", "semantic", "hybrid"],
    bad: ["fuzzy", "vector", "keyword,semantic"],
    default: "keyword",
    with: { search: "services" },
  },
];

const opportunity: ParameterRow[] = [
  ...shared,
  {
    parameter: "applicant_type",
    good: ["individual", "government_county,government_municipal", "unrestricted"],
    bad: ["counties", "individual;custom", "individual,"],
  },
  { parameter: "include_unrestricted", good: ["true", "false", "True", "False"], bad: notBooleans },
  { parameter: "agency", good: ["Department of Agriculture", "USDA", "no such agency"], bad: [] },
  { parameter: "recipient", good: ["Ohio State University", "no such recipient"], bad: [] },
  {
    parameter: "uei",
    good: ["QZ5ACLXM1PL5", "qz5aclxm1pl5", "QZ5ACLXM1PL5,AAAAAAAAAAAA"],
    bad: ["QZ5ACLXM1PL", "QZ5ACLXM1PL5;", "QZ5ACLXM1PL5,"],
  },
  { parameter: "recipient_state", good: ["OH", "oh,TX"], bad: ["Ohio", "XX", "OH;TX", "OH,"] },
  {
    parameter: "facets_mode",
    good: ["conjunctive", "disjunctive"],
    bad: ["or", "DISJUNCTIVE"],
    default: "conjunctive",
  },
  { parameter: "facets_sort_by", good: ["count", "amount"], bad: ["value", "AMOUNT"], default: "count" },
  { parameter: "funder_id", good: ["00000000-0000-8000-a000-000000000000"], bad: ["1", "Water Office"] },
  {
    parameter: "assistance_listing",
    good: ["10.557", "84.U01", "84.305a", "10.", "10.557,10.558"],
    bad: ["10", "10557", "10.557 WIC", "10.557;10.558"],
  },
  { parameter: "funding_instrument", good: ["grant", "grant,other"], bad: ["loan", "G"] },
  { parameter: "cost_sharing", good: ["true", "false", "True", "False"], bad: notBooleans },
  { parameter: "source", good: ["demo", "no-such-source"], bad: [] },
  {
    parameter: "updated_after",
    good: ["2026-06-10", "2026-06-10T14:00:00Z", "2026-06-10T14:00:00+02:00"],
    bad: [...notDates, "2026-06-10T14:00:00", "yesterday"],
  },
  ...["first_seen_after", "first_seen_before"].map((parameter) => ({
    parameter,
    good: ["2026-06-10", "2026-06-10T14:00:00Z"],
    bad: [...notDates, "2026-06-10T14:00:00", "12 new"],
  })),
  { parameter: "expand", good: ["details"], bad: ["funder", "details,funder", "*"] },
  { parameter: "opportunity_type", good: ["open", "awarded", "all"], bad: ["closed", "any"], default: "open" },
  { parameter: "category", good: ["Health", "no such category"], bad: [] },
  {
    parameter: "states",
    good: [
      "TX",
      "TX,CA",
      "DC,PR",
      "AL,AK,AZ,AR,CA,CO,CT,DE,FL,GA,HI,ID,IL,IN,IA,KS,KY,LA,ME,MD,MA,MI,MN,MS,MO,MT,NE,NV",
    ],
    bad: ["XX", "Texas", "US", "TX,XX", "TX,,CA", "TX;CA", "T", "TEX", ","],
  },
  {
    parameter: "include_national",
    good: ["true", "false", "True", "False"],
    bad: notBooleans,
    default: "false",
    with: { states: "TX" },
  },
  { parameter: "geography", good: ["Texas", "TX", "nowhere at all"], bad: [] },
  { parameter: "min_amount", good: [0, 1, 1_000_000_000], bad: notAmounts },
  { parameter: "max_amount", good: [0, 1, 1_000_000_000], bad: notAmounts },
  { parameter: "deadline_after", good: ["2026-06-10", "2028-02-29"], bad: [...notDates, "2026-06-10T00:00:00Z"] },
  { parameter: "deadline_before", good: ["2026-06-10", "2028-02-29"], bad: [...notDates, "2026-06-10T00:00:00Z"] },
  {
    parameter: "posted_after",
    good: ["2026-06-10", "2026-06-10T00:00:00Z", "2026-06-10T00:00:00.123Z", "2026-06-10T00:00:00+02:00"],
    bad: [...notDates, "2026-06-10T25:00:00Z", "2026-02-30T00:00:00Z"],
  },
  {
    parameter: "sort_by",
    good: ["created_at", "deadline_date", "amount_min", "amount_max", "title", "-title", "created_at,title"],
    bad: ["amount", "name", "description", "created_at title", "--title", "id;drop table grants"],
    default: "created_at",
  },
  { parameter: "order", good: [], bad: [], default: "desc" },
  { parameter: "include_versions", good: ["true", "false", "True", "False"], bad: notBooleans, default: "false" },
  { parameter: "include_archived", good: ["true", "false", "True", "False"], bad: notBooleans, default: "false" },
  { parameter: "archived_as_ids", good: ["true", "false", "True", "False"], bad: notBooleans, default: "false" },
];

const rows: Record<CollectionName, ParameterRow[]> = {
  "grants-api": [
    ...opportunity,
    {
      parameter: "status",
      good: ["open", "posted", "closed", "forecasted", "upcoming"],
      bad: ["active", "opened"],
    },
  ],
  "contracts-api": [
    ...opportunity,
    { parameter: "status", good: ["open", "closed", "any other text"], bad: [] },
    {
      parameter: "naics",
      good: ["541511", "000000", "54151", "54", "31-33", "541511,541512"],
      bad: ["5", "5415111", "abcdef", "54-511", "541511;541512"],
    },
    { parameter: "set_aside", good: ["8A", "HUBZone", "8a", "no such code"], bad: [] },
  ],
  "funders-api": [
    ...shared,
    { parameter: "sort_by", good: ["name", "created_at"], bad: ["title", "deadline_date"], default: "name" },
    { parameter: "order", good: [], bad: [], default: "asc" },
  ],
};

describe.each(["grants-api", "contracts-api", "funders-api"] as const)("the parameters of GET /%s", (name) => {
  const withGood = rows[name].filter(({ good }) => good.length > 0);
  const withBad = rows[name].filter(({ bad }) => bad.length > 0);
  const withDefault = rows[name].filter((row) => row.default !== undefined);

  test.each(withGood)("$parameter takes $good", async (row) => {
    for (const value of row.good) await client.json(pathOf(name, { limit: 1, ...row.with, [row.parameter]: value }));
  });

  test.each(withBad)("$parameter refuses $bad, each with a problem that names it", async (row) => {
    for (const value of row.bad) {
      const problem = await client.refused(pathOf(name, { ...row.with, [row.parameter]: value }), 400);
      expect(
        problem.errors?.map(({ parameter }) => parameter),
        `${row.parameter}=${value}`,
      ).toEqual([row.parameter]);
    }
  });

  test.each([
    { what: "alone", asked: withDefault.filter((row) => row.with === undefined) },
    { what: "with what they qualify", asked: withDefault.filter((row) => row.with !== undefined) },
  ])("the defaults, given $what, change nothing", async ({ asked }) => {
    const qualified: Query = Object.assign({}, ...asked.map((row) => row.with));
    const explicit = Object.fromEntries(asked.map((row) => [row.parameter, row.default ?? ""]));
    const [absent, given] = await Promise.all([
      client.list(name, qualified),
      client.list(name, { ...qualified, ...explicit }),
    ]);
    expect({ ...absent, meta: { ...absent.meta, response_time_ms: 0 } }).toEqual({
      ...given,
      meta: { ...given.meta, response_time_ms: 0 },
    });
    expect(absent.results.length).toBeGreaterThan(0);
    expect(asked.length).toBeGreaterThan(0);
  });

  const everyParameter = [...new Set(rows[name].map(({ parameter }) => parameter))].sort();

  test("an offset beyond the largest is told of the way further, which it was not", async () => {
    const [far, negative] = await Promise.all([
      client.refused(`/${name}?offset=10001`, 400),
      client.refused(`/${name}?offset=-1`, 400),
    ]);
    expect(far.errors?.[0]?.message).toMatch(/^must be an integer from 0 to 10000; to go further, .*`cursor`/);
    expect(negative.errors?.[0]?.message).toBe("must be an integer from 0 to 10000");
  });

  test("no parameter but lists may be given twice, were it the same value", async () => {
    const query = rows[name]
      .filter(({ good }) => good.length > 0)
      .map(({ parameter, good: [value = ""] }) => `${parameter}=${encodeURIComponent(value)}`)
      .join("&");
    const problem = await client.refused(`/${name}?${query}&${query}`, 400);
    const single = everyParameter.filter((parameter) => !lists.includes(parameter));
    expect(problem.errors?.map(({ parameter }) => parameter).sort()).toEqual(single);
  });

  test.each(["=", ""])("no parameter may be empty (written name%s)", async (equals) => {
    const query = everyParameter.map((parameter) => `${parameter}${equals}`).join("&");
    const problem = await client.refused(`/${name}?${query}`, 400);
    expect(problem.errors?.map(({ parameter }) => parameter).sort()).toEqual(everyParameter);
  });

  test.each(["semantic", "hybrid"])("search_mode=%s requires search", async (search_mode) => {
    const problem = await client.refused(pathOf(name, { search_mode }), 400);
    expect(problem.errors?.map(({ parameter }) => parameter)).toEqual(["search"]);
  });

  const typos = [
    { typed: "limt", meant: "limit" },
    { typed: "ofset", meant: "offset" },
    { typed: "serch", meant: "search" },
    { typed: "sortby", meant: "sort_by" },
    { typed: "SORT_BY", meant: "sort_by" },
    { typed: "search-mode", meant: "search_mode" },
    { typed: "count_onyl", meant: "count_only" },
    ...(name === "funders-api"
      ? []
      : [
          { typed: "state", meant: "states" },
          { typed: "catagory", meant: "category" },
          { typed: "min_amout", meant: "min_amount" },
          { typed: "deadline_befor", meant: "deadline_before" },
          { typed: "include_archive", meant: "include_archived" },
          { typed: "opportunity-type", meant: "opportunity_type" },
        ]),
    ...(name === "contracts-api" ? [{ typed: "setaside", meant: "set_aside" }] : []),
  ];
  test.each(typos)("$typed is refused and $meant suggested", async ({ typed, meant }) => {
    const problem = await client.refused(`/${name}?${typed}=1`, 400);
    expect(problem.errors).toEqual([
      { parameter: typed, message: expect.stringMatching(new RegExp(`\\b${meant}\\b`)) },
    ]);
  });

  const strangers = {
    "grants-api": ["naics", "set_aside", "id", "api_key", "select"],
    "contracts-api": ["id", "api_key", "select"],
    "funders-api": ["status", "category", "states", "geography", "min_amount", "opportunity_type", "posted_after"],
  }[name];
  test.each(strangers)("%s, which this endpoint does not have, is refused by its name", async (stranger) => {
    const problem = await client.refused(`/${name}?${stranger}=1`, 400);
    expect(problem.errors?.map(({ parameter }) => parameter)).toEqual([stranger]);
  });

  test.each(["sort_by=relevance", "search_mode=semantic", "search_mode=hybrid"])("%s needs a search", async (query) => {
    const problem = await client.refused(`/${name}?${query}`, 400);
    expect(problem.errors?.map(({ parameter }) => parameter)).toEqual(["search"]);
  });

  test("every wrong parameter is named, not the first alone", async () => {
    const problem = await client.refused(`/${name}?limit=0&offset=-1&order=up&nonsense=1`, 400);
    const named = problem.errors?.map(({ parameter }) => parameter).sort();
    expect(named).toEqual(["limit", "nonsense", "offset", "order"]);
  });
});

const hostile = [
  "%00",
  "%ff%fe",
  "%",
  "%ED%A0%80",
  "'%3Bdrop%20table%20grants--",
  "((((",
  "%22unbalanced",
  "%5C",
  "%3A*%26!",
];

describe.each(["keyword", "semantic", "hybrid"])("hostile search text in %s mode", (mode) => {
  test.each(hostile)("%s is answered or refused, never a failure", async (search) => {
    const response = await contract.send(`/grants-api?search_mode=${mode}&limit=1&search=${search}`);
    expect([200, 400]).toContain(response.status);
  });
});
