import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importRows } from "../../ingest/import-rows.ts";
import { readFiles } from "../../ingest/read/files.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import { sources } from "../../ingest/sources/registry.ts";
import { emptySummary } from "../../ingest/summary.ts";
import { publisherDay } from "../../shared/publisher-day.ts";
import type { PaginationInfo, SortInfo } from "../../shared/responses/common-grants.ts";
import type { CommonAward } from "../../shared/responses/common-grants-awards.ts";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import type { Grant } from "../../shared/responses/records.ts";
import { expectToMatchProtocol } from "../support/common-grants/published.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

/** Awards of publishers' files at the CommonGrants endpoint: every answer is held to the protocol's document. */

const files: [source: string, name: string][] = [
  ["usaspending", "Assistance_PrimeAwardSummaries.csv"],
  ["nsf", "nsf-awards.json"],
  ["nih-reporter", "nih-reporter.json"],
  ["360giving", "360giving.json"],
];

let service: TestService;
let headers: Record<string, string>;
/** Every award, in the order of the list. */
let all: CommonAward[];
const today = publisherDay(new Date());

beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
  for (const [name, file] of files) {
    const source = sources.find((one) => one.name === name);
    if (source === undefined) throw new Error(`no source ${name}`);
    const path = fileURLToPath(new URL(`../fixtures/sources/${file}`, import.meta.url));
    await importRows(readFiles([{ chunks: createReadStream(path) }], source.read), {
      prepare: namedMapping(source),
      rejects: { write: async () => undefined },
      summary: emptySummary(),
      connect: () => Promise.resolve([service.connection]),
    });
  }
  all = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { items, paginationInfo } = await get<Page>(`/common-grants/awards?page=${page}`);
    all.push(...items);
    pages = paginationInfo.totalPages ?? 0;
  }
});
afterAll(() => service.close());

interface Page {
  items: CommonAward[];
  paginationInfo: PaginationInfo;
}
interface Found extends Page {
  sortInfo: SortInfo;
  filterInfo: { filters: Record<string, unknown>; errors?: string[] };
}

async function send<Body>(method: string, path: string, body?: object, status = 200): Promise<Body> {
  const response = await service.fetch(path, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(status);
  await expectToMatchProtocol(method, path, response.clone());
  return (await response.json()) as Body;
}
const get = <Body>(path: string, status?: number) => send<Body>("GET", path, undefined, status);

async function search(body: object): Promise<Found & { ids: Set<string> }> {
  const found = await send<Found>("POST", "/common-grants/awards/search", body);
  const items = [...found.items];
  for (let page = 2; page <= (found.paginationInfo.totalPages ?? 0); page++) {
    items.push(...(await send<Found>("POST", `/common-grants/awards/search?page=${page}`, body)).items);
  }
  return { ...found, items, ids: new Set(items.map(({ id }) => id)) };
}

const idsWhere = (condition: (award: CommonAward) => boolean) => new Set(all.filter(condition).map(({ id }) => id));
const amountOf = ({ funding }: CommonAward) => Number(funding?.awardedAmount?.amount ?? Number.NaN);
const dateOf = ({ keyDates: { awardDate } = {} }: CommonAward) =>
  awardDate !== undefined && "date" in awardDate ? awardDate.date : "";

describe("GET /common-grants/awards", () => {
  test("lists every awarded project that is current once, what was modified last first", async () => {
    const stored = await service.connection.query<{ id: string }>(
      "select id from funding.grants where classification = 'awarded_project' and archived_at is null",
    );
    expect(stored.length).toBeGreaterThan(20);
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(stored.map(({ id }) => id)));
    const moments = all.map(({ lastModifiedAt }) => lastModifiedAt);
    expect(moments).toEqual(moments.toSorted().reverse());
  });

  test("takes a page and its size", async () => {
    const { items, paginationInfo } = await get<Page>("/common-grants/awards?page=2&pageSize=7");
    expect(items).toEqual(all.slice(7, 14));
    expect(paginationInfo).toMatchObject({ page: 2, pageSize: 7, totalItems: all.length });
  });

  test.each(["pageSize=101", "page=0", "status=awarded"])("refuses %s", async (query) => {
    await get(`/common-grants/awards?${query}`, 400);
  });
});

