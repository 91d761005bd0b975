import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoDay, PlaceholderDate, UnreadableDate } from "../../../ingest/errors.ts";
import {
  deadlineNote,
  parseDay,
  parseDayOrNull,
  parseDeadlineText,
  parseMoment,
  splitNumericDate,
} from "../../../ingest/fields/date.ts";
import { runs } from "../../support/properties.ts";

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

  test.each(["2026-02-30", "02/30/2026", "13/01/2026", "02302026", "2025-02-29", "0000-01-01", "31-APR-26", "2/30/26"])(
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
    "2099-12-31",
    "1/1/2100",
    "December 31, 2999",
    "31-DEC-9999",
  ])("%j stands for no date", (given) => {
    expect(() => parseDay(given)).toThrow(PlaceholderDate);
    expect(parseDayOrNull(given, "mdy")).toBeNull();
  });

  test("days beside placeholders are days", () => {
    expect(["1900-01-02", "12/31/2098", "2000-01-01"].map((day) => parseDay(day))).toEqual([
      "1900-01-02",
      "2098-12-31",
      "2000-01-01",
    ]);
    expect(parseDay("2108-12-31", "mdy", "end")).toBe("2108-12-31");
    expect(() => parseDay("2108-12-31")).toThrow(PlaceholderDate);
    expect(() => parseDay("31/12/9999", "dmy")).toThrow(PlaceholderDate);
    expect(() => parseMoment("1900-01-01T00:00:00Z")).toThrow(PlaceholderDate);
  });

  test.each(["soon", "2026", "Foo 3, 2026", "2026-05-08x", "1/2/2026-1/3/2026"])(
    "%j is refused as no date",
    (given) => {
      expect(() => parseDay(given)).toThrow("is not a date (for example");
    },
  );

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
    expect(parseDay("Open until 6/30/26")).toBe("2026-06-30");
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

