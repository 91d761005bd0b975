import { describe, expect, test } from "vitest";
import { normalize } from "../../../ingest/normalize/normalize.ts";
import type { Note } from "../../../ingest/notes.ts";
import { type RecordUpdate, unknownPast } from "../../../ingest/record.ts";
import {
  asPartial,
  contract as contractFields,
  type Fields,
  funder as funderFields,
  grant as grantFields,
  type MappedRecord,
} from "../../../ingest/sources/source.ts";
import { publisherDay } from "../../../shared/publisher-day.ts";

const notes: Note[] = [];
const context = { source: "test", note: (note: Note) => void notes.push(note) };
/** Contracts have every field that grants have. */
const record = (mapped: MappedRecord) => normalize(mapped, context).record as RecordUpdate<"contracts">;
const grant = (values: Fields<"grants">) => record(grantFields({ title: "T", funder_name: "F", ...values }));
const contract = (values: Fields<"contracts">) => record(contractFields({ title: "T", funder_name: "F", ...values }));
const funder = (values: Fields<"funders">) => record(funderFields(values));

describe("records", () => {
  test("a row with nothing but what it needs is a complete record", () => {
    expect(grant({ source_id: "1" })).toEqual({
      source: "test",
      source_id: "1",
      title: "T",
      description: "",
      amount_min: null,
      amount_max: null,
      deadline_date: null,
      project_end_date: null,
      status: "posted",
      classification: "opportunity",
      states: [],
      is_national: false,
      geography: null,
      funder_name: "F",
      funder_source_id: null,
      listing_url: null,
      created_at: null,
      archived_at: null,
      categories: [],
      identifiers: [],
      details: { agency: ["F"] },
    });
  });

  test("an opportunity has no project end, and an awarded project no deadline", () => {
    const dates = { deadline_date: "2026-07-01", project_end_date: "2027-07-01" };
    expect(grant(dates)).toMatchObject({ deadline_date: "2026-07-01", project_end_date: null });
    expect(grant({ ...dates, classification: "Awarded" })).toMatchObject({
      deadline_date: null,
      project_end_date: "2027-07-01",
    });
  });

  test.each(["See announcement", "No deadline", "Year-round", "Quarterly", "Not specified", "N/A - rolling"])(
    "the words %j in the place of a deadline are left out, with a note",
    (deadline_date) => {
      notes.length = 0;
      expect(grant({ deadline_date })).toMatchObject({ deadline_date: null, status: "posted" });
      expect(notes).toMatchObject([{ field: "deadline_date", value: { text: deadline_date } }]);
      expect(notes[0]?.reason).toMatch(/^is not a date.*; left out$/);
    },
  );

  test("a deadline that may be another day rejects the row, and does not leave it open for ever", () => {
    for (const deadline_date of ["5/1/2026 8:00 AM - 6/30/2026 5:00 PM", "Open until June 30", "TBD (est. 06/30/2026)"])
      expect(() => grant({ deadline_date })).toThrow(`deadline_date: ${JSON.stringify(deadline_date)} is not a date`);
    expect(grant({ deadline_date: "Open; closes May 31, 2026" }).deadline_date).toBe("2026-05-31");
  });

  test("a date that stands for none is left out, with a note", () => {
    notes.length = 0;
    const dates = { deadline_date: "1900-01-01", created_at: "1970-01-01T00:00:00Z", archived_at: "0000-00-00" };
    expect(grant(dates)).toMatchObject({ deadline_date: null, created_at: null, archived_at: null, status: "posted" });
    expect(grant(dates).details).not.toHaveProperty("deadline_at");
    expect(new Set(notes.map(({ field }) => field))).toEqual(new Set(Object.keys(dates)));
    expect(new Set(notes.map(({ reason }) => reason))).toEqual(new Set(["stands for no date; left out"]));
  });

  test.each(["Summer 2025", "2024", "FY2025", "See notice", "5/1/2026 - 6/30/2026", "2026-02-30", "Oct-24", "46037"])(
    "a posting time that is no day, %j, rejects the row: it is never the moment of the import",
    (created_at) => {
      expect(() => grant({ created_at })).toThrow(`created_at: ${JSON.stringify(created_at)} is not a date`);
      expect(() => funder({ name: "N", created_at })).toThrow("created_at: ");
    },
  );

  test("a year in the place of another date is left out, with a note", () => {
    notes.length = 0;
    const dates = { deadline_date: "Summer 2026", archived_at: "2027" };
    expect(grant(dates)).toMatchObject({ deadline_date: null, archived_at: null });
    expect(grant({ classification: "Awarded", project_end_date: "FY2028" }).project_end_date).toBeNull();
    expect(notes.map(({ field }) => field)).toEqual(["deadline_date", "archived_at", "project_end_date"]);
  });

  test("nothing to see is blank", () => {
    notes.length = 0;
    expect(grant({ deadline_date: "\u200b", created_at: "\u200b" }).deadline_date).toBeNull();
    expect(notes).toEqual([]);
  });

  test("a month is the first day where something was posted, the last where something ended, and said to be", () => {
    notes.length = 0;
    expect(grant({ classification: "Awarded", created_at: "October 2024", project_end_date: "2025-02" })).toMatchObject(
      { created_at: "2024-10-01T00:00:00.000Z", project_end_date: "2025-02-28" },
    );
    expect(notes.map(({ field, reason }) => [field, reason])).toEqual([
      ["project_end_date", "is a month: its last day was taken"],
      ["created_at", "is a month: its first day was taken"],
    ]);
  });

  test("what a deadline says besides its day is its note, whatever the source; an award has none", () => {
    const noteOf = (values: Fields<"grants">) => grant(values).details?.deadline_note;
    expect(noteOf({ deadline_date: "Rolling" })).toBe("Rolling");
    expect(noteOf({ deadline_date: "October 2027" })).toBe("October 2027");
    expect(noteOf({ deadline_date: "June 30, 2026, 5 PM local time" })).toBe("June 30, 2026, 5 PM local time");
    expect(noteOf({ deadline_date: "2026-06-30", deadline_note: "<p>By 5&nbsp;PM</p>" })).toBe("By 5 PM");
    expect(noteOf({ deadline_date: "2026-06-30" })).toBeUndefined();
    expect(noteOf({ deadline_date: "Rolling", classification: "Awarded" })).toBeUndefined();
  });

  test("the hour of a deadline in words is kept with its zone", () => {
    expect(grant({ deadline_date: "Due June 30, 2026 by 5 p.m. ET" })).toMatchObject({
      deadline_date: "2026-06-30",
      details: { deadline_at: "2026-06-30T17:00:00-04:00" },
    });
  });

  test("a status that says nothing costs its value and not the record", () => {
    notes.length = 0;
    expect(grant({ status: "Pending" }).status).toBe("posted");
    expect(notes.map(({ field, value }) => [field, value])).toEqual([["status", "Pending"]]);
    expect(contract({ status: "Pending" }).status).toBe("pending");
  });

  test.each<[Fields<"grants">, (number | null)[]]>([
    [{ amount_max: "$5,000 - $25,000" }, [5_000, 25_000]],
    [{ amount_min: "$5,000 - $25,000" }, [5_000, 25_000]],
    [{ amount_min: "$5,000 - $25,000", amount_max: "$5,000 - $25,000" }, [5_000, 25_000]],
    [{ amount_max: "Up to $50,000" }, [null, 50_000]],
    [{ amount_min: "Up to $50,000", amount_max: "Up to $50,000" }, [null, 50_000]],
    [{ amount_min: "Up to $50,000" }, [null, 50_000]],
    [{ amount_max: "$5,000+" }, [5_000, null]],
    [{ amount_min: "$5,000+", amount_max: "50000" }, [5_000, 50_000]],
    [{ amount_max: "5000" }, [null, 5_000]],
    [{ amount_min: "5000", amount_max: "5000" }, [5_000, 5_000]],
    [{ amount_min: "£5,000", amount_max: "5.000.000" }, [null, null]],
  ])("amounts %j are %j", (values, expected) => {
    const { amount_min, amount_max } = grant(values);
    expect([amount_min, amount_max]).toEqual(expected);
  });

  test("without a status, the classification decides; the deadline closes a record where it is stored", () => {
    expect([grant({}), contract({})].map(({ status }) => status)).toEqual(["posted", "open"]);
    const over = { deadline_date: "2026-05-31" };
    expect([grant(over), contract(over)].map(({ status }) => status)).toEqual(["posted", "open"]);
    const award = { classification: "Award Notice" };
    expect([grant(award), contract(award)].map(({ status }) => status)).toEqual(["closed", "awarded"]);
  });

  test("a status that the source gives stays, even past the deadline", () => {
    expect(grant({ status: "Posted", deadline_date: "2026-05-01" }).status).toBe("posted");
  });

  test("the opportunity number is among the identifiers, by which a search finds the record", () => {
    expect(grant({ opportunity_number: "EX-27-001" }).identifiers).toEqual(["EX-27-001"]);
    expect(grant({ opportunity_number: "EX-27-001", identifiers: ["10.557", "EX-27-001"] }).identifiers).toEqual([
      "10.557",
      "EX-27-001",
    ]);
  });

  test("an awarded contract that the source calls active is awarded, not open", () => {
    expect(contract({ classification: "Award Notice", status: "Active" }).status).toBe("awarded");
    expect(contract({ classification: "Award Notice", status: "Inactive" }).status).toBe("closed");
    expect(contract({ classification: "Award Notice", status: "Archived" }).status).toBe("awarded");
  });

  test("archived means closed, since the date that the source gives; the deadline, which may be ahead, is none", () => {
    const archived = { status: "Archived", created_at: "2026-01-01", deadline_date: "2027-03-01" };
    expect(grant(archived)).toMatchObject({ status: "closed", archived_at: unknownPast });
    expect(grant({ ...archived, archived_at: "2026-04-01" }).archived_at).toBe("2026-04-01T00:00:00.000Z");
  });

  test("a small fault leaves the value out and notes it", () => {
    notes.length = 0;
    expect(
      contract({
        naics: "5415",
        primary_contact_email: "call us",
        listing_url: "see web",
        amount_max: "varies widely",
      }),
    ).toMatchObject({
      naics: null,
      primary_contact_email: null,
      listing_url: null,
      amount_max: null,
    });
    expect(new Set(notes)).toEqual(
      new Set([
        { field: "naics", value: "5415", reason: "is not a six-digit NAICS code; left out" },
        { field: "primary_contact_email", value: "call us", reason: "is not an e-mail address; left out" },
        { field: "listing_url", value: "see web", reason: "is not a web address; left out" },
        { field: "amount_max", value: "varies widely", reason: "is not an amount; left out" },
      ]),
    );
  });

  test.each([
    [{ title: "" }, "title is missing"],
    [{ funder_name: " " }, "funder_name is missing"],
    [{ amount_min: "-1" }, "amount_min is negative: -1"],
    [{ amount_min: 10, amount_max: 5 }, "amount_min 10 is more than amount_max 5"],
    [{ deadline_date: "02/30/2026" }, 'deadline_date: "02/30/2026" is not a date that exists'],
    [{ title: { en: "x" } }, "title: "],
  ])("%j rejects the row and says why", (values, reason) => {
    expect(() => grant(values)).toThrow(reason);
  });
});

