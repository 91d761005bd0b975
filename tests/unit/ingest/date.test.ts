import { describe, expect, test } from "vitest";
import { PlaceholderDate, UnreadableDate } from "../../../ingest/errors.ts";
import { parseDay, parseDayOrNull, parseMoment, splitNumericDate } from "../../../ingest/fields/date.ts";

describe("days", () => {
  test.each([
    "2026-05-08",
    "2026-5-8",
    "2026-05-08T17:00:00-04:00",
    "2026-05-08 17:00",
    "05/08/2026",
    "5/8/2026",
    "5/8/2026 5:00 PM",
    "05082026",
    "20260508",
    20260508,
    "May 8, 2026",
    "May. 8 2026",
    "8 May 2026",
    "May 08, 2026 05:00 pm EDT",
    "May 8th, 2026",
    "8th May 2026",
    "Friday, May 8, 2026",
    "Fri 05/08/2026",
    "May 8, 2026 at 5:00 PM ET",
    "May 8, 2026, 5 p.m. EDT",
    "2026-05-08Z",
    "2026-05-08-04:00",
    "5/8/2026 8:00 AM - 5:00 PM ET",
    "5/8/2026 5:00 PM ET (2:00 PM PT), call 555-010-0199",
    "2026-05-08T17:00:00.12345678+0530",
    "5/8/2026 17:00 UTC-05:00",
  ])("%j is a day in May", (given) => {
    expect(parseDay(given)).toBe("2026-05-08");
  });

  test.each(["2026-02-30", "02/30/2026", "13/01/2026", "02302026", "2025-02-29", "0000-01-01", "Foo 3, 2026"])(
    "%j is refused as impossible",
    (given) => {
      expect(() => parseDay(given)).toThrow(`"${given}" is not a date that exists`);
    },
  );

  test.each([
    "1900-01-01",
    "1/1/1900 12:00:00 AM",
    "January 1, 1900",
    "1/0/1900",
    "01/00/1900",
    "1899-12-30T00:00:00",
    "1970-01-01T00:00:00Z",
    "0001-01-01T00:00:00",
    "0000-00-00 00:00:00",
    "00/00/0000",
    "9999-12-31",
    "12/31/9999",
    "Open until 12/31/9999",
  ])("%j stands for no date", (given) => {
    expect(() => parseDay(given)).toThrow(PlaceholderDate);
    expect(parseDayOrNull(given, "mdy")).toBeNull();
  });

  test("days beside placeholders are days", () => {
    expect(["1900-01-02", "12/30/9999", "2000-01-01"].map((day) => parseDay(day))).toEqual([
      "1900-01-02",
      "9999-12-30",
      "2000-01-01",
    ]);
    expect(() => parseDay("31/12/9999", "dmy")).toThrow(PlaceholderDate);
    expect(() => parseMoment("1900-01-01T00:00:00Z")).toThrow(PlaceholderDate);
  });

  test.each(["soon", "5/8/26", "2026", "2026-05-08x", "1/2/2026-1/3/2026"])("%j is refused as no date", (given) => {
    expect(() => parseDay(given)).toThrow("is not a date (for example");
  });

  test.each([
    "5/1/2026 8:00 AM - 6/30/2026 5:00 PM",
    "05/01/2026 08:00 to 06/30/2026 17:00",
    "May 1, 2026 at 9 AM through June 30, 2026 at 5 PM",
    "1 May 2026 9:00 - 30 June 2026 17:00",
    "2026-05-01T00:00:00/2026-06-30T23:59:59",
    "2026-05-01 09:00 - 20260630",
    "May 1, 2026 9:00 AM - June 30",
    "5/1/2026 9:00 AM to 6/30",
  ])("%j is a range, and no day", (given) => {
    expect(() => parseDay(given)).toThrow(UnreadableDate);
    expect(splitNumericDate(given)).toBeUndefined();
  });

  test("a leap day is a day", () => {
    expect(parseDay("02/29/2028")).toBe("2028-02-29");
  });

  test.each([
    "Open until 06/30/2026",
    "Until June 30, 2026",
    "Ongoing through 6/30/2026 5:00 PM",
    "Rolling - 2026-06-30",
    "Rolling, until 30 June 2026",
    "open until: 06302026",
    "Open; closes June 30, 2026",
    "Open - closes 06/30/2026",
    "Open (closes Tuesday, June 30, 2026)",
    "Open to nonprofits; closes June 30, 2026 at 5 p.m.",
    "Rolling, closes 6/30/2026",
    "Rolling; apply by June 30, 2026",
    "Ongoing; next deadline June 30, 2026",
    "Ongoing; application deadline: 6/30/2026",
    "Ongoing, not later than June 30, 2026.",
  ])("%j is the day that it names", (given) => {
    expect(parseDay(given)).toBe("2026-06-30");
  });

  test("behind an opening word, a day is read and refused as one that stands alone", () => {
    expect(parseDay("Open until 01/02/2026", "dmy")).toBe("2026-02-01");
    expect(splitNumericDate("Open until 31/12/2026")).toEqual({ first: "31", second: "12", year: "2026" });
    expect(() => parseDay("Open until 06/31/2026")).toThrow('"Open until 06/31/2026" is not a date that exists');
    expect(() => parseDay("Open until 6/30/26")).toThrow("its year needs four digits");
  });

  test.each([
    "Rolling",
    "TBD",
    "Open until filled",
    "Continuous",
    "Until funds are exhausted",
    "Ongoing (FY2026)",
    "Until the funds of 2026 are exhausted",
    "Rolling; 24-month awards",
    "Varies (see section 4)",
    "Open until filled (Req. 1234)",
    "Ongoing, 2 cycles a year",
    "Open 24/7",
  ])("%j is no deadline", (given) => {
    expect(parseDay(given)).toBeNull();
  });

  test.each([
    "Open until June 30",
    "Open 06/30/2026",
    "Opens June 30, 2026",
    "Open 05/01/2026 - 06/30/2026",
    "Open from May 1, 2026 through June 30, 2026",
    "Open; to be announced by June 30, 2026",
    "Open until filled; priority deadline June 30, 2026",
    "Rolling; first review on June 30, 2026",
    "Rolling, closes 6/30/2026 or when funds run out",
    "TBD (est. 06/30/2026)",
    "TBD; closes June 30, 2026",
    "Open until June 2026",
  ])("%j may name another day than the last, and is refused", (given) => {
    expect(() => parseDay(given)).toThrow(UnreadableDate);
  });

  test("a long text is read in time", () => {
    // Quadratic backtracking would take hours, and the test's time limit notices.
    for (const text of [`5/8/2026 5:00 PM ${"1-1 may ".repeat(200_000)}`, `Open until ${")".repeat(1_000_000)}6/30`])
      expect(() => parseDay(text)).toThrow("is not a date");
  });
});

describe("moments", () => {
  test.each([
    ["2026-05-08", "2026-05-08T00:00:00.000Z"],
    ["05/08/2026", "2026-05-08T00:00:00.000Z"],
    ["2026-05-08T17:00:00-04:00", "2026-05-08T21:00:00.000Z"],
    ["2026-03-20 16:57:56.079-04", "2026-03-20T20:57:56.079Z"],
    ["2026-05-08T17:00:00.123456+0530", "2026-05-08T11:30:00.123Z"],
    ["2026-05-08T17:00", "2026-05-08T17:00:00.000Z"],
  ])("%j is %j", (given, expected) => {
    expect(parseMoment(given)).toBe(expected);
  });

  test("a moment that does not exist is refused", () => {
    expect(() => parseMoment("2026-02-30T10:00:00Z")).toThrow("is not a date that exists");
    expect(() => parseMoment("2026-02-03T25:00:00Z")).toThrow("is not a moment that exists");
  });
});
