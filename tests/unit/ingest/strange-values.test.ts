import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { openEmptyDatabase } from "../../support/service.ts";
import { importText } from "./helpers.ts";
import { fixture } from "./sources/imported-file.ts";

/** Values as strangers' files have them: read as they were meant, or noted or rejected; never another value, and never today. */

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

afterAll(() => connection.close());

async function importGrants(source: string, content: string, options = {}) {
  const summary = await importText(connection, "csv", content, { source, ...options });
  const records = await connection.query<Record<string, unknown>>(
    `select source_id, title, status, deadline_date::text, amount_min::float, amount_max::float, created_at::text, listing_url, archived_at::text, details
     from funding.grants where source = $1 order by source_id`,
    [source],
  );
  return { ...summary, records: new Map(records.map((record) => [record.source_id, record])) };
}

describe("a posting date", () => {
  test("is in no spelling the moment of the import, unless the row gives none at all", async () => {
    const spellings = [
      "14-MAR-12",
      "3/14/12",
      "14 Mar 2012",
      "14MAR2012",
      "Mar 14, '12",
      "2012 March 14",
      "March 2012",
    ];
    const unread = [
      "2012",
      "FY2012",
      "Spring 2012",
      "Mar-12",
      "2011-12",
      "See notice",
      "3/14 or 3/15/2012",
      "14-MRZ-12",
    ];
    const none = ["", "N/A", "TBD", "1900-01-01"];
    const rows = [...spellings, ...unread, ...none].map((date, index) => `${index},T${index},F,"${date}"\n`);
    const { records, rejects, dateNotes } = await importGrants("posted", `id,title,funder,posted\n${rows.join("")}`);
    const days = spellings.map((_, index) => String(records.get(String(index))?.created_at).slice(0, 10));
    expect(days).toEqual([...Array(6).fill("2012-03-14"), "2012-03-01"]);
    expect(rejects.map(({ source_id }) => source_id)).toEqual(
      unread.map((_, index) => String(spellings.length + index)),
    );
    for (const { reason } of rejects) expect(reason).toMatch(/^created_at: ".*" is not a date/);
    const today = new Date().toISOString().slice(0, 10);
    const dated = [...records.values()].filter(({ created_at }) => String(created_at).slice(0, 10) >= today);
    expect(dated).toHaveLength(none.length);
    expect(dateNotes).toEqual([
      'Years of two digits in column "posted" were read as 1969 to 2068, behind the day and the month: 1, such as 3/14/12 (line 3).',
    ]);
  });

  test("with a year of two digits has the order of its column", async () => {
    const file = "id,title,funder,posted\n1,A,F,05/06/12\n2,B,F,13/06/12\n";
    const { records, dateNotes } = await importGrants("short-years", file);
    expect(records.get("1")?.created_at).toMatch(/^2012-06-05/);
    expect(dateNotes[0]).toContain("were read day first, as 13/06/12 (line 3) shows");
    const mixed = await importGrants("mixed-years", `${file}3,C,F,06/25/12\n`);
    expect(mixed.rejects).toHaveLength(3);
  });
});

describe("a deadline", () => {
  test("is the one day that its words name, is none where they name none, and no one of several", async () => {
    const file = `id,title,funder,deadline
day,T,F,"Friday, January 15, 2027 - 5:00pm."
hour,T,F,"January 15, 2027 (5:00 p.m. ET)"
words,T,F,Apply by 5 p.m. on the day that the notice names
month,T,F,January 2027
far,T,F,2099-12-31
farther,T,F,1/1/2100
two,T,F,"January 15, 2027; June 15, 2027"
`;
    const { records, rejects } = await importGrants("deadlines", file);
    const days = [...records].map(([id, { deadline_date }]) => [id, deadline_date]);
    expect(Object.fromEntries(days)).toEqual({
      day: "2027-01-15",
      hour: "2027-01-15",
      words: null,
      month: null,
      far: null,
      farther: null,
    });
    expect(rejects.map(({ source_id }) => source_id)).toEqual(["two"]);
    expect([...records.values()].map(({ status }) => status)).toEqual(Array(6).fill("posted"));
    expect(records.get("hour")?.details).toMatchObject({ deadline_at: "2027-01-15T17:00:00-05:00" });
    expect(records.get("month")?.details).toMatchObject({ deadline_note: "January 2027" });
    expect(records.get("words")?.details).toMatchObject({ deadline_note: expect.stringContaining("5 p.m.") });
    expect(records.get("far")?.details).not.toHaveProperty("deadline_note");
  });
});

