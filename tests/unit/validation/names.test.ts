import { describe, expect, test } from "vitest";
import * as z from "zod";
import { fieldErrors, sanitizeName } from "../../../shared/validation/errors.ts";
import { isAfterYearZero, isStorable, toStorable } from "../../../shared/validation/storable.ts";
import { nearest } from "../../../shared/validation/suggest.ts";

const names = ["search", "states", "min_amount", "limit", "sort_by", "order"];

describe("a mistyped name", () => {
  test.each([
    // A letter too many, missing, another, and two that changed places.
    ["limitt", "limit"],
    ["limt", "limit"],
    ["limut", "limit"],
    ["ilmit", "limit"],
    ["LIMIT", "limit"],
    ["sortby", "sort_by"],
    ["serach", "search"],
    // Two of six letters, not three.
    ["saerhc", "search"],
    ["soxxxx", undefined],
    // One that is part of the other.
    ["state", "states"],
    ["amount", "min_amount"],
    ["AMOUNT", "min_amount"],
    ["my_search_text", "search"],
    ["MY_SEARCH_TEXT", "search"],
    ["amo", undefined],
    // One letter of three may differ, and one of two.
    ["orde", "order"],
    ["colour", undefined],
    ["", undefined],
    ["x".repeat(41), undefined],
  ])("%s means %s", (typed, expected) => {
    expect(nearest(typed, names)).toBe(expected);
  });

  test("is the nearest of several, the first of those that are equally near", () => {
    expect(nearest("order", ["borders", "orders", "order"])).toBe("order");
    expect(nearest("cat", ["bat", "hat"])).toBe("bat");
    expect(nearest("ab", ["ax"])).toBe("ax");
    expect(nearest("ab", ["xy"])).toBeUndefined();
    expect(nearest("ba", ["ab"])).toBe("ab");
  });

  test("of forty characters is looked for, and of more is not", () => {
    expect(nearest("a".repeat(40), ["a".repeat(41)])).toBe("a".repeat(41));
    expect(nearest("a".repeat(41), ["a".repeat(41)])).toBeUndefined();
  });
});

test("a client's own name is returned short, without control and direction characters", () => {
  expect(sanitizeName("a\nb\u202ec\ud800")).toBe("a\u{FFFD}b\u{FFFD}c\u{FFFD}");
  expect(sanitizeName("x".repeat(81))).toBe("x".repeat(80));
  expect(sanitizeName(`${"x".repeat(79)}💧`)).toBe(`${"x".repeat(79)}\u{FFFD}`);
});

describe("errors of fields", () => {
  const schema = z.object({
    a: z.string({ error: "must be text" }),
    b: z.object({ c: z.int({ error: "must be whole" }) }),
  });
  const errorsOf = (given: unknown, of: z.ZodType = schema) => {
    const parsed = of.safeParse(given);
    return parsed.success
      ? []
      : fieldErrors(parsed.error, given).map(({ parameter, message }) => `${parameter} ${message}`);
  };

  test("say that a field is required where it is missing, and only there", () => {
    expect(errorsOf({ b: {} })).toEqual(["a is required and must be text", "b.c is required and must be whole"]);
    expect(errorsOf({ a: 1, b: { c: 1.5 } })).toEqual(["a must be text", "b.c must be whole"]);
    expect(errorsOf({ a: null, b: { c: null } })).toEqual(["a must be text", "b.c must be whole"]);
  });

  test("name each unknown field of an object, and make the names safe", () => {
    const strict = z.object({
      a: z.strictObject({ b: z.string({ error: "must be text" }) }, { error: "is not a field" }),
      c: z.record(z.string(), z.int({ error: "must be whole" })).optional(),
    });
    expect(errorsOf({ a: { x: 1, "y\n": 2 } }, strict)).toEqual([
      "a.b is required and must be text",
      "a.x is not a field",
      "a.y\u{FFFD} is not a field",
    ]);
    const long = `${"x".repeat(79)}💧`;
    expect(errorsOf({ a: { b: "" }, c: { [long]: 1.5 } }, strict)).toEqual([
      `c.${"x".repeat(79)}\u{FFFD} must be whole`,
    ]);
  });

  test("are one for each field, the first", () => {
    const twice = z.object({
      a: z
        .string()
        .refine(() => false, { error: "is one thing" })
        .refine(() => false, { error: "is another" }),
    });
    expect(errorsOf({ a: "x" }, twice)).toEqual(["a is one thing"]);
  });

  test("of a contradiction do not call the missing field required", () => {
    const contradiction = z.object({ a: z.string().optional() }).superRefine((_, context) => {
      context.addIssue({ code: "custom", path: ["a"], message: "is needed beside b" });
    });
    expect(errorsOf({}, contradiction)).toEqual(["a is needed beside b"]);
  });

  test("are fifty at most", () => {
    const list = z.array(z.string({ error: "must be text" }));
    expect(
      errorsOf(
        Array.from({ length: 60 }, () => 5),
        list,
      ),
    ).toHaveLength(50);
  });
});

test("text that Postgres cannot store is known, and can be mended", () => {
  for (const [given, stored] of [
    ["a\0b", "a\u{FFFD}b"],
    ["a\ud800b\0\0", "a\u{FFFD}b\u{FFFD}\u{FFFD}"],
  ] as const) {
    expect(isStorable(given)).toBe(false);
    expect(toStorable(given)).toBe(stored);
  }
  for (const text of ["", "a", "💧"]) {
    expect(isStorable(text)).toBe(true);
    expect(toStorable(text)).toBe(text);
  }
  expect(isAfterYearZero("0000-12-31")).toBe(false);
  expect(isAfterYearZero("0001-01-01")).toBe(true);
  expect(isAfterYearZero("2000-01-01")).toBe(true);
});
