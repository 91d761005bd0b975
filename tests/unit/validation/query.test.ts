import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createBody } from "../../../functions/account-api/saved-search-bodies.ts";
import { readFilter } from "../../../functions/account-api/webhook-filter.ts";
import { maximumErrors } from "../../../shared/http/problems.ts";
import { integer, text } from "../../../shared/validation/fields.ts";
import { contractList, grantList } from "../../../shared/validation/opportunities.ts";
import { changesParameters, noParameters, readListQuery, readQuery } from "../../../shared/validation/query.ts";

const schema = z.strictObject({ search: text().optional(), limit: integer(1, 100).default(20) });
const parameters = { names: ["search", "limit"], schema };

const read = (search: string) => readQuery(search, parameters);
/** Faults of a query string, as "parameter message". */
function wrong(search: string, of: Parameters<typeof readQuery>[1] = parameters): string[] {
  const outcome = readQuery(search, of);
  if (outcome.ok) throw new Error(`${search} is right`);
  return (outcome.problem.errors ?? []).map(({ parameter, message }) => `${parameter} ${message}`);
}

describe("a query string", () => {
  test.each([
    ["", { limit: 20 }],
    ["?", { limit: 20 }],
    ["?limit=5", { limit: 5 }],
    ["limit=5&search=a", { limit: 5, search: "a" }],
    ["&&limit=5&", { limit: 5 }],
    ["search=a+b%20c%2Bd", { limit: 20, search: "a b c+d" }],
    ["search=a=b", { limit: 20, search: "a=b" }],
    ["se%61rch=%C3%A9", { limit: 20, search: "é" }],
    // Only the first question mark begins it.
    ["?search=?", { limit: 20, search: "?" }],
  ])("%j is %j", (search, value) => {
    expect(read(search)).toEqual({ ok: true, value });
  });

  test.each([
    ["limit=", ["limit must not be empty; leave the parameter out instead"]],
    ["limit", ["limit must not be empty; leave the parameter out instead"]],
    ["limit=5&limit=5", ["limit must be given once"]],
    ["limit=5&limit=6&limit=7", ["limit must be given once", "limit must be given once"]],
    ["=5", [" is not a parameter of this endpoint; it takes search, limit"]],
    ["search=%", ["search must be percent-encoded UTF-8"]],
    ["search=%FF", ["search must be percent-encoded UTF-8"]],
    ["%FF=a", ["%FF must be percent-encoded UTF-8"]],
    ["limt=5", ["limt is not a parameter of this endpoint; did you mean limit?"]],
    ["colour=5", ["colour is not a parameter of this endpoint; it takes search, limit"]],
    ["a%00%0Ab=5", ["a\u{FFFD}\u{FFFD}b is not a parameter of this endpoint; it takes search, limit"]],
    ["limit=0", ["limit must be an integer from 1 to 100"]],
    // All that is wrong, and each once.
    [
      "limit=0&colour=5&search=",
      [
        "colour is not a parameter of this endpoint; it takes search, limit",
        "search must not be empty; leave the parameter out instead",
        "limit must be an integer from 1 to 100",
      ],
    ],
    ["search=a&search=%00", ["search must be given once"]],
    ["forceFunctionRegion=us-east-1&limit=5&limit=5", ["limit must be given once"]],
  ])("%j is refused: %j", (search, expected) => {
    expect(wrong(search)).toEqual(expected);
  });

  test("says of a missing parameter that it is required, unless it was given and is wrong in itself", () => {
    const required = { names: ["limit"], schema: z.strictObject({ limit: integer(1, 100) }) };
    expect(wrong("", required)).toEqual(["limit is required and must be an integer from 1 to 100"]);
    expect(wrong("limit=", required)).toEqual(["limit must not be empty; leave the parameter out instead"]);
  });

  test("has 16,384 characters at most", () => {
    const ofLength = (length: number) => `?colour=${"x".repeat(length - "colour=".length)}`;
    expect(wrong(ofLength(16_384))).toEqual(["colour is not a parameter of this endpoint; it takes search, limit"]);
    expect(read(ofLength(16_385))).toEqual({
      ok: false,
      problem: {
        name: "invalid-parameters",
        detail: "The query string must be at most 16384 characters long.",
      },
    });
  });

  test("with thousands of wrong parameters has fifty errors", () => {
    expect(wrong(Array.from({ length: 2_000 }, (_, index) => `p${index}=`).join("&"))).toHaveLength(50);
  });

  test("of an endpoint without parameters takes none", () => {
    expect(readQuery("", noParameters)).toEqual({ ok: true, value: {} });
    expect(wrong("x=1", noParameters)).toEqual(["x is not a parameter of this endpoint; it takes none"]);
  });

  test("of a record's changes takes what the page before gave", () => {
    expect(readQuery("cursor=123456789012345678", changesParameters)).toMatchObject({ ok: true });
    expect(readQuery("cursor=1", changesParameters)).toEqual({ ok: true, value: { limit: 20, cursor: 1 } });
    for (const cursor of ["0", "01", "-1", "1x", "x1", "1234567890123456789"]) {
      expect(wrong(`cursor=${cursor}`, changesParameters)).toEqual([
        "cursor must be `next` of the previous page, unchanged",
      ]);
    }
  });
});