describe("a status", () => {
  const file =
    "id,title,funder,status,deadline\n1,A,F,On Ice,\n2,B,F,Seasonal,2026-05-01\n3,C,F,Rolling,\n4,D,F,on  ice,\n";

  test("that is not known is left out and noted, and the record is in", async () => {
    const { records, rejects, notes } = await importGrants("unknown-status", file);
    expect(rejects).toEqual([]);
    expect([...records.values()].map(({ status }) => status)).toEqual(["posted", "closed", "open", "posted"]);
    expect(notes.list().map(({ count, first }) => [count, first.field, first.value])).toEqual([
      [3, "status", "On Ice"],
    ]);
  });

  test("has the meaning that --status gives it", async () => {
    const { records, notes } = await importGrants("given-status", file.replace("2026-05-01", ""), {
      statuses: ["on ice=closed", "Seasonal = upcoming"],
    });
    expect([...records.values()].map(({ status }) => status)).toEqual(["closed", "upcoming", "open", "closed"]);
    expect(notes.list()).toEqual([]);
  });

  test.each([
    ["On Ice", "expected WORD=VALUE"],
    ["=closed", "expected WORD=VALUE"],
    ["On Ice=", "expected WORD=VALUE"],
    ["On Ice=frozen", "grants have the statuses posted, open, closed, forecasted, upcoming, archived"],
  ])("--status %s is refused before anything is read", async (option, message) => {
    await expect(importText(undefined, "csv", file, { statuses: [option] })).rejects.toThrow(message);
  });
});

test("a Grants.gov site's export is read by its column names: labels, links, months in letters, moments with a zone", async () => {
  const content = readFileSync(fixture("grants-gov-site-export.csv"), "utf8");
  const { records, rejects, unusedColumns } = await importGrants("site-export", content, {
    maps: ["source_id=OPPORTUNITY NUMBER"],
  });
  expect(rejects.map(({ reason }) => reason)).toEqual([
    `source_id: "=A7&B7" is a spreadsheet's formula; export the file with values`,
    expect.stringMatching(/^created_at: "2026" is not a date/),
  ]);
  expect(unusedColumns).toEqual(["VERSION", "LAST UPDATED DATE/TIME", "GRANTOR CONTACT", "GRANTOR CONTACT EMAIL"]);
  expect(records.get("EX-27-001")).toMatchObject({
    title: "Ferries for Small Islands",
    status: "posted",
    deadline_date: "2027-01-15",
    amount_min: 1_000,
    amount_max: 300_000,
    created_at: "2026-06-06 00:00:00+00",
    listing_url: "https://www.grants.example.gov/detail/900001",
    details: {
      opportunity_number: "EX-27-001",
      total_funding: 12_000_000,
      expected_awards: 40,
      cost_sharing: false,
      assistance_listings: [{ number: "20.999", title: "Ferries" }],
    },
  });
  expect(records.get("EX-27-002")).toMatchObject({
    status: "forecasted",
    created_at: "2026-06-07 05:28:33+00",
    listing_url: "https://www.grants.example.gov/detail/900002",
  });
  expect(records.get("EX-27-003")).toMatchObject({
    status: "open",
    deadline_date: null,
    amount_min: null,
    amount_max: 50_000,
    details: { deadline_note: expect.stringContaining("by 5:00 p.m., ET") },
  });
  expect(records.get("EX-27-004")).toMatchObject({
    status: "posted",
    created_at: "2026-06-08 00:00:00+00",
    deadline_date: "2027-01-15",
    amount_min: 5_000,
    amount_max: 25_000,
    listing_url: null,
  });
});
