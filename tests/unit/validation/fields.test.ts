import { describe, expect, test } from "vitest";
import type * as z from "zod";
import * as fields from "../../../shared/validation/fields.ts";

/** The value as the field reads it, or what is wrong with it. */
function read(field: z.ZodType, value: unknown): unknown {
  const { success, data, error } = field.safeParse(value);
  return success ? data : error.issues[0]?.message;
}

test.each([
  ["a", "a"],
  [" a\n", "a"],
  ["x".repeat(200), "x".repeat(200)],
  // Characters, not UTF-16 units.
  ["💧".repeat(200), "💧".repeat(200)],
  ["💧".repeat(201), "must be at most 200 characters long"],
  ["", "must not be empty"],
  [" \t", "must not be empty"],
  ["a\0", "must be well-formed Unicode text without NUL characters"],
  ["\ud800", "must be well-formed Unicode text without NUL characters"],
  [5, "must be text"],
])("text: %j is %j", (value, expected) => {
  expect(read(fields.text(), value)).toBe(expected);
});

test.each(["\n", "\t", "\u001b", "\u0085", "\u2028", "\u2029", "\u202e", "\u2066", "\u2069", "\u202a"])(
  "a name is one line as it is displayed: not with %j",
  (character) => {
    expect(read(fields.name(10), `a${character}b`)).toBe("must be one line, without control characters");
  },
);

test.each(["a b", "می‌خواهم", "👩‍🚒", "é"])("a name may be %s", (name) => {
  expect(read(fields.name(10), name)).toBe(name);
});

describe("a search", () => {
  const tooMany = "must have at most 64 operators: phrases in quotes, -words and or";

  test.each([
    ["phrases", '"a" ', 1],
    ["excluded words", "-a ", 1],
    ["excluded phrases", '-"a" ', 2],
    ["alternatives", "a or ", 1],
    ["alternatives in upper case", "a OR ", 1],
  ])("has at most 64 operators: %s", (_, part, operators) => {
    const most = 64 / operators;
    expect(read(fields.searchText(), `${part.repeat(most)}a`)).toBe(`${part.repeat(most)}a`);
    expect(read(fields.searchText(), `${part.repeat(most + 1)}a`)).toBe(tooMany);
  });

  test.each(["well-known ", "- ", "-- ", "or-bit ", "for ", "nor, ", "a&-& "])(
    "may have %j any number of times, which is no operator",
    (part) => {
      expect(read(fields.searchText(), `${part.repeat(100)}a`)).toBe(`${part.repeat(100)}a`);
    },
  );

  test.each(["(-a ", "|-a ", "!-a "])("has an operator in each %j", (part) => {
    expect(read(fields.searchText(), part.repeat(65))).toBe(tooMany);
  });

  test("has half a phrase where a quote is not closed", () => {
    expect(read(fields.searchText(), `${'"a" '.repeat(64)}"`)).toBe(tooMany);
    expect(read(fields.searchText(), `${'"a" '.repeat(63)}"`)).toBe(`${'"a" '.repeat(63)}"`);
  });
});