describe("a list's parameters", () => {
  test("that contradict each other are refused", () => {
    expect(wrong("search_mode=semantic", grantList)).toEqual(["search is required when search_mode is semantic"]);
    expect(wrong("sort_by=relevance", grantList)).toEqual(["search is required when sort_by is relevance"]);
    expect(wrong("search_mode=hybrid&sort_by=relevance", grantList)).toEqual([
      "search is required when search_mode is hybrid",
    ]);
    expect(wrong("format=csv&count_only=true&facets=states&archived_as_ids=true", grantList)).toEqual(
      ["count_only", "facets", "archived_as_ids"].map(
        (name) => `${name} cannot be combined with format=csv, which has records only`,
      ),
    );
  });

  test.each([
    "search=water&search_mode=semantic&sort_by=relevance",
    "search=water&sort_by=relevance",
    "sort_by=title",
    "format=csv&count_only=false&archived_as_ids=false",
    "format=json&count_only=true&facets=states&archived_as_ids=true",
  ])("%s is right", (search) => {
    expect(readQuery(search, grantList)).toMatchObject({ ok: true });
  });

  test("name a set-aside by any of its names", () => {
    expect(readQuery("set_aside=hubzone&naics=541511", contractList)).toMatchObject({
      ok: true,
      value: { set_aside: "HZC", naics: "541511" },
    });
    for (const naics of ["5", "5415111", "54151x", "x541511", "31-32", "54-"]) {
      expect(wrong(`naics=${naics}`, contractList)).toEqual([
        "naics must be two to six digits of a NAICS code, for example 541511 or 54, or a sector such as 31-33",
      ]);
    }
  });

  test.each([
    ["naics=541511", { naics: "541511" }],
    ["naics=541512,541511&naics=541511", { naics: ["541511", "541512"] }],
    ["naics=31-33", { naics: ["31", "32", "33"] }],
    ["exclude_naics=54, 23", { exclude_naics: ["23", "54"] }],
    ["psc=r4", { psc: "R4" }],
    ["assistance_listing=10.&assistance_listing=84.305a", { assistance_listing: ["10.", "84.305A"] }],
    ["status=active,expired", { status: ["closed", "open"] }],
    ["set_aside=8(a), HUBZone", { set_aside: ["8A", "HZC"] }],
    // One name, which has a comma.
    ["set_aside=8(a), competitive", { set_aside: "8A" }],
    ["set_aside=8A, of our own", { set_aside: "8A, of our own" }],
    ["set_aside=of our own, too&set_aside=8A", { set_aside: ["8A", "of our own, too"] }],
    ["category=Food, Nutrition", { category: "Food, Nutrition" }],
    ["category=Food, Nutrition&category=Arts", { category: ["Arts", "Food, Nutrition"] }],
    ["exclude_source=a&exclude_source=a", { exclude_source: "a" }],
  ])("%s is one value or several", (search, value) => {
    expect(readQuery(search, contractList)).toMatchObject({ ok: true, value });
  });

  test("with one value that is wrong among several name it", () => {
    expect(wrong("naics=54,x&naics=23", contractList)).toEqual([
      'naics must be two to six digits of a NAICS code, for example 541511 or 54, or a sector such as 31-33; "x" is not',
    ]);
    expect(wrong("status=open,done", grantList)).toEqual([
      'status must be one of open, posted, closed, forecasted, upcoming; "done" is not',
    ]);
    expect(wrong("psc=R4,", contractList)).toEqual([
      "psc must be a product or service code or its beginning, for example R499 or R4",
    ]);
    const names = Array.from({ length: 51 }, (_, index) => `category=${index}`).join("&");
    expect(wrong(names, grantList)).toEqual(["category must have at most 50 values"]);
  });
});

describe("places in words", () => {
  test("in `geography` are the states that they name", async () => {
    expect(await readListQuery("geography=Ohio", grantList)).toMatchObject({
      ok: true,
      value: { geography: "Ohio", geography_states: ["OH"] },
    });
    for (const geography of ["elsewhere", "except Ohio"]) {
      const read = await readListQuery(`geography=${geography}`, grantList);
      expect(read.ok && read.value).toMatchObject({ geography });
      expect(read.ok && read.value).not.toHaveProperty("geography_states");
    }
  });

  test.each([
    ["states=Ohio", '"OHIO" is not one (did you mean OH?)'],
    ["states=New+York,ZZ", '"NEW YORK", "ZZ" are not (did you mean NY?)'],
    ["states=OH&states=Columbus+Ohio&limit=0", '"COLUMBUS OHIO" is not one (did you mean OH?)'],
    ["states=Northern%20Mariana%20Islands", '"NORTHERN MARIANA ISL" is not one (did you mean MP?)'],
    ["states=nowhere", '"NOWHERE" is not one'],
  ])("in %s are refused, with the codes that are meant", async (search, end) => {
    const read = await readListQuery(search, grantList);
    expect(!read.ok && read.problem.errors?.find(({ parameter }) => parameter === "states")?.message).toBe(
      `must be comma-separated two-letter USPS state codes, for example OH,PA; ${end}`,
    );
    expect(!read.ok && read.problem.detail).toContain(end);
  });

  test("are read in webhooks' filters and in saved searches, too", () => {
    const query = "geography=Ohio";
    expect(readFilter("grants", query)).toMatchObject({
      ok: true,
      value: { parameters: { geography_states: ["OH"] } },
    });
    expect(createBody.schema.safeParse({ name: "x", dataset: "grants", query })).toMatchObject({
      data: { filter: { geography_states: ["OH"] } },
    });
    expect(readFilter("grants", "states=Ohio")).toMatchObject({
      errors: [{ parameter: "states", message: expect.stringContaining("did you mean OH?") }],
    });
  });
});

test("only a question mark at the beginning begins a query string", () => {
  expect(wrong("a?limit=5")[0]).toMatch(/^a\?limit /);
});

test("of many errors, the first are told", () => {
  const search = Array.from({ length: maximumErrors + 5 }, (_, index) => `unknown${index}=1`).join("&");
  expect(wrong(search)).toHaveLength(maximumErrors);
});
