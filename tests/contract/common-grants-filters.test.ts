import { beforeAll, describe, expect, test } from "vitest";
import { customFilters } from "../../shared/catalogue/custom-filters.ts";
import { filterExamples } from "../support/filter-examples.ts";
import { readJson } from "./client.ts";
import { amountOf, commonGrantsClient, type Failure, type Opportunity, usd } from "./common-grants-client.ts";
import { mostFrequent } from "./discover.ts";
import { contractTarget } from "./target.ts";

// The target holds every answer to the protocol's own document: see `expectToMatchProtocol`.
const target = contractTarget();
const { client, list, post, search, readAll, expectFound } = commonGrantsClient(target);
/** Every opportunity, in the order of the list. */
let all: Opportunity[];
let isWhole: boolean;
beforeAll(async () => {
  ({ all, isWhole } = await readAll());
});

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

    const examples = filterExamples("grants");
    const declared = Object.entries(customFilters).flatMap(([filter, operators]) =>
      Object.entries(operators).map(([operator, parameter]) => ({ parameter, filter, operator })),
    );
    test.each(declared)("$filter $operator finds what $parameter of the list finds", async (row) => {
      const { parameter, filter, operator } = row;
      for (const example of examples[parameter] ?? []) {
        const wantsList = operator === "in" || operator === "notIn";
        const value = wantsList ? example.split(",") : (example.split(",")[0] ?? "");
        const customFilters = { [filter]: { operator, value } };
        const { paginationInfo, filterInfo } = await search({ filters: { customFilters } });
        expect(filterInfo).toEqual({ filters: { customFilters } });
        const query = {
          [parameter]: String(value),
          ...(filter === "applicantType" && { include_unrestricted: false }),
        };
        expect(paginationInfo.totalItems, example).toBe(await client.count("grants-api", query));
      }
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
      { name: "costSharing", operator: "in", value: [true] },
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
      { name: "agency", operator: "eq", value: ["Water"] },
      { name: "agency", operator: "eq", value: { name: "Water" } },
      { name: "agency", operator: "eq", value: null },
      { name: "state", operator: "in", value: "OH" },
      { name: "state", operator: "in", value: ["OH,PA"] },
      { name: "state", operator: "in", value: [null] },
      { name: "state", operator: "eq", value: "OH,PA" },
      { name: "state", operator: "in", value: ["XX"] },
      { name: "applicantType", operator: "eq", value: "counties" },
      { name: "funderId", operator: "eq", value: "1" },
      { name: "lastModifiedAt", operator: "gt", value: "yesterday" },
    ])("$name $operator $value is 400, and named", async ({ name, operator, value }) => {
      const body = JSON.stringify({ filters: { customFilters: { [name]: { operator, value } } } });
      const failure = (await readJson(await post(body), 400, body)) as Failure;
      expect(failure.errors.map(({ field }) => field)).toEqual([`filters.customFilters.${name}.value`]);
    });

    test("every wrong value is named, beside a search that is wrong", async () => {
      const customFilters = {
        agency: { operator: "eq", value: ["Water"] },
        state: { operator: "in", value: ["XX"] },
        color: { operator: "eq", value: "green" },
      };
      const body = JSON.stringify({ search: "-a ".repeat(65), filters: { customFilters } });
      const failure = (await readJson(await post(body), 400, body)) as Failure;
      expect(failure.errors.map(({ field }) => field).sort()).toEqual([
        "filters.customFilters.agency.value",
        "filters.customFilters.state.value",
        "search",
      ]);
    });
  });
});
