import { beforeAll, describe, expect, test } from "vitest";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import { apiClient, idsOf, readJson } from "./client.ts";
import { frequentWords, mostFrequent } from "./discover.ts";
import type { Grant } from "./schemas.ts";
import { type Caller, contractTarget } from "./target.ts";

// The target holds every answer to the protocol's own document: see `expectToMatchProtocol`.
const target = contractTarget();
const client = apiClient(target);
const path = "/common-grants/opportunities";
const pageSize = 100;
/** A larger catalogue is compared as far as this. */
const mostPages = 60;

interface Money {
  amount: string;
  currency: string;
}
interface Opportunity {
  id: string;
  title: string;
  status: { value: string; customValue?: string };
  description: string;
  funding?: Partial<Record<"totalAmountAvailable" | "minAwardAmount" | "maxAwardAmount", Money>> & {
    estimatedAwardCount?: number;
  };
  keyDates?: Partial<Record<"postDate" | "closeDate", { date: string; time?: string }>>;
  acceptedApplicantTypes?: { value: string }[];
  source?: string;
  customFields?: Record<string, { name: string; fieldType: string; value: unknown }>;
  createdAt: string;
  lastModifiedAt: string;
}
interface Page {
  items: Opportunity[];
  paginationInfo: { page: number; pageSize: number; totalItems: number; totalPages: number };
}
interface Found extends Page {
  sortInfo: { sortBy: string; customSortBy?: string; sortOrder: string; errors?: string[] };
  filterInfo: { filters: Record<string, unknown>; errors?: string[] };
}
interface Failure {
  status: number;
  message: string;
  errors: { field: string; message: string }[];
}

async function list(page: number, size = pageSize): Promise<Page> {
  return (await client.json(`${path}?page=${page}&pageSize=${size}`)) as Page;
}

function post(
  body: BodyInit,
  headers: Record<string, string> = { "content-type": "application/json" },
  caller?: Caller,
) {
  return target.send(`${path}/search`, { method: "POST", body, headers }, caller);
}

async function search(body: object): Promise<Found> {
  const text = JSON.stringify(body);
  return (await readJson(await post(text), 200, text)) as Found;
}

/** Every opportunity, in the order of the list. */
let all: Opportunity[];
let isWhole: boolean;
beforeAll(async () => {
  const first = await list(1);
  all = [...first.items];
  const pages = Math.min(first.paginationInfo.totalPages, mostPages);
  for (let page = 2; page <= pages; page++) all.push(...(await list(page)).items);
  isWhole = pages === first.paginationInfo.totalPages;
});

const amountOf = (money: Money | undefined) => (money === undefined ? undefined : Number(money.amount));

