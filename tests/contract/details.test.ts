import { beforeAll, describe, expect, test } from "vitest";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import { csvParseCells } from "../support/csv-readers.ts";
import { apiClient, type Query } from "./client.ts";
import { discoverQuery } from "./discover.ts";
import { mcpClient } from "./mcp-client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const mcp = mcpClient(target);

type Detailed = Record<string, unknown> & { id: string; details: OpportunityDetails };

async function recordsOf(path: string): Promise<Record<string, unknown>[]> {
  return ((await client.json(path)) as { results: Record<string, unknown>[] }).results;
}

const pathOf = (name: string, query: Query) =>
  `/${name}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`;

describe.each(["grants-api", "contracts-api", "funders-api"] as const)("expand=details of GET /%s", (name) => {
  const everything: Query = name === "funders-api" ? {} : { opportunity_type: "all", include_archived: true };

  test("adds details to each record, and changes nothing else", async () => {
    for (const query of [everything, { ...everything, sort_by: "created_at", order: "asc", offset: 7 }] as Query[]) {
      const plain = await recordsOf(pathOf(name, { ...query, limit: 50 }));
      const detailed = (await recordsOf(pathOf(name, { ...query, limit: 50, expand: "details" }))) as Detailed[];
      expect(plain.length).toBeGreaterThan(10);
      expect(detailed.map(({ details: _, ...record }) => JSON.stringify(record))).toEqual(
        plain.map((record) => JSON.stringify(record)),
      );
      for (const { details } of detailed) expect(details.source).not.toBe("");
    }
  });

  test("of a ranked search, too", async () => {
    const search = name === "funders-api" ? "water" : await discoverQuery(client, [name], "hybrid");
    const query = { search, search_mode: "hybrid", limit: 5 };
    const [plain, detailed] = await Promise.all([
      recordsOf(pathOf(name, query)),
      recordsOf(pathOf(name, { ...query, expand: "details" })),
    ]);
    expect(detailed.map(({ details: _, ...record }) => record)).toEqual(plain);
    expect(detailed.every(({ details }) => typeof details === "object")).toBe(true);
  });

  test("is the same on the next page, of one record and from an MCP tool", async () => {
    const list = pathOf(name, { ...everything, limit: 3, expand: "details" });
    const first = (await client.json(list)) as { pagination: { next: string } };
    const [record] = (await recordsOf(`${list}&cursor=${first.pagination.next}`)) as Detailed[];
    expect(record?.details).toBeDefined();
    expect(await client.json(`/${name}/${record?.id}?expand=details`)).toEqual(record);
    const { details: _, ...plain } = record ?? {};
    expect(await client.json(`/${name}/${record?.id}`)).toEqual(plain);
    const tool = { type: name.replace("-api", ""), id: record?.id, expand: ["details"] };
    expect(await mcp.answer("get_record", tool)).toEqual(record);
  });

  test("has a CSV column for each", async () => {
    const query = { ...everything, limit: 40, expand: "details" };
    const records = (await recordsOf(pathOf(name, query))) as Detailed[];
    const response = await target.send(pathOf(name, { ...query, format: "csv" }));
    const [columns = [], ...rows] = csvParseCells(await response.text());
    for (const [index, { id, details }] of records.entries()) {
      const cells = Object.fromEntries(columns.map((column, position) => [column, rows[index]?.[position]]));
      expect(cells.id).toBe(id);
      expect(Object.keys(details).filter((field) => !columns.includes(field))).toEqual([]);
      expect(cells.source).toBe(details.source);
      expect(cells.updated_at).toBe(details.updated_at);
      if (name === "funders-api") continue;
      expect(cells.deadline_at).toBe(details.deadline_at ?? "");
      expect(cells.applicant_types).toBe(details.applicant_types.join("; "));
      expect(cells.documents).toBe(details.documents.map(({ url }) => url).join("; "));
      expect(cells.cost_sharing).toBe(String(details.cost_sharing ?? ""));
      expect(cells.assistance_listings).toBe(
        details.assistance_listings
          .map(({ number, title }) => (title === null ? number : `${number} ${title}`))
          .join("; "),
      );
    }
  });

  test("asks for nothing else", async () => {
    for (const path of [`/${name}?expand=everything`, `/${name}/00000000-0000-4000-8000-000000000000?expand=funder`]) {
      const response = await target.send(path);
      expect(response.status).toBe(400);
      expect(((await response.json()) as { errors: unknown }).errors).toEqual([
        { parameter: "expand", message: "must be one or more of details, separated by commas" },
      ]);
    }
  });
});

test("a deadline with an hour is on the day of the deadline, and says whether the hour is assumed", async () => {
  const records = (await recordsOf("/grants-api?expand=details&limit=100&sort_by=deadline_date")) as Detailed[];
  const withHour = records.filter(({ details }) => details.deadline_at !== null);
  for (const { deadline_date, details } of withHour) expect(details.deadline_at?.slice(0, 10)).toBe(deadline_date);
  for (const { details } of withHour) {
    if (details.deadline_assumed) expect(details.deadline_at).toMatch(/T23:59:00-0[45]:00$/);
  }
});

