import { createReadStream } from "node:fs";
import { describe, expect, test } from "vitest";
import { RowDecider } from "../../../../ingest/decide-row.ts";
import type { Reject } from "../../../../ingest/entry-file.ts";
import { readFiles } from "../../../../ingest/read/files.ts";
import { isBroken } from "../../../../ingest/read/row.ts";
import { createGenericReader, type GenericFormat, genericMapping } from "../../../../ingest/sources/generic.ts";
import { all, chunksOf } from "../helpers.ts";
import { fixture, importFile } from "./imported-file.ts";

test("any publisher's CSV: columns are mapped by name, and each row fails for itself", async () => {
  const maps = [
    "source_id=Opportunity ID",
    "funder_name=Agency",
    "amount_max=Award Ceiling",
    "created_at=Post Date",
    "listing_url=URL",
    "categories=Funding Instrument Type",
    "identifiers=Opportunity ID,Assistance Listings",
  ];
  const prepare = genericMapping({ dataset: "grants", maps, sets: [], pads: [] }, "my-agency");
  const file = await importFile(
    createGenericReader("csv").read,
    prepare,
    createReadStream(fixture("opportunities.csv")),
  );
  const { read, grants, rejected, repeated, notes } = file;
  expect({ read, grants: grants.size }).toEqual({ read: 12, grants: 8 });
  expect(rejected).toEqual([
    { source_id: "EX-26-008", reason: expect.stringContaining("2026-02-30") },
    { source_id: "EX-26-009", reason: "funder_name is missing" },
    { source_id: "EX-26-010", reason: "title is missing" },
  ]);
  expect(repeated.map(({ source_id }) => source_id)).toEqual(["EX-26-001"]);
  expect(notes).toEqual(["EX-26-007: amount_max is not an amount; left out"]);
  expect(grants.get("EX-26-001")).toEqual({
    source: "my-agency",
    source_id: "EX-26-001",
    title: 'Guides for Lakes, Rivers and "Creeks"',
    description: 'Made up for tests: Guides for Lakes, Rivers and "Creeks".\nA second line.',
    amount_min: null,
    amount_max: 3_125_629,
    deadline_date: "2026-07-28",
    project_end_date: null,
    status: "posted",
    classification: "opportunity",
    states: [],
    is_national: false,
    geography: null,
    funder_name: "EPA",
    funder_source_id: null,
    listing_url: "https://simpler.grants.example.gov/opportunity/1",
    created_at: "2026-04-28T00:00:00.000Z",
    archived_at: null,
    categories: ["grant"],
    identifiers: ["EX-26-001", "66.998"],
    details: {
      agency: ["EPA"],
      assistance_listings: [
        {
          number: "66.998",
          title: "Clearer Water",
        },
      ],
      contact: { name: null, email: "grants@example.gov", phone: null },
      funding_instrument: ["grant"],
    },
  });
  expect(grants.get("EX-26-002")).toMatchObject({ status: "forecasted", deadline_date: null, amount_max: null });
  expect(grants.get("EX-26-003")?.deadline_date).toBe("2076-08-17");
  expect(grants.get("EX-26-004")?.identifiers).toEqual(["EX-26-004", "47.041", "47.049"]);
  // Semicolons and bars separate the items of a list; commas are part of one.
  expect(grants.get("EX-26-005")?.categories).toEqual(["cooperative_agreement, grant"]);
  expect(grants.get("EX-26-007")?.amount_max).toBeNull();
  expect(grants.get("EX-26-011")).toMatchObject({
    title: "Négligée — naïve façade",
    description: "=SUM(A1:A2) is no formula here\nand this line has ended with both.",
  });
});