describe("GET /common-grants/opportunities", () => {
  test("lists the current grants, each once, what was modified last first", async () => {
    const { paginationInfo } = await list(1);
    expect(paginationInfo.totalItems).toBe(await client.count("grants-api"));
    expect(new Set(idsOf(all)).size).toBe(all.length);
    if (isWhole) expect(all.length).toBe(paginationInfo.totalItems);
    // Where the catalogue is larger, the tests that compare all of it are left out.
    expect(isWhole).toBe(paginationInfo.totalPages <= mostPages);
    if (process.env.API_BASE_URL === undefined) expect(isWhole).toBe(true);
    const moments = all.map(({ lastModifiedAt }) => lastModifiedAt);
    expect(moments).toEqual(moments.toSorted().reverse());
  });

  test("has the order of sort_by=updated_at, ties included", async () => {
    const { results } = await client.list("grants-api", { sort_by: "updated_at", limit: 100, offset: 100 });
    expect(idsOf((await list(2)).items)).toEqual(idsOf(results));
  });

  test("has 100 of the first page by default", async () => {
    const page = (await client.json(path)) as Page;
    expect(page.paginationInfo).toMatchObject({ page: 1, pageSize: 100 });
    expect(page.items).toEqual(all.slice(0, 100));
  });

  test.each([1, 7, 100])("pages of %i follow each other, and the last has the rest", async (size) => {
    for (const page of [1, 2, 5]) {
      expect((await list(page, size)).items).toEqual(all.slice((page - 1) * size, page * size));
    }
    const { totalItems, totalPages } = (await list(1, size)).paginationInfo;
    expect(totalPages).toBe(Math.ceil(totalItems / size));
    const last = await list(totalPages, size);
    expect(last.items).toHaveLength(totalItems - (totalPages - 1) * size);
    if (isWhole) expect(last.items).toEqual(all.slice((totalPages - 1) * size));
  });

  test.each([10_000_000, 2 ** 31 - 1])("page %i, behind the last, is empty", async (page) => {
    const { items, paginationInfo } = await list(page);
    expect(items).toEqual([]);
    expect(paginationInfo).toMatchObject({ page, totalItems: (await list(1)).paginationInfo.totalItems });
  });

  test.each<{ query: string; field: string }>([
    { query: "page=0", field: "page" },
    { query: "page=-1", field: "page" },
    { query: "page=1.5", field: "page" },
    { query: "page=x", field: "page" },
    { query: "page=2147483648", field: "page" },
    { query: "pageSize=0", field: "pageSize" },
    { query: "pageSize=101", field: "pageSize" },
    { query: "pageSize=", field: "pageSize" },
    { query: "page_size=10", field: "page_size" },
    { query: "limit=10", field: "limit" },
    { query: "page=1&page=1", field: "page" },
  ])("$query is 400, and named", async ({ query, field }) => {
    const failure = (await client.json(`${path}?${query}`, 400)) as Failure;
    expect(failure).toMatchObject({ status: 400, message: expect.stringContaining(field) });
    expect(failure.errors.map((error) => error.field)).toEqual([field]);
  });
});

