import { describe, expect, test } from "vitest";
import { parseMoment, UsageError } from "../../../cli/options.ts";

describe("a moment", () => {
  test.each([
    ["2027-01-31", "2027-01-31T00:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ["2027-01-31T12:00Z", "2027-01-31T12:00:00.000Z"],
    ["2027-01-31T12:00:00.5Z", "2027-01-31T12:00:00.500Z"],
    ["2027-01-31T12:00:00-05:00", "2027-01-31T17:00:00.000Z"],
  ])("%s is %s, whatever the zone of the machine", (text, moment) => {
    expect(parseMoment("--expires", text).toISOString()).toBe(moment);
  });

  test.each([
    "2027-02-30",
    "2027-02-30T12:00:00Z",
    "2027-02-29",
    "2027-13-01",
    "2027-01-31T25:00:00Z",
    "2027-01-31T12:00:00",
    "2027-01-31 12:00",
    "2027-1-31",
    "2027-01",
    "2027",
    "01/31/2027",
    "January 31, 2027",
    "1801440000000",
    "2027-01-31T12:00:00+99:00",
  ])("%s is refused, and not guessed", (text) => {
    expect(() => parseMoment("--expires", text)).toThrow(UsageError);
  });

  test("is refused with what the option takes", () => {
    const forms = "must be a date, for example 2027-01-31 or 2027-01-31T12:00:00Z";
    expect(() => parseMoment("--expires", "soon")).toThrow(`--expires ${forms}.`);
    expect(() => parseMoment("--period-end", "soon", "or none")).toThrow(`--period-end ${forms}, or none.`);
  });
});