describe("an award", () => {
  test("of USAspending has its FAIN, recipient, amounts and period", async () => {
    const award = all.find(({ identifiers }) => identifiers?.["awd:us:fain"] !== undefined);
    expect(award).toMatchObject({
      identifiers: { "awd:us:fain": { registry: { code: "awd:us:fain" } } },
      status: { value: expect.stringMatching(/^(awarded|completed)$/) },
      funding: { details: expect.any(String), awardedAmount: { currency: "USD" } },
      keyDates: { awardDate: { eventType: "singleDate" }, periodOfPerformance: { eventType: "dateRange" } },
      funders: { primary: { name: expect.any(String) } },
      recipientOrganizations: { primary: { name: expect.any(String) } },
    });
  });

  test("of another publisher has the publisher's own number", () => {
    const codes = new Set(all.flatMap(({ identifiers }) => Object.keys(identifiers?.otherIds ?? {})));
    for (const source of ["nsf", "nih-reporter", "360giving"]) expect(codes).toContain(`awd:${source}:number`);
  });

  test("has what the details of the grant have", async () => {
    for (const award of all.slice(0, 60)) {
      const answer = await service.fetch(`/grants-api/${award.id}?expand=details`, { headers });
      const grant = (await answer.json()) as Grant & { details: OpportunityDetails };
      const { details } = grant;
      const amount = details.obligated_amount ?? grant.amount_max;
      expect(award.funding?.awardedAmount?.amount).toBe(amount === null ? undefined : String(amount));
      expect(award.recipientOrganizations?.primary.name ?? null).toBe(details.recipient?.name ?? null);
      const ended = typeof grant.project_end_date === "string" && grant.project_end_date < today;
      expect(award.status.value).toBe(ended ? "completed" : "awarded");
      expect(award.funders?.primary).toEqual({ id: grant.funder_id, name: grant.funder_name });
    }
  });

  test("is found by its id, with an entity tag; an opportunity is not", async () => {
    const [award] = all;
    const { data } = await get<{ data: CommonAward }>(`/common-grants/awards/${award?.id}`);
    expect(data).toEqual(award);
    const response = await service.fetch(`/common-grants/awards/${award?.id}`, { headers });
    const again = await service.fetch(`/common-grants/awards/${award?.id}`, {
      headers: { ...headers, "if-none-match": response.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
    const { items } = await get<Page>("/common-grants/opportunities?pageSize=1");
    await get(`/common-grants/awards/${items[0]?.id}`, 404);
    await get(`/common-grants/awards/${crypto.randomUUID()}`, 404);
    const refused = await get<{ errors: unknown[] }>("/common-grants/awards/x", 400);
    expect(refused.errors).toEqual([{ field: "awdId", message: "must be a UUID" }]);
  });

  test("names one recipient by one id", () => {
    const byName = new Map<string, Set<string>>();
    for (const { recipientOrganizations } of all) {
      if (recipientOrganizations === undefined) continue;
      const { id, identifiers, name } = recipientOrganizations.primary;
      const key = identifiers?.["org:us:uei"]?.id ?? identifiers?.["org:us:ein"]?.id ?? name.toLowerCase();
      byName.set(key, (byName.get(key) ?? new Set()).add(id));
    }
    expect(byName.size).toBeGreaterThan(3);
    for (const ids of byName.values()) expect(ids.size).toBe(1);
  });
});

describe("POST /common-grants/awards/search", () => {
  test.each<[string, object, (status: string) => boolean]>([
    ["awarded", { operator: "in", value: ["awarded"] }, (status) => status === "awarded"],
    ["completed", { operator: "in", value: ["completed"] }, (status) => status === "completed"],
    ["both", { operator: "in", value: ["awarded", "completed"] }, () => true],
    ["not awarded", { operator: "notIn", value: ["awarded"] }, (status) => status === "completed"],
    ["not completed", { operator: "notIn", value: ["completed", "custom"] }, (status) => status === "awarded"],
    ["cancelled", { operator: "in", value: ["cancelled"] }, () => false],
    ["neither", { operator: "notIn", value: ["awarded", "completed"] }, () => false],
  ])("finds by status: %s", async (_name, status, isMeant) => {
    const { ids, filterInfo } = await search({ filters: { status } });
    expect(ids).toEqual(idsWhere((award) => isMeant(award.status.value)));
    expect(filterInfo).toEqual({ filters: { status } });
  });

  test("has awards of both statuses to find", () => {
    expect(new Set(all.map(({ status }) => status.value))).toEqual(new Set(["awarded", "completed"]));
  });

  test.each(["between", "outside"])("finds by the award's date: %s", async (operator) => {
    const days = all.map(dateOf).toSorted();
    const [min = "", max = ""] = [days[Math.floor(days.length / 4)], days[Math.floor((days.length * 3) / 4)]];
    const { ids } = await search({ filters: { awardDateRange: { operator, value: { min, max } } } });
    expect(ids).toEqual(
      idsWhere((award) => (dateOf(award) >= min && dateOf(award) <= max) === (operator === "between")),
    );
    expect(ids.size).toBeGreaterThan(0);
  });

  test.each(["between", "outside"])("finds by the amount: %s", async (operator) => {
    const amounts = all.map(amountOf).filter((amount) => !Number.isNaN(amount));
    const sorted = amounts.toSorted((one, other) => one - other);
    const [min = 0, max = 0] = [sorted[Math.floor(sorted.length / 4)], sorted[Math.floor((sorted.length * 3) / 4)]];
    const bounds = { min: { amount: String(min), currency: "USD" }, max: { amount: String(max), currency: "USD" } };
    const { ids } = await search({ filters: { awardedAmountRange: { operator, value: bounds } } });
    const isIn = (amount: number) => amount >= min && amount <= max;
    expect(ids).toEqual(
      idsWhere((award) => !Number.isNaN(amountOf(award)) && isIn(amountOf(award)) === (operator === "between")),
    );
    expect(ids.size).toBeGreaterThan(0);
  });

  test("another currency finds nothing, and is named", async () => {
    const value = { min: { amount: "0", currency: "EUR" }, max: { amount: "1", currency: "EUR" } };
    const { ids, filterInfo } = await search({ filters: { awardedAmountRange: { operator: "between", value } } });
    expect(ids.size).toBe(0);
    expect(filterInfo.errors).toEqual(["awardedAmountRange: all amounts are in USD"]);
  });

  test("custom filters are those of opportunities", async () => {
    const customFilters = { dataSource: { operator: "in", value: ["nsf"] } };
    const { ids, filterInfo } = await search({ filters: { customFilters } });
    expect(ids).toEqual(idsWhere(({ identifiers }) => identifiers?.otherIds?.["awd:nsf:number"] !== undefined));
    expect(filterInfo).toEqual({ filters: { customFilters } });
  });

  test("finds by the opportunity whose number the award names, in any spelling", async () => {
    const insertOpportunity = async (number: string) => {
      const [row] = await service.connection.query<{ id: string }>(
        `insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash, details)
         select gen_random_uuid(), 'Opportunity', '', 'closed', 'opportunity', funder_id, now(), 'test', $1, '', jsonb_build_object('opportunity_number', $1::text)
         from funding.grants limit 1 returning id`,
        [number],
      );
      return row?.id ?? "";
    };
    const [named, other] = all.slice(0, 2).map(({ id }) => id);
    for (const [id, number] of [
      [named, "lake 26 0001"],
      [other, "LAKE-26-0002"],
    ]) {
      await service.connection.query(
        "update funding.grants set details = details || jsonb_build_object('opportunity_number', $2::text) where id = $1",
        [id, number],
      );
    }
    const wanted = await insertOpportunity("LAKE-26-0001");
    const unnamed = await insertOpportunity("LAKE-26-0009");
    const found = async (operator: string, ...value: string[]) =>
      (await search({ filters: { opportunityId: { operator, value } } })).ids;
    expect(await found("in", wanted, unnamed)).toEqual(new Set([named]));
    expect(await found("in", unnamed)).toEqual(new Set());
    expect(await found("notIn", wanted)).toEqual(idsWhere(({ id }) => id !== named));
    await service.connection.query("delete from funding.grants where source = 'test'");
  });

  test("what is not applied is named: ids that are none, unknown filters and statuses", async () => {
    const { filterInfo, ids } = await search({
      filters: {
        opportunityId: { operator: "notIn", value: ["lakes"] },
        status: { operator: "notIn", value: ["lost"] },
        customFilters: { colour: { operator: "eq", value: "red" } },
      },
    });
    expect(filterInfo.errors).toEqual([
      "status: no award has the status lost",
      "opportunityId: no opportunity has the id lakes",
      expect.stringContaining("customFilters.colour was not applied"),
    ]);
    expect(ids.size).toBe(all.length);
  });

  test("filters hold together, and with a search", async () => {
    const [word = ""] = all.find(({ title }) => /\w{6}/.test(title))?.title.match(/\w{6,}/) ?? [];
    const { items } = await search({ search: word, filters: { status: { operator: "in", value: ["completed"] } } });
    for (const { status } of items) expect(status.value).toBe("completed");
    expect((await search({ search: word })).items.length).toBeGreaterThan(0);
  });

  const keys: Record<string, (award: CommonAward) => string | number> = {
    createdAt: ({ createdAt }) => createdAt,
    "keyDates.awardDate": dateOf,
    "funding.awardedAmount": amountOf,
  };
  test.each(Object.keys(keys).flatMap((sortBy) => ["asc", "desc"].map((sortOrder) => ({ sortBy, sortOrder }))))(
    "sorts by $sortBy, $sortOrder",
    async ({ sortBy, sortOrder }) => {
      const { items, sortInfo } = await search({ sorting: { sortBy, sortOrder } });
      expect(sortInfo).toEqual({ sortBy, sortOrder });
      expect(items.length).toBe(all.length);
      const found = items.map((award) => keys[sortBy]?.(award) ?? "");
      const known = found.filter((key) => !Number.isNaN(key));
      // Those without a value come last.
      expect(found.slice(0, known.length)).toEqual(known);
      const sorted = known.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
      expect(known).toEqual(sortOrder === "asc" ? sorted : sorted.reverse());
    },
  );

  test("an order that there is not is replaced, and named", async () => {
    const { sortInfo } = await search({ sorting: { sortBy: "status.value" } });
    expect(sortInfo).toMatchObject({ sortBy: "lastModifiedAt", errors: [expect.stringContaining("status.value")] });
  });

  test.each([
    { filters: { closeDateRange: {} } },
    { filters: { status: { operator: "eq", value: "awarded" } } },
    { sorting: { sortBy: "keyDates.closeDate" } },
    { filters: { awardDateRange: { operator: "between", value: { min: "x", max: "y" } } } },
    { more: 1 },
  ])("%o is refused", async (body) => {
    await send("POST", "/common-grants/awards/search", body, 400);
  });
});