test.each([
  ["1", 1],
  ["100", 100],
  [100, 100],
  ["007", 7],
  ["0", undefined],
  ["101", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  [1.5, undefined],
  ["1e2", undefined],
  [" 1", undefined],
  ["1 ", undefined],
  ["", undefined],
  ["12345678901234567", undefined],
  [true, undefined],
])("an integer from 1 to 100: %j is %j", (value, expected) => {
  expect(read(fields.integer(1, 100), value)).toBe(expected ?? "must be an integer from 1 to 100");
});

test.each([
  ["true", true],
  ["false", false],
  [true, true],
  ["True", true],
  ["False", false],
  ["TRUE", "must be true or false"],
  ["1", "must be true or false"],
  ["yes", "must be true or false"],
  [1, "must be true or false"],
])("a boolean: %j is %j", (value, expected) => {
  expect(read(fields.boolean(), value)).toBe(expected);
});

test.each(["2026-02-28", "2024-02-29", "0001-01-01"])("a date: %s", (value) => {
  expect(read(fields.date(), value)).toBe(value);
});

test.each(["2026-02-29", "0000-01-01", "2026-2-1", "2026-02-28T00:00:00Z", "tomorrow"])("no date: %s", (value) => {
  expect(read(fields.date(), value)).toBe("must be a date that exists, written YYYY-MM-DD");
});

test.each([
  ["2026-06-10", "2026-06-10T00:00:00.000Z"],
  ["2026-06-10T14:00:00Z", "2026-06-10T14:00:00.000Z"],
  ["2026-06-10T14:00:00+02:00", "2026-06-10T12:00:00.000Z"],
  // A plus sign that was not encoded.
  ["2026-06-10T14:00:00 02:00", "2026-06-10T12:00:00.000Z"],
  ["9999-12-31T23:59:59-00:00", "9999-12-31T23:59:59.000Z"],
  ["9999-12-31T23:59:59+00:01", "9999-12-31T23:58:59.000Z"],
  // In UTC it is another millennium.
  ["9999-12-31T23:59:59-01:00", undefined],
  ["0001-01-01T00:00:00+01:00", undefined],
  ["0000-06-10", undefined],
  ["2026-06-10T14:00:00", undefined],
  ["2026-06-10 02:00", undefined],
  ["2026-02-30", undefined],
])("a moment: %s is %s", (value, expected) => {
  const error = "must be a date (YYYY-MM-DD) or a date-time with its offset (2026-06-10T14:00:00Z)";
  expect(read(fields.moment(), value)).toBe(expected ?? error);
});

test.each([
  ["2026-06-10T14:00:00Z", "2026-06-10T14:00:00.000Z"],
  ["2026-06-10T14:00:00-05:00", "2026-06-10T19:00:00.000Z"],
  ["2026-06-10", undefined],
  ["2026-06-10T14:00:00 02:00", undefined],
])("an instant: %s is %s", (value, expected) => {
  const error = "must be a date-time with its offset, for example 2026-11-20T14:00:00Z";
  expect(read(fields.instant(), value)).toBe(expected ?? error);
});

describe("states", () => {
  const message = (end: string) => `must be comma-separated two-letter USPS state codes, for example OH,PA; ${end}`;

  test.each([
    ["OH", ["OH"]],
    ["pa, oh ,OH", ["OH", "PA"]],
    ["Ohio", message('"OHIO" is not one')],
    ["OH,ZZ", message('"ZZ" is not one')],
    ["ZZ,YY,ZZ", message('"ZZ", "YY" are not')],
    ["OH,", message('"" is not one')],
    ["Q1,Q2,Q3,Q4,Q5,Q6", message('"Q1", "Q2", "Q3", "Q4", "Q5" are not')],
    ["x".repeat(50), message(`"${"X".repeat(20)}" is not one`)],
  ])("%j are %j", (value, expected) => {
    expect(read(fields.states(), value)).toEqual(expected);
  });
});

test.each([
  ["a", ["a"]],
  ["c, a,a", ["a", "c"]],
  ["b,d", "must be one or more of a, b, c, separated by commas"],
  ["", "must be one or more of a, b, c, separated by commas"],
  ["a,", "must be one or more of a, b, c, separated by commas"],
  ["A", "must be one or more of a, b, c, separated by commas"],
])("some of a, b and c: %j are %j", (value, expected) => {
  expect(read(fields.someOf(["a", "b", "c"]), value)).toEqual(expected);
});

test("one of some values is said by all of them", () => {
  expect(read(fields.oneOf(["asc", "desc"]), "asc")).toBe("asc");
  expect(read(fields.oneOf(["asc", "desc"]), "up")).toBe("must be one of asc, desc");
});