const day = fc
  .date({ min: new Date("1970-01-02T00:00:00Z"), max: new Date("2068-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const names = ["January", "February", "March", "April", "May", "June", "July"]
  .concat(["August", "September", "October", "November", "December"])
  .map((name) => [name, name.slice(0, 3), name.toUpperCase(), name.slice(0, 3).toUpperCase()]);
const nth = (number: number) =>
  `${number}${["th", "st", "nd", "rd"][number < 4 || (number > 20 && number % 10 < 4) ? number % 10 : 0]}`;

/** Spellings of a day, with the month as a word or the year in front. Names have four spellings. */
const spellings: ((year: string, month: number, day: number, spelling: number) => string)[] = [
  (year, month, day, spelling) => `${names[month - 1]?.[spelling]} ${day}, ${year}`,
  (year, month, day, spelling) => `${names[month - 1]?.[spelling]} ${nth(day)} ${year}`,
  (year, month, day, spelling) => `${names[month - 1]?.[spelling]}-${String(day).padStart(2, "0")}-${year}`,
  (year, month, day, spelling) => `${day} ${names[month - 1]?.[spelling]} ${year}`,
  (year, month, day, spelling) => `${nth(day)} of ${names[month - 1]?.[spelling]}, ${year}`,
  (year, month, day, spelling) => `${day}-${names[month - 1]?.[spelling]}-${year}`,
  (year, month, day, spelling) => `${String(day).padStart(2, "0")}${names[month - 1]?.[spelling]}${year}`,
  (year, month, day, spelling) => `${day}-${names[month - 1]?.[spelling]}-${year.slice(2)}`,
  (year, month, day, spelling) => `${day} ${names[month - 1]?.[spelling]} ${year.slice(2)}`,
  (year, month, day, spelling) => `${names[month - 1]?.[spelling]} ${day}, '${year.slice(2)}`,
  (year, month, day, spelling) => `${names[month - 1]?.[spelling]} ${day}, ${year.slice(2)}`,
  (year, month, day) => `${month}/${day}/${year.slice(2)}`,
  (year, month, day) => `${month}/${day}/${year}`,
  (year, month, day, spelling) => `${year} ${names[month - 1]?.[spelling]} ${day}`,
  (year, month, day) => `${year}/${month}/${day}`,
];
const written = fc.tuple(day, fc.constantFrom(...spellings), fc.nat({ max: 3 })).map(([date, spell, spelling]) => {
  const [year = "", month, dayOfMonth] = date.split("-");
  return { date, text: spell(year, Number(month), Number(dayOfMonth), spelling) };
});

/** Words of publishers around the day of a deadline. */
const around: ((date: string) => string)[] = [
  (date) => date,
  (date) => `${date}.`,
  (date) => `Due ${date}`,
  (date) => `Closes ${date}`,
  (date) => `Deadline: ${date}`,
  (date) => `Applications due by 5:00 PM EST on ${date}`,
  (date) => `Proposals must be received no later than 4 p.m. (CT), ${date}.`,
  (date) => `${date} (5:00 p.m. ET)`,
  (date) => `${date} by 5 PM`,
  (date) => `${date} - 5:00pm`,
  (date) => `${date} at 11:59 p.m. Pacific`,
  (date) => `${date}, 17:00 local time`,
  (date) => `${date} (close of business)`,
  (date) => `Deadline extended to ${date}`,
  (date) => `Open until ${date}`,
  (date) => `Applications are accepted through ${date}`,
  (date) => `On or before ${date}`,
];

describe("days in words", () => {
  test("are the day that was meant, in every spelling and with the words of a deadline", () => {
    fc.assert(
      fc.property(written, fc.constantFrom(...around), ({ date, text }, wrap) => {
        expect(parseDay(wrap(text))).toBe(date);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("are no day where there are two of them", () => {
    const divider = fc.constantFrom(" - ", " to ", " and ", "; ", " or ", " through ");
    fc.assert(
      fc.property(written, written, divider, fc.constantFrom(...around), (one, other, to, wrap) => {
        fc.pre(one.date !== other.date);
        expect(() => parseDay(wrap(`${one.text}${to}${other.text}`))).toThrow(UnreadableDate);
      }),
      { numRuns: runs(500) },
    );
  });

  test.each([
    "LOI due January 15, 2027",
    "Letter of intent: January 15, 2027",
    "Opens January 15, 2027",
    "First deadline: January 15, 2027",
    "Accepted from January 15, 2027",
    "No earlier than January 15, 2027",
    "30 days after January 15, 2027",
    "January 15, 2027 (letter of intent)",
    "January 15, 2027 or until funds are exhausted",
    "January 15, 2027, and annually thereafter",
    "January 15-20, 2027",
    "15-20 January 2027",
    "January 15 - June 15, 2027",
  ])("%j may be another day than the last, and is refused", (given) => {
    expect(() => parseDay(given)).toThrow(UnreadableDate);
    expect(() => parseDay(given)).not.toThrow(NoDay);
  });

  test.each([
    "60 days after the award",
    "See notice EX-27-014",
    "5 PM local time",
    "Applications must arrive by 5:00 p.m., ET, on the day that the notice names.",
    "Oct-24",
    "2010-11",
    "Q3 2025",
    "FY2025",
    "2024-2025",
    "Fall 2026",
    "early October 2026",
  ])("%j names no day", (given) => {
    for (const role of ["posted", "end", "deadline"] as const)
      expect(() => parseDay(given, "mdy", role)).toThrow(NoDay);
  });

  test("years of two digits are 1969 to 2068", () => {
    expect(["14-MAR-69", "14-MAR-99", "14-MAR-00", "3/14/68"].map((text) => parseDay(text))).toEqual([
      "1969-03-14",
      "1999-03-14",
      "2000-03-14",
      "2068-03-14",
    ]);
    expect(splitNumericDate("3/14/12")).toEqual({ first: "3", second: "14", year: "2012" });
    expect(() => parseDay("14/3/12", "iso")).toThrow("does not have its year first");
  });
});

describe("months", () => {
  test.each(["February 2024", "Feb-2024", "FEB 2024", "Feb. '24", "2024-02", "2024/02", "02/2024", "2024 February"])(
    "%j is its first day where something was posted, its last where something ends, and no deadline",
    (given) => {
      const notes: unknown[] = [];
      const note = (value: unknown, reason: string) => void notes.push([value, reason]);
      expect(parseMoment(given, "mdy", "posted", note)).toBe("2024-02-01T00:00:00.000Z");
      expect(parseDay(given, "mdy", "end", note)).toBe("2024-02-29");
      expect(notes).toEqual([
        [given, "is a month: its first day was taken"],
        [given, "is a month: its last day was taken"],
      ]);
      expect(() => parseDay(given)).toThrow(NoDay);
      expect(deadlineNote(given, null)).toBe(given);
    },
  );
});

describe("the moment and the words of a deadline", () => {
  test.each([
    ["January 15, 2027 (5:00 p.m. ET)", "2027-01-15T17:00:00-05:00", null],
    ["July 15, 2027 at 11:59 p.m. Pacific", "2027-07-15T23:59:00-07:00", null],
    ["Fri, 15 Jan 2027 17:00:00 -0500", "2027-01-15T17:00:00-05:00", null],
    ["2027-01-15 17:00 ET", "2027-01-15T17:00:00-05:00", null],
    ["5 PM Eastern (2 PM Pacific), January 15, 2027", "2027-01-15T17:00:00-05:00", null],
    ["November 7, 2027, noon CT", "2027-11-07T12:00:00-06:00", null],
    ["Due January 15, 2027.", null, null],
    ["1/15/2027 11:59:59 PM", null, null],
    ["Jan 15, 2027 12:00:00 AM EST", null, null],
    ["July 15, 2027 5 PM EST", null, "July 15, 2027 5 PM EST"],
    ["January 15, 2027, 5 PM local time", null, "January 15, 2027, 5 PM local time"],
    ["January 15, 2027 by 5 PM", null, "January 15, 2027 by 5 PM"],
    ["January 15, 2027 at midnight", null, "January 15, 2027 at midnight"],
    ["January 15, 2027 (postmarked)", null, "January 15, 2027 (postmarked)"],
    ["January 15, 2027, 8:00 AM - 5:00 PM ET", null, "January 15, 2027, 8:00 AM - 5:00 PM ET"],
  ])("of %j are %j and %j", (given, moment, note) => {
    expect([parseDeadlineText(given), deadlineNote(given, parseDay(given))]).toEqual([moment, note]);
  });

  test("of a text without a day are the text, and a placeholder has none", () => {
    expect(deadlineNote("Rolling until exhausted", null)).toBe("Rolling until exhausted");
    expect(deadlineNote("12/31/2099", null)).toBeNull();
  });
});

describe("moments", () => {
  test.each([
    ["Jun-06-2026 03:28:33 PM EST", "2026-06-06T20:28:33.000Z"],
    ["Jun-07-2026 01:28:33 AM EDT", "2026-06-07T05:28:33.000Z"],
    ["May 08, 2026 12:00:00 AM EDT", "2026-05-08T00:00:00.000Z"],
    ["05/08/2026 5:00 PM", "2026-05-08T00:00:00.000Z"],
    ["05/08/2026 5:00 PM ET", "2026-05-08T21:00:00.000Z"],
    ["8 May 2026 17:00 UTC", "2026-05-08T17:00:00.000Z"],
  ])("with a zone's name, %j is %j", (given, expected) => {
    expect(parseMoment(given)).toBe(expected);
  });

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