test("any publisher's JSON lines: members are mapped by name, and a broken line costs itself alone", async () => {
  const maps = [
    "source_id=cfda",
    "funder_name=agency",
    "description=objective",
    "listing_url=sam_url",
    "identifiers=cfda",
  ];
  const prepare = genericMapping(
    { dataset: "grants", maps, sets: ["is_national=yes"], pads: [] },
    "assistance-listings",
  );
  const file = await importFile(
    createGenericReader("ndjson").read,
    prepare,
    createReadStream(fixture("assistance-programs.jsonl")),
  );
  const { read, grants, rejected, repeated } = file;
  expect({ read, grants: grants.size }).toEqual({ read: 11, grants: 9 });
  expect(rejected).toEqual([{ source_id: null, reason: expect.stringContaining("JSON") }]);
  expect(repeated.map(({ source_id }) => source_id)).toEqual(["99.007"]);
  expect(grants.get("99.001")).toMatchObject({
    title: "Counting of Lakes",
    description: "Made up for tests: Counting of Lakes.",
    is_national: true,
    geography: "National",
    funder_name: "Department of Lakes",
    listing_url: "https://sam.gov/fal/99.001/view",
    categories: ["Natural Resources - Water Conservation and Research"],
    identifiers: ["99.001"],
  });
  expect(grants.get("99.002")).toMatchObject({
    title: "Lakes & Schools",
    categories: ["Education", "Natural Resources - Water Conservation and Research"],
  });
  expect(grants.get("99.003")?.description).toBe("");
  expect(grants.get("99.009")?.categories).toEqual([]);
  expect(grants.get("TC.006")?.identifiers).toEqual(["TC.006"]);
});

describe("several files with headers of their own", () => {
  const header = "id,title,funder";
  const rows = (close: string, first: number, count: number) =>
    Array.from({ length: count }, (_, index) => `${first + index},Grant,F,${close}\n`).join("");
  const importAll = (format: GenericFormat, contents: string[]) => dryRun(format, contents, ["deadline=Close Date"]);

  test("fill a field from the column that each spells in its own way", async () => {
    const { decisions, rejects } = await importAll("csv", [
      `${header},Close Date\n${rows("2026-07-01", 1, 150)}`,
      `${header},close_date\n${rows("2026-08-01", 201, 2)}`,
    ]);
    expect(rejects).toEqual([]);
    expect(decisions.slice(-3)).toEqual(["2026-07-01", "2026-08-01", "2026-08-01"]);
  });

  test("have their rows rejected where they lack a column of the mapping", async () => {
    const { rejects } = await importAll("csv", [
      `${header},Close Date\n${rows("2026-07-01", 1, 2)}`,
      `${header},Closes Date\n${rows("2026-08-01", 201, 1)}`,
    ]);
    expect(rejects).toMatchObject([
      {
        file: "1",
        line: 2,
        source_id: "201",
        reason: 'The file has no column "Close Date"; did you mean "Closes Date"?',
      },
    ]);
  });

  test("may lack a member in rows of JSON", async () => {
    const line = (row: object) => `${JSON.stringify({ title: "T", funder: "F", ...row })}\n`;
    const { decisions, rejects } = await importAll("ndjson", [
      line({ id: 1, "Close Date": "2026-07-01" }),
      line({ id: 2 }) + line({ id: 3, closeDate: "2026-08-01", "close-date": "2026-08-02" }),
    ]);
    expect(rejects).toEqual([]);
    expect(decisions).toEqual(["2026-07-01", null, "2026-08-02"]);
  });
});

/** Deadlines of the records of several files, and what was rejected. */
async function dryRun(format: GenericFormat, contents: string[], maps: string[]) {
  const files = contents.map((content, index) => ({ label: String(index), chunks: chunksOf(content, 1_000) }));
  const mapping = { dataset: "grants", maps, sets: [], pads: [] } as const;
  const prepare = genericMapping(mapping, "test", "mdy", format);
  const rejects: Reject[] = [];
  const decisions: unknown[] = [];
  const rowsRead = await all(readFiles(files, createGenericReader(format).read));
  const sample = rowsRead.slice(0, 100).flatMap((row) => (isBroken(row) ? [] : [row.values]));
  const decider = new RowDecider(prepare(sample));
  for (const row of rowsRead) {
    const decision = await decider.decide(row);
    if (decision.kind !== "records") rejects.push(decision.reject);
    else decisions.push(...decision.records.map(({ record }) => "deadline_date" in record && record.deadline_date));
  }
  return { decisions, rejects };
}
