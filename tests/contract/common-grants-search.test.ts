import { beforeAll, describe, expect, test } from "vitest";
import { idsOf, readJson } from "./client.ts";
import { amountOf, commonGrantsClient, type Failure, type Opportunity, usd } from "./common-grants-client.ts";
import { frequentWords } from "./discover.ts";
import { contractTarget } from "./target.ts";

// The target holds every answer to the protocol's own document: see `expectToMatchProtocol`.
const target = contractTarget();
const { client, post, search, readAll, expectFound } = commonGrantsClient(target);
/** Every opportunity, in the order of the list. */
let all: Opportunity[];
let isWhole: boolean;
beforeAll(async () => {
  ({ all, isWhole } = await readAll());
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
    { body: { filters: { agency: { operator: "eq", value: "EPA" } } }, fields: ["filters.agency"] },
    { body: { filters: { x: 1, y: 2 } }, fields: ["filters.x", "filters.y"] },
    { body: { filters: { status: { operator: "eq", value: ["open"] } } }, fields: ["filters.status.operator"] },
    { body: { filters: { status: { operator: "in", value: "open" } } }, fields: ["filters.status.value"] },
    { body: { filters: { status: { operator: "in" } } }, fields: ["filters.status.value"] },
    { body: { filters: { status: { operator: "in", value: [], more: 1 } } }, fields: ["filters.status.more"] },
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
      body: { filters: { customFilters: { agency: { operator: "eq" } } } },
      fields: ["filters.customFilters.agency.value"],
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
    { body: { pagination: { limit: 10 } }, fields: ["pagination.limit"] },
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

  test("every message is ours", async () => {
    for (const { body } of rows) {
      const { errors } = (await (await post(JSON.stringify(body))).json()) as Failure;
      for (const { field, message } of errors) expect(message, field).not.toMatch(/Invalid|expected|nrecognized/);
    }
  });

  test.each(["", "{", "[]", "null", "7"])("%j is no object, and 400", async (body) => {
    expect(await readJson(await post(body), 400, body)).toMatchObject({ status: 400, errors: [] });
  });
});