describe("an opportunity", () => {
  type Detailed = Grant & { details: OpportunityDetails };

  test("has what the grant has, and nothing that it has not", async () => {
    const { results } = (await client.json("/grants-api?sort_by=updated_at&limit=100&expand=details")) as {
      results: Detailed[];
    };
    expect(results.length).toBe(Math.min(100, all.length));
    results.forEach((grant, index) => {
      const opportunity = all[index];
      const { funding, keyDates, customFields = {} } = opportunity ?? {};
      const { details } = grant;
      const statuses = {
        open: "open",
        posted: "open",
        closed: "closed",
        upcoming: "forecasted",
        forecasted: "forecasted",
      };
      expect(opportunity).toMatchObject({
        id: grant.id,
        title: grant.title,
        description: grant.description,
        status: { value: statuses[grant.status as keyof typeof statuses] },
        createdAt: grant.created_at,
        lastModifiedAt: details.updated_at,
      });
      expect(amountOf(funding?.minAwardAmount) ?? null).toBe(grant.amount_min);
      expect(amountOf(funding?.maxAwardAmount) ?? null).toBe(grant.amount_max);
      expect(amountOf(funding?.totalAmountAvailable) ?? null).toBe(details.total_funding);
      expect(funding?.estimatedAwardCount ?? null).toBe(details.expected_awards);
      expect(keyDates?.closeDate?.date ?? null).toBe(grant.deadline_date);
      expect(keyDates?.closeDate?.time ?? null).toBe(
        details.deadline_at === null || details.deadline_assumed ? null : details.deadline_at.slice(11, 19),
      );
      expect(opportunity?.acceptedApplicantTypes?.map(({ value }) => value) ?? []).toEqual(details.applicant_types);
      expect(opportunity?.source === undefined).toBe(grant.listing_url === null);
      expect(customFields.funderName?.value).toBe(grant.funder_name);
      expect(customFields.agency?.value ?? []).toEqual(details.agency);
      expect(customFields.costSharing?.value ?? null).toBe(details.cost_sharing);
    });
  });

  test("has custom fields that are what their type says", () => {
    for (const { customFields = {} } of all) {
      for (const [key, { name, fieldType, value }] of Object.entries(customFields)) {
        expect(name).toBe(key);
        expect(Array.isArray(value) ? "array" : typeof value).toBe(fieldType);
      }
    }
  });

  test("is the same by its id, with an entity tag", async () => {
    for (const opportunity of [all[0], all.at(-1)]) {
      const response = await target.send(`${path}/${opportunity?.id}`);
      expect(await response.clone().json()).toEqual({ status: 200, message: "Success", data: opportunity });
      const tag = response.headers.get("etag") ?? "";
      const again = await target.send(`${path}/${opportunity?.id}`, { headers: { "if-none-match": tag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
  });

  test("that is an awarded project is in no list, and custom by its id", async () => {
    const { results } = await client.list("grants-api", { opportunity_type: "awarded", limit: 1 });
    const { data } = (await client.json(`${path}/${results[0]?.id}`)) as { data: Opportunity };
    expect(data.status).toEqual({ value: "custom", customValue: "awarded" });
    expect(idsOf(all)).not.toContain(data.id);
  });

  test("that there is not is 404, and an id that is none 400", async () => {
    const id = crypto.randomUUID();
    const missing = (await client.json(`${path}/${id}`, 404)) as Failure;
    expect(missing).toEqual({ status: 404, message: expect.stringContaining(id), errors: [] });
    const wrong = (await client.json(`${path}/1`, 400)) as Failure;
    expect(wrong.errors.map(({ field }) => field)).toEqual(["oppId"]);
    await client.json(`${path}/${all[0]?.id}?expand=details`, 400);
  });
});

/** What a search finds, by the search itself and by the list of all opportunities. */
async function expectFound(body: Record<string, unknown>, expected: readonly Opportunity[]): Promise<Found> {
  const first = await search({ ...body, pagination: { pageSize } });
  expect(first.paginationInfo, JSON.stringify(body)).toEqual({
    page: 1,
    pageSize,
    totalItems: expected.length,
    totalPages: Math.ceil(expected.length / pageSize),
  });
  expect(first.items).toEqual(expected.slice(0, pageSize));
  const { totalPages } = first.paginationInfo;
  for (const page of new Set([Math.ceil(totalPages / 2), totalPages])) {
    if (page <= 1) continue;
    const { items } = await search({ ...body, pagination: { page, pageSize } });
    expect(items).toEqual(expected.slice((page - 1) * pageSize, page * pageSize));
  }
  return first;
}

describe("filters of POST /common-grants/opportunities/search", () => {
  const statuses = [[], ["open"], ["forecasted", "open"], ["closed"], ["custom"], ["open", "closed", "forecasted"]];
  test.each(statuses.flatMap((value) => ["in", "notIn"].map((operator) => ({ operator, value }))))(
    "status $operator $value",
    async ({ operator, value }) => {
      if (!isWhole) return;
      const status = { operator, value };
      const kept = all.filter((one) => value.includes(one.status.value) === (operator === "in"));
      const { filterInfo } = await expectFound({ filters: { status } }, kept);
      expect(filterInfo).toEqual({ filters: { status } });
    },
  );

  test("a status that there is not finds nothing, and is named", async () => {
    const { items, filterInfo } = await search({ filters: { status: { operator: "in", value: ["posted"] } } });
    expect(items).toEqual([]);
    expect(filterInfo.errors).toEqual([expect.stringContaining("posted")]);
    const others = await search({ filters: { status: { operator: "notIn", value: ["posted"] } } });
    expect(others.paginationInfo.totalItems).toBe((await list(1)).paginationInfo.totalItems);
  });

  const isMet = <Value extends string | number>(value: Value | undefined, operator: string, min: Value, max: Value) => {
    if (value === undefined) return false;
    return operator === "between" ? value >= min && value <= max : value < min || value > max;
  };
  /** Two values of the records that have some, a quarter and three quarters through, and one of them alone. */
  const boundsOf = <Value extends string | number>(values: (Value | undefined)[]): [Value, Value][] => {
    const sorted: readonly Value[] = values
      .filter((value): value is Value => value !== undefined)
      .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
    if (sorted.length === 0) throw new Error("no record has a value");
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] as Value;
    const [low, high] = [at(1 / 4), at(3 / 4)];
    return [
      [low, high],
      [low, low],
      [high, low],
    ];
  };

  describe.each(["between", "outside"])("%s", (operator) => {
    test("two days of closing, both included", async () => {
      if (!isWhole) return;
      const dateOf = (one: Opportunity) => one.keyDates?.closeDate?.date;
      for (const [min, max] of boundsOf(all.map(dateOf))) {
        const kept = all.filter((one) => isMet(dateOf(one), operator, min, max));
        const found = await expectFound({ filters: { closeDateRange: { operator, value: { min, max } } } }, kept);
        expect(found.filterInfo.errors === undefined).toBe(min <= max);
        const moments = { min: `${min}T10:00:00Z`, max: `${max}T10:00:00+02:00` };
        const byMoment = await expectFound({ filters: { closeDateRange: { operator, value: moments } } }, kept);
        expect(byMoment.filterInfo.errors?.[0]).toMatch(/closeDateRange: days are compared/);
      }
    });

    const amounts = {
      totalFundingAvailableRange: "totalAmountAvailable",
      minAwardAmountRange: "minAwardAmount",
      maxAwardAmountRange: "maxAwardAmount",
    } as const;
    test.each(Object.entries(amounts))("amounts of %s, both included", async (filter, field) => {
      if (!isWhole) return;
      const amountIn = (one: Opportunity) => amountOf(one.funding?.[field]);
      const values = all.map(amountIn);
      // Records from before an upgrade have no details: none is found then.
      for (const [min, max] of boundsOf(values.some((known) => known !== undefined) ? values : [1_000, 50_000])) {
        const value = { min: usd(String(min)), max: usd(`${max}.00`) };
        const kept = all.filter((one) => isMet(amountIn(one), operator, min, max));
        await expectFound({ filters: { [filter]: { operator, value } } }, kept);
      }
    });

    test("amounts of any size", async () => {
      if (!isWhole) return;
      const huge = "9".repeat(400);
      const value = { min: usd(`-${huge}`), max: usd(huge) };
      const kept = all.filter((one) => operator === "between" && one.funding?.maxAwardAmount !== undefined);
      await expectFound({ filters: { maxAwardAmountRange: { operator, value } } }, kept);
    });

    test("amounts of another currency: none, and why", async () => {
      const value = { min: usd("0"), max: { amount: "1", currency: "EUR" } };
      const { items, filterInfo } = await search({ filters: { minAwardAmountRange: { operator, value } } });
      expect(items).toEqual([]);
      expect(filterInfo.errors).toEqual(["minAwardAmountRange: all amounts are in USD"]);
    });
  });

  test("several filters, all of which are met", async () => {
    if (!isWhole) return;
    const filters = {
      status: { operator: "notIn", value: ["closed"] },
      closeDateRange: { operator: "outside", value: { min: "2026-01-01", max: "2026-12-31" } },
      maxAwardAmountRange: { operator: "between", value: { min: usd("1000"), max: usd("500000") } },
    };
    const kept = all.filter(({ status, keyDates, funding }) => {
      const date = keyDates?.closeDate?.date;
      const amount = amountOf(funding?.maxAwardAmount);
      return (
        status.value !== "closed" &&
        isMet(date, "outside", "2026-01-01", "2026-12-31") &&
        isMet(amount, "between", 1_000, 500_000)
      );
    });
    expect(kept.length).toBeGreaterThan(0);
    const { filterInfo } = await expectFound({ filters }, kept);
    expect(filterInfo).toEqual({ filters });
  });

  describe("of our own", () => {
    const fieldOf = (one: Opportunity, name: string) => one.customFields?.[name]?.value;
    /** `other` is a value for a catalogue without details, such as one from before an upgrade: it finds nothing there. */
    const rows: { filter: string; operator: string; other?: string; valuesOf(one: Opportunity): unknown[] }[] = [
      { filter: "category", operator: "eq", valuesOf: (one) => (fieldOf(one, "categories") as string[]) ?? [] },
      {
        filter: "applicantType",
        operator: "eq",
        other: "individual",
        valuesOf: (one) => one.acceptedApplicantTypes?.map(({ value }) => value) ?? [],
      },
      {
        filter: "applicantType",
        operator: "in",
        other: "individual",
        valuesOf: (one) => one.acceptedApplicantTypes?.map(({ value }) => value) ?? [],
      },
      {
        filter: "fundingInstrument",
        operator: "in",
        other: "grant",
        valuesOf: (one) => (fieldOf(one, "fundingInstruments") as string[]) ?? [],
      },
      {
        filter: "agency",
        operator: "eq",
        other: "Department of Energy",
        valuesOf: (one) => (fieldOf(one, "agency") as string[]) ?? [],
      },
      {
        filter: "assistanceListing",
        operator: "eq",
        other: "10.557",
        valuesOf: (one) =>
          ((fieldOf(one, "assistanceListings") ?? []) as { number: string }[]).map(({ number }) => number),
      },
      {
        filter: "costSharing",
        operator: "eq",
        other: "true",
        valuesOf: (one) => [fieldOf(one, "costSharing")].filter((value) => value !== undefined),
      },
      { filter: "dataSource", operator: "eq", valuesOf: (one) => [fieldOf(one, "dataSource")] },
      { filter: "funderId", operator: "eq", valuesOf: (one) => [fieldOf(one, "funderId")] },
    ];
    test.each(rows)("$filter $operator keeps those that have it", async ({ filter, operator, other, valuesOf }) => {
      if (!isWhole) return;
      const known = all.flatMap((one) => valuesOf(one).map(String)).filter((text) => !text.includes(","));
      const texts = known.length === 0 && other !== undefined ? [other] : known;
      const common = mostFrequent(texts);
      const value = filter === "costSharing" ? common === "true" : common;
      const wanted = operator === "in" ? [value, texts[0]] : [value];
      const kept = all.filter((one) => valuesOf(one).some((has) => wanted.includes(has as string)));
      expect(kept.length > 0).toBe(known.length > 0);
      expect(known.length > 0 || other !== undefined).toBe(true);
      const customFilters = { [filter]: { operator, value: operator === "in" ? wanted : value } };
      const { filterInfo } = await expectFound({ filters: { customFilters } }, kept);
      expect(filterInfo).toEqual({ filters: { customFilters } });
    });

    test.each([
      { filter: "createdAt", field: "createdAt" },
      { filter: "lastModifiedAt", field: "lastModifiedAt" },
    ] as const)("$filter gt keeps what is later", async ({ filter, field }) => {
      if (!isWhole) return;
      const moments = all.map((one) => one[field]).sort();
      const value = moments[Math.floor(moments.length / 2)] ?? "";
      const customFilters = { [filter]: { operator: "gt", value } };
      await expectFound(
        { filters: { customFilters } },
        all.filter((one) => one[field] > value),
      );
    });

    test("state finds what the list of grants finds", async () => {
      const customFilters = { state: { operator: "in", value: ["OH", "PA"] } };
      const { paginationInfo } = await search({ filters: { customFilters } });
      expect(paginationInfo.totalItems).toBe(await client.count("grants-api", { states: "OH,PA" }));
    });

    test.each(["in", "in with others"])("nothing is %s no values", async (how) => {
      const customFilters = {
        state: { operator: "in", value: [] },
        ...(how === "in" ? {} : { costSharing: { operator: "eq", value: true } }),
      };
      expect((await search({ filters: { customFilters } })).paginationInfo.totalItems).toBe(0);
    });

    test.each([
      { name: "color", operator: "eq", value: "green" },
      { name: "constructor", operator: "eq", value: "green" },
      { name: "agency", operator: "like", value: "Water" },
      { name: "agency", operator: "eq", value: ["Water"] },
      { name: "agency", operator: "eq", value: { name: "Water" } },
      { name: "state", operator: "in", value: "OH" },
      { name: "state", operator: "in", value: ["OH,PA"] },
      { name: "state", operator: "in", value: [null] },
    ])("$name $operator $value is not applied, and named", async ({ name, operator, value }) => {
      const status = { operator: "in", value: ["open"] };
      const { filterInfo, paginationInfo } = await search({
        filters: { status, customFilters: { [name]: { operator, value } } },
      });
      expect(filterInfo.filters).toEqual({ status, customFilters: {} });
      expect(filterInfo.errors).toEqual([expect.stringContaining(`customFilters.${name} was not applied`)]);
      const without = await search({ filters: { status } });
      expect(paginationInfo).toEqual(without.paginationInfo);
    });

    test.each([
      { name: "state", operator: "in", value: ["XX"] },
      { name: "applicantType", operator: "eq", value: "counties" },
      { name: "funderId", operator: "eq", value: "1" },
      { name: "lastModifiedAt", operator: "gt", value: "yesterday" },
    ])("$name $operator $value is 400, and named", async ({ name, operator, value }) => {
      const body = JSON.stringify({ filters: { customFilters: { [name]: { operator, value } } } });
      const failure = (await readJson(await post(body), 400, body)) as Failure;
      expect(failure.errors.map(({ field }) => field)).toEqual([`filters.customFilters.${name}.value`]);
    });
  });
});

describe("sorting", () => {
  /** The value that an order compares; undefined comes last. */
  const keys: Record<string, (one: Opportunity) => string | number | undefined> = {
    createdAt: (one) => one.createdAt,
    "status.value": (one) => one.status.value,
    "keyDates.closeDate": (one) => one.keyDates?.closeDate?.date,
    "funding.maxAwardAmount": (one) => amountOf(one.funding?.maxAwardAmount),
    "funding.minAwardAmount": (one) => amountOf(one.funding?.minAwardAmount),
    "funding.totalAmountAvailable": (one) => amountOf(one.funding?.totalAmountAvailable),
    "funding.estimatedAwardCount": (one) => one.funding?.estimatedAwardCount,
  };
  const compared = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);
  const rows = Object.keys(keys).flatMap((sortBy) => ["asc", "desc"].map((sortOrder) => ({ sortBy, sortOrder })));

  test.each(rows)("by $sortBy, $sortOrder: what has no value last, ties by id", async ({ sortBy, sortOrder }) => {
    if (!isWhole) return;
    const keyOf = keys[sortBy] ?? (() => undefined);
    const direction = sortOrder === "asc" ? 1 : -1;
    const sorted = all.toSorted((one, other) => {
      const [first, second] = [keyOf(one), keyOf(other)];
      if (first === undefined || second === undefined) {
        if (first !== second) return first === undefined ? 1 : -1;
        return compared(one.id, other.id) * direction;
      }
      return (compared(first, second) || compared(one.id, other.id)) * direction;
    });
    const { sortInfo } = await expectFound({ sorting: { sortBy, sortOrder } }, sorted);
    expect(sortInfo).toEqual({ sortBy, sortOrder });
  });

  test.each(["asc", "desc"])("by title and lastModifiedAt, %s: as the list of grants", async (sortOrder) => {
    for (const [sortBy, sort_by] of [
      ["title", "title"],
      ["lastModifiedAt", "updated_at"],
    ] as const) {
      const { results } = await client.list("grants-api", { sort_by, order: sortOrder, limit: 50, offset: 50 });
      const { items } = await search({ sorting: { sortBy, sortOrder }, pagination: { page: 2, pageSize: 50 } });
      expect(idsOf(items)).toEqual(idsOf(results));
    }
  });

  test("is descending without an order, and by lastModifiedAt without any", async () => {
    expect((await search({ sorting: { sortBy: "title" } })).sortInfo).toEqual({ sortBy: "title", sortOrder: "desc" });
    const usual = await search({});
    expect(usual.sortInfo).toEqual({ sortBy: "lastModifiedAt", sortOrder: "desc" });
    expect(usual.items).toEqual(all.slice(0, 100));
  });

  test.each([
    { sorting: { sortBy: "custom" }, told: /custom is not an order/ },
    { sorting: { sortBy: "custom", customSortBy: "agency" }, told: /agency is not an order/ },
    { sorting: { sortBy: "custom", customSortBy: "relevance" }, told: /needs a search/ },
  ])("$sorting is replaced by the usual order, and named", async ({ sorting, told }) => {
    const { sortInfo, items } = await search({ sorting });
    expect(sortInfo).toEqual({ sortBy: "lastModifiedAt", sortOrder: "desc", errors: [expect.stringMatching(told)] });
    expect(items).toEqual(all.slice(0, 100));
  });

  test("customSortBy beside another order is named", async () => {
    const { sortInfo } = await search({ sorting: { sortBy: "title", sortOrder: "asc", customSortBy: "relevance" } });
    expect(sortInfo).toMatchObject({ sortBy: "title", errors: [expect.stringContaining("customSortBy")] });
  });
});

describe("search", () => {
  let word: string;
  beforeAll(() => {
    word = frequentWords(all)[3] ?? "";
  });

  test("finds what the list of grants finds with the same words", async () => {
    const { results, pagination } = await client.list("grants-api", {
      search: word,
      sort_by: "updated_at",
      limit: 100,
    });
    const found = await search({ search: ` ${word} ` });
    expect(found.paginationInfo.totalItems).toBe(pagination.total);
    expect(idsOf(found.items)).toEqual(idsOf(results));
    expect(found.items.length).toBeGreaterThan(0);
  });

  test("with filters finds those of them that meet these", async () => {
    const found = await search({ search: word, pagination: { pageSize: 100 } });
    const filters = { status: { operator: "in", value: ["open"] } };
    const open = await search({ search: word, filters });
    // The open ones among the first hundred are the first of all that are open.
    const expected = idsOf(found.items.filter(({ status }) => status.value === "open"));
    expect(expected).not.toEqual([]);
    expect(idsOf(open.items).slice(0, expected.length)).toEqual(expected);
    expect(open.items.every(({ status }) => status.value === "open")).toBe(true);
  });

  test("ranks by relevance where that is the order", async () => {
    const { results, pagination } = await client.ranked("grants-api", {
      search: word,
      sort_by: "relevance",
      limit: 100,
    });
    const found = await search({ search: word, sorting: { sortBy: "custom", customSortBy: "relevance" } });
    expect(found.sortInfo).toEqual({ sortBy: "custom", customSortBy: "relevance", sortOrder: "desc" });
    expect(found.paginationInfo.totalItems).toBe(pagination.total);
    expect(idsOf(found.items)).toEqual(idsOf(results));
    const behind = await search({
      search: word,
      sorting: { sortBy: "custom", customSortBy: "relevance" },
      pagination: { page: 2 ** 31 - 1 },
    });
    expect(behind.items).toEqual([]);
  });

  test.each(["", "  "])("for %j is none", async (text) => {
    expect((await search({ search: text })).items).toEqual(all.slice(0, 100));
  });
});

describe("the body of a search", () => {
  const money = { min: usd("1"), max: usd("2") };
  const rows: { body: unknown; fields: string[] }[] = [
    { body: { search: 7 }, fields: ["search"] },
    { body: { search: "-a ".repeat(65) }, fields: ["search"] },
    { body: { search: "a\u0000b" }, fields: ["search"] },
    { body: { query: "water" }, fields: ["query"] },
    { body: { filters: [] }, fields: ["filters"] },
    { body: { filters: { agency: { operator: "eq", value: "EPA" } } }, fields: ["filters"] },
    { body: { filters: { status: { operator: "eq", value: ["open"] } } }, fields: ["filters.status.operator"] },
    { body: { filters: { status: { operator: "in", value: "open" } } }, fields: ["filters.status.value"] },
    { body: { filters: { status: { operator: "in" } } }, fields: ["filters.status.value"] },
    { body: { filters: { status: { operator: "in", value: [], more: 1 } } }, fields: ["filters.status"] },
    {
      body: { filters: { closeDateRange: { operator: "between", value: { min: "2026-02-30", max: "2026-03-01" } } } },
      fields: ["filters.closeDateRange.value.min"],
    },
    {
      body: { filters: { closeDateRange: { operator: "between", value: { min: "2026-02-01" } } } },
      fields: ["filters.closeDateRange.value.max"],
    },
    {
      body: { filters: { minAwardAmountRange: { operator: "gt", value: money } } },
      fields: ["filters.minAwardAmountRange.operator"],
    },
    {
      body: {
        filters: {
          minAwardAmountRange: { operator: "between", value: { ...money, max: { amount: 2, currency: "USD" } } },
        },
      },
      fields: ["filters.minAwardAmountRange.value.max.amount"],
    },
    {
      body: { filters: { minAwardAmountRange: { operator: "between", value: { ...money, max: usd("1e3") } } } },
      fields: ["filters.minAwardAmountRange.value.max.amount"],
    },
    { body: { filters: { customFilters: { agency: "EPA" } } }, fields: ["filters.customFilters.agency"] },
    {
      body: { filters: { customFilters: { agency: { operator: "is", value: 1 } } } },
      fields: ["filters.customFilters.agency.operator"],
    },
    {
      body: JSON.parse('{"filters":{"customFilters":{"__proto__":{"operator":"eq","value":1}}}}'),
      fields: ["filters.customFilters"],
    },
    { body: { sorting: {} }, fields: ["sorting.sortBy"] },
    { body: { sorting: { sortBy: "amount" } }, fields: ["sorting.sortBy"] },
    { body: { sorting: { sortBy: "title", sortOrder: "up" } }, fields: ["sorting.sortOrder"] },
    { body: { pagination: { page: 0 } }, fields: ["pagination.page"] },
    { body: { pagination: { page: "1" } }, fields: ["pagination.page"] },
    { body: { pagination: { pageSize: 101 } }, fields: ["pagination.pageSize"] },
    { body: { pagination: { limit: 10 } }, fields: ["pagination"] },
    {
      body: { search: 7, sorting: {}, pagination: { page: 0 } },
      fields: ["pagination.page", "search", "sorting.sortBy"],
    },
  ];
  test.each(rows)("$body is 400, naming $fields", async ({ body, fields }) => {
    const text = JSON.stringify(body);
    const failure = (await readJson(await post(text), 400, text)) as Failure;
    expect(failure.errors.map(({ field }) => field).sort()).toEqual(fields);
  });

  test.each(["", "{", "[]", "null", "7"])("%j is no object, and 400", async (body) => {
    expect(await readJson(await post(body), 400, body)).toMatchObject({ status: 400, errors: [] });
  });
});

describe("every failure is the protocol's", () => {
  const json = { "content-type": "application/json" };
  const rows: { status: number; path: string; init?: RequestInit; caller?: Caller }[] = [
    { status: 401, path, caller: "nobody" },
    { status: 401, path: `${path}/search`, init: { method: "POST", body: "{", headers: json }, caller: "nobody" },
    { status: 403, path, caller: "free" },
    { status: 404, path: "/common-grants" },
    { status: 404, path: "/common-grants/openapi.json" },
    { status: 404, path: "/common-grants/competitions/1" },
    { status: 404, path: `${path}/` },
    { status: 405, path: `${path}/search` },
    { status: 405, path, init: { method: "POST", body: "{}", headers: json } },
    { status: 405, path: `${path}/${crypto.randomUUID()}`, init: { method: "DELETE" } },
    { status: 405, path: `${path}/search`, init: { method: "PUT", body: "{}", headers: json } },
    { status: 413, path: `${path}/search`, init: { method: "POST", body: " ".repeat(70_000), headers: json } },
    {
      status: 415,
      path: `${path}/search`,
      init: { method: "POST", body: "{}", headers: { "content-type": "text/plain" } },
    },
  ];
  test.each(rows)("$status at $path", async ({ status, path: asked, init, caller }) => {
    const response = await target.send(
      asked,
      { ...init, headers: { ...init?.headers, "x-request-id": "cg-1" } },
      caller,
    );
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-request-id")).toBe("cg-1");
    expect(await readJson(response, status, asked)).toEqual({
      status,
      message: expect.stringMatching(/\w{4}/),
      errors: [],
    });
    if (status === 405) expect(response.headers.get("allow")).toMatch(/GET|POST/);
    if (status === 401) expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
  });

  test("HEAD has no body, and a preflight needs no key", async () => {
    const head = await target.send(path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const preflight = await target.send(`${path}/search`, { method: "OPTIONS" }, "nobody");
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "OPTIONS, POST"]);
  });

  test("each request counts against the quota, a wrong one too", async () => {
    const remaining = async (asked: string, init?: RequestInit) =>
      Number((await target.send(asked, init, "limited")).headers.get("x-ratelimit-remaining"));
    const before = await remaining(path);
    expect(await remaining(`${path}?page=0`)).toBe(before - 1);
    expect(await remaining(`${path}/search`, { method: "POST", body: "{}", headers: json })).toBe(before - 2);
    expect(await remaining(`${path}/search`, { method: "POST", body: "{", headers: json })).toBe(before - 3);
    expect(await remaining(`${path}/${crypto.randomUUID()}`)).toBe(before - 4);
  });
});

function usd(amount: string): Money {
  return { amount, currency: "USD" };
}
