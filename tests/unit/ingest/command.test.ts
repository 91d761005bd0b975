import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatSummary } from "../../../cli/import/format-summary.ts";
import { importOptions, parseImportCommand } from "../../../cli/import/options.ts";
import { parseArgs } from "../../../cli/options.ts";
import { EntryFile, type Reject } from "../../../ingest/entry-file.ts";
import { NoteCounts } from "../../../ingest/notes.ts";
import { emptySummary } from "../../../ingest/summary.ts";

const noCounts = { inserted: 0, updated: 0, unchanged: 0, archived: 0, accepted: 0 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "import-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function options(...args: string[]) {
  return parseImportCommand(parseArgs({ args, options: importOptions, allowPositionals: true }));
}

describe("the command", () => {
  test("takes the source and the reject file from the file's name", () => {
    expect(options("csv", "some/Grants Gov.2026.csv", "--type", "grants")).toMatchObject({
      source: "grants-gov-2026",
      rejectsPath: "Grants Gov.2026.csv.rejects.ndjson",
      isDryRun: false,
    });
  });

  test("takes the source from the address of an API, unless one is given", () => {
    const address = "https://api.example.org/functions/v1";
    expect(options("common-grants", address)).toMatchObject({
      address: new URL(`${address}/common-grants/opportunities`),
      source: "api-example-org",
      paths: [],
      rejectsPath: "api.example.org.rejects.ndjson",
    });
    expect(options("common-grants", address, "--source", "example").source).toBe("example");
    expect(options("common-grants", "page.json")).toMatchObject({ source: "common-grants", paths: ["page.json"] });
    expect(options("common-grants", "https://api.simpler.grants.gov").source).toBe("grants-gov");
    expect(() => options("common-grants", address, address)).toThrow("one address at a time");
    expect(() => options("common-grants", `${address}?page=1`)).toThrow("The address has parameters");
  });

  test("needs a source for standard input", () => {
    expect(() => options("ndjson", "-", "--type", "grants")).toThrow("--source must say");
    expect(options("ndjson", "-", "--type", "grants", "--source", "sam-gov").rejectsPath).toBe("stdin.rejects.ndjson");
  });

  test.each([
    [["csv", "a.csv"], "--type is missing"],
    [["csv", "a.csv", "--type", "grant"], "not grant (did you mean grants?)"],
    [["xml", "a.xml", "--type", "grants"], "The source must be one of "],
    [["grant-gov", "a.xml"], "not grant-gov (did you mean grants-gov?)"],
    [["a.csv", "--type", "grants"], "Expected a source and a file"],
    [["grants-gov", "a.xml", "--map", "title=Title"], "--map is for ndjson and csv: grants-gov has its own mapping."],
    [["grants-gov", "a.xml", "--full", "--partial"], "--full and --partial cannot be used together"],
    [
      ["csv", "a.csv", "--type", "grants", "--source", "Grants.gov"],
      "--source must be lower-case letters, digits and hyphens: grants-gov",
    ],
    [["csv", "a.csv", "--type", "grants", "--rejects", "/no/such/folder/x"], "cannot be written there"],
  ])("%j is called wrongly", (words, message) => {
    expect(() => options(...words)).toThrow(message);
  });

  test("never overwrites the file that it imports", () => {
    const path = join(folder, "rejects.ndjson");
    writeFileSync(path, "{}\n");
    expect(() => options("ndjson", path, "--type", "grants", "--rejects", path)).toThrow("would overwrite it");
  });

  test("ends with a summary that says where the rejects are", () => {
    const command = options("csv", "a.csv", "--type", "funders");
    const notes = new NoteCounts();
    const note = { source_id: "7", field: "website", reason: "is not a web address; left out" };
    for (const line of [9, 7, 8]) notes.add({ ...note, line, value: `see us ${line}` });
    notes.add({ line: 1_200, source_id: "8", field: null, value: null, reason: "the row is short" });
    const summary = {
      ...emptySummary(),
      read: 1_633,
      repeated: 8,
      rejected: 56,
      records: new Map([["funders" as const, { ...noCounts, inserted: 1_569 }]]),
      notes,
    };
    expect(formatSummary(summary, command, true)).toEqual([
      "funders from source a",
      "  read                       1,633",
      "  inserted                   1,569",
      "  updated                        0",
      "  unchanged                      0",
      "  repeated                       8",
      "  rejected                      56",
      "The rejected and repeated rows are in a.csv.rejects.ndjson",
      'Note: website: "see us 7" is not a web address; left out (3 times, first in line 7)',
      "Note: the row is short (once in line 1,200)",
      "Each note is in a.csv.notes.ndjson, with its line and value",
    ]);
  });
});

test("the summary says which columns the file lacks, and which it has instead", () => {
  const summary = { ...emptySummary(), missingColumns: ["ResponseDeadLine"], unusedColumns: ["OffersDue"] };
  expect(
    formatSummary(summary, { source: "s", isDryRun: false, rejectsPath: "r", notesPath: "n" }, false).slice(-2),
  ).toEqual([
    "Warning: the file has no ResponseDeadLine. What only these columns fill is empty in its records",
    "Columns not used: OffersDue",
  ]);
});

test("the summary of records of two datasets counts each", () => {
  const records = new Map([
    ["grants" as const, { ...noCounts, inserted: 3, archived: 1 }],
    ["funders" as const, { ...noCounts, inserted: 2, unchanged: 1 }],
  ]);
  const command = { source: "s", isDryRun: false, rejectsPath: "r", notesPath: "n" };
  expect(formatSummary({ ...emptySummary(), read: 3, records }, command, false)).toEqual([
    "grants and funders from source s",
    "  read                           3",
    "  grants inserted                3",
    "  grants updated                 0",
    "  grants unchanged               0",
    "  grants archived                1",
    "  funders inserted               2",
    "  funders updated                0",
    "  funders unchanged              1",
    "  repeated                       0",
    "  rejected                       0",
  ]);
});

test("a reject file is made only when there is something to write", async () => {
  const { existsSync, readFileSync } = await import("node:fs");
  const file = new EntryFile<Reject>(join(folder, "made.ndjson"));
  await file.write([]);
  expect([file.exists, existsSync(file.path)]).toEqual([false, false]);
  await file.write([{ line: 2, source_id: null, reason: "no", row: { a: 1 } }]);
  await file.write([{ line: 3, source_id: "x", reason: "no", row: "text" }]);
  await file.close();
  expect(readFileSync(file.path, "utf8")).toBe(
    '{"line":2,"source_id":null,"reason":"no","row":{"a":1}}\n{"line":3,"source_id":"x","reason":"no","row":"text"}\n',
  );
});

test("notes are written beside the reject file, wherever that is", () => {
  const paths = (...more: string[]) => options("csv", "a.csv", "--type", "grants", ...more).notesPath;
  expect(paths()).toBe("a.csv.notes.ndjson");
  expect(paths("--rejects", join(folder, "x.ndjson"))).toBe(join(folder, "x.notes.ndjson"));
  expect(paths("--rejects", "/dev/null")).toBe("/dev/null");
  expect(paths("--notes", join(folder, "n"))).toBe(join(folder, "n"));
});

test("the summary counts notes of any number of kinds, in bounded memory", () => {
  const notes = new NoteCounts();
  for (let line = 1; line <= 10_000; line++) {
    notes.add({ line, source_id: null, field: "f", value: line, reason: `is odd in column ${line}` });
  }
  expect(notes.list()).toHaveLength(51);
  expect(notes.list().at(-1)).toMatchObject({ count: 9_950, first: { reason: "other notes" } });
});