describe.each(["grants-api", "contracts-api"] as const)("filters by details of GET /%s", (name) => {
  const scope: Query = { opportunity_type: "all" };
  const pages = async (query: Query) => {
    const records: Detailed[] = [];
    for (let offset = 0; offset < mostRead; offset += 100) {
      const page = await recordsOf(pathOf(name, { ...scope, ...query, expand: "details", limit: 100, offset }));
      records.push(...(page as Detailed[]));
      if (page.length < 100) break;
    }
    return records;
  };
  const mostRead = 600;
  let all: Detailed[];
  beforeAll(async () => {
    all = await pages({});
  });

  /**
   * A filter, made of the details of some record, and what it keeps. A catalogue that was imported before there were details has none to
   * choose from: each filter then finds nothing.
   */
  const filters: [
    string,
    (known: OpportunityDetails[]) => Query,
    (details: OpportunityDetails, query: Query) => boolean,
  ][] = [
    [
      "agency, in any case",
      (known) => ({
        agency: (known.findLast(({ agency }) => agency.length > 1)?.agency[0] ?? "No such agency").toUpperCase(),
      }),
      ({ agency }, query) => agency.some((one) => one.toUpperCase() === query.agency),
    ],
    ["source", (known) => ({ source: known[0]?.source ?? "none" }), ({ source }, query) => source === query.source],
    [
      "updated_after",
      (known) => ({
        updated_after: known.map(({ updated_at }) => updated_at).toSorted()[known.length >> 1] ?? "2026-01-01",
      }),
      ({ updated_at }, query) => Date.parse(updated_at) > Date.parse(String(query.updated_after)),
    ],
    [
      "applicant_type",
      (known) => ({
        applicant_type: known.find((one) => one.applicant_types.length > 0)?.applicant_types[0] ?? "individual",
      }),
      ({ applicant_types }, query) =>
        applicant_types.some((type) => type === query.applicant_type || type === "unrestricted"),
    ],
    [
      "several of applicant_type without include_unrestricted",
      () => ({ applicant_type: "government_county,non_profit_with_501c3", include_unrestricted: "false" }),
      ({ applicant_types }) =>
        applicant_types.some((type) => ["government_county", "non_profit_with_501c3"].includes(type)),
    ],
    ["cost_sharing", () => ({ cost_sharing: "false" }), ({ cost_sharing }) => cost_sharing === false],
    [
      "funding_instrument",
      () => ({ funding_instrument: "cooperative_agreement,other" }),
      ({ funding_instrument }) => funding_instrument.some((one) => ["cooperative_agreement", "other"].includes(one)),
    ],
    [
      "assistance_listing",
      (known) => ({
        assistance_listing:
          known.find((one) => one.assistance_listings.length > 0)?.assistance_listings[0]?.number ?? "10.557",
      }),
      ({ assistance_listings }, query) => assistance_listings.some(({ number }) => number === query.assistance_listing),
    ],
    [
      "cost_sharing with applicant_type",
      () => ({ cost_sharing: "true", applicant_type: "unrestricted" }),
      ({ cost_sharing, applicant_types }) => cost_sharing === true && applicant_types.includes("unrestricted"),
    ],
  ];

  test.each(filters)("%s keeps exactly the records that it should, and counts them", async (_, queryOf, keeps) => {
    const query = queryOf(all.map(({ details }) => details));
    const kept = await pages(query);
    expect(kept.filter(({ details }) => !keeps(details, query))).toEqual([]);
    const expected = all.filter(({ details }) => keeps(details, query)).map(({ id }) => id);
    const ids = new Set(kept.map(({ id }) => id));
    if (kept.length < mostRead) {
      expect(expected.filter((id) => !ids.has(id))).toEqual([]);
      expect(await client.count(name, { ...scope, ...query })).toBe(kept.length);
    }
  });

  test("are of searches, too", async () => {
    const [agency = "No such agency"] = all.find(({ details }) => details.agency.length > 0)?.details.agency ?? [];
    const search = await discoverQuery(client, [name], "hybrid");
    const query = { ...scope, search, search_mode: "hybrid", expand: "details", limit: 20, agency };
    for (const { details } of (await recordsOf(pathOf(name, query))) as Detailed[])
      expect(details.agency).toContain(agency);
  });

  test("a funder is known by its id, as a funder and as an agency", async () => {
    const own = await pages({ funder_id: String(all[0]?.funder_id) });
    expect(own.map(({ id }) => id)).toContain(all[0]?.id);
    expect(new Set(own.map(({ funder_id }) => funder_id))).toEqual(new Set([all[0]?.funder_id]));
    const within = new Set((await pages({ agency: String(all[0]?.funder_id) })).map(({ id }) => id));
    expect(own.filter(({ id, details }) => details.agency.length > 0 && !within.has(id))).toEqual([]);
  });

  test("facets count what records have", async () => {
    const facets = "agency,source,applicant_type,funding_instrument,assistance_listing,cost_sharing";
    const answer = (await client.json(pathOf(name, { ...scope, facets, limit: 1 }))) as {
      facets: Record<string, { value: string; count: number }[]>;
    };
    expect(answer.facets.source?.length).toBeGreaterThan(0);
    expect(answer.facets.agency?.length === 0).toBe(all.every(({ details }) => details.agency.length === 0));
    for (const facet of ["agency", "source", "assistance_listing", "cost_sharing"]) {
      for (const { value, count } of answer.facets[facet]?.slice(0, 2) ?? []) {
        expect(await client.count(name, { ...scope, [facet]: value }), `${facet}=${value}`).toBe(count);
      }
    }
  });

  test("sort_by=updated_at pages through the list, none twice and none left out", async () => {
    for (const order of ["asc", "desc"]) {
      const query = { ...scope, sort_by: "updated_at", order, expand: "details", limit: 100 };
      const seen: Detailed[] = [];
      let cursor: string | null = null;
      do {
        const page = (await client.json(pathOf(name, cursor === null ? query : { ...query, cursor }))) as {
          results: Detailed[];
          pagination: { next: string | null };
        };
        seen.push(...page.results);
        cursor = page.pagination.next;
      } while (cursor !== null && seen.length < 1_000);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
      const moments = seen.map(({ details }) => details.updated_at);
      expect(moments).toEqual(order === "asc" ? moments.toSorted() : moments.toSorted().reverse());
    }
  });
});