describe("an identity that the source does not give", () => {
  test("is the same for the same record, and another for another", () => {
    const one = grant({ listing_url: "https://example.org/1" });
    expect(one.source_id).toMatch(/^[0-9a-f]{32}$/);
    expect(grant({ listing_url: "https://example.org/1", status: "closed" }).source_id).toBe(one.source_id);
    for (const other of [
      { title: "U" },
      { funder_name: "G" },
      { listing_url: "https://example.org/2" },
      { created_at: "2026-01-01" },
      { description: "new words" },
    ]) {
      expect(grant({ listing_url: "https://example.org/1", ...other }).source_id).not.toBe(one.source_id);
    }
  });
});

test("a funder needs a name, and keeps its capitals", () => {
  expect(funder({ source_id: "036057087", name: "EDWALD FUND TRUST", website: "WWW.EXAMPLE.ORG" })).toEqual({
    source: "test",
    source_id: "036057087",
    name: "EDWALD FUND TRUST",
    summary: null,
    website: "https://www.example.org",
    created_at: null,
  });
  expect(() => funder({ source_id: "1" })).toThrow("name is missing");
});

test("a partial record has the fields that its source gives, and no other", () => {
  const given = grantFields({
    source_id: "1",
    status: "posted",
    deadline_date: "2026-07-01",
    description: "",
    states: "OH",
  });
  expect(record(asPartial(given))).toEqual({
    source: "test",
    source_id: "1",
    status: "posted",
    archived_at: null,
    deadline_date: "2026-07-01",
    states: ["OH"],
    is_national: false,
    geography: "Ohio",
    // The hour of the stored deadline is not that of the new one.
    details: { deadline_at: null, deadline_assumed: false },
  });
});

test.each([
  ["2026-05-29T00:30:00Z", "2026-05-28"],
  ["2026-05-29T04:00:00Z", "2026-05-29"],
  ["2026-01-01T04:59:59Z", "2025-12-31"],
])("%s is the day %s of publishers on the US East coast", (moment, day) => {
  expect(publisherDay(new Date(moment))).toBe(day);
});
