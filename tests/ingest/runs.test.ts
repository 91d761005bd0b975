import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import type { Reject } from "../../ingest/entry-file.ts";
import { csvRows } from "../../ingest/read/csv.ts";
import { readFiles } from "../../ingest/read/files.ts";
import { type RunOptions, type RunResult, runImport } from "../../ingest/run-import.ts";
import { genericMapping } from "../../ingest/sources/generic.ts";
import { grantsGov } from "../../ingest/sources/grants-gov.ts";
import { grantsGovSearch2 } from "../../ingest/sources/grants-gov-search2.ts";
import { namedMapping } from "../../ingest/sources/named.ts";
import type { Source } from "../../ingest/sources/source.ts";
import { type DatasetCounts, emptySummary } from "../../ingest/summary.ts";
import { openEmptyDatabase } from "../support/service.ts";
import { pipedZip } from "../unit/ingest/archives.ts";
import { chunksOf } from "../unit/ingest/helpers.ts";

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

beforeEach(() =>
  connection.execute(
    "truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes, funding.imports",
  ),
);

afterAll(() => connection.close());

/** A synopsis; `null` leaves an element out. */
function synopsis(id: number, changes: Record<string, string | null> = {}): string {
  const children = {
    OpportunityID: String(id),
    OpportunityTitle: `Opportunity ${id}`,
    AgencyCode: "EPA",
    AgencyName: "Environmental Protection Agency",
    PostDate: "04152026",
    CloseDate: "07012026",
    Description: `What opportunity ${id} pays for`,
    ...changes,
  };
  const lines = Object.entries(children).map(([name, text]) => (text === null ? "" : `<${name}>${text}</${name}>`));
  return `<OpportunitySynopsisDetail_1_0>${lines.join("")}</OpportunitySynopsisDetail_1_0>\n`;
}

const extract = (...records: string[]) => `<?xml version="1.0"?>\n<Grants>\n${records.join("")}</Grants>\n`;
/** An extract of the opportunities 1 to `count`. */
const extractOf = (count: number) => extract(...Array.from({ length: count }, (_, index) => synopsis(index + 1)));

interface Outcome extends Partial<DatasetCounts> {
  result: RunResult | { outcome: "failed"; message: string };
  read: number;
  rejected: number;
  rejects: Reject[];
}

async function run(source: Source, content: string | Uint8Array, options: Partial<RunOptions> = {}): Promise<Outcome> {
  const rejects: Reject[] = [];
  const summary = emptySummary();
  const rows = readFiles([{ chunks: chunksOf(content, 1_000) }], source.read);
  const result = await runImport(rows, {
    prepare: namedMapping(source),
    connect: () => Promise.resolve([connection]),
    importer: source.name,
    file: "extract.xml",
    asOf: new Date("2026-06-01T05:00:00Z"),
    isFull: source.isFull,
    isForced: false,
    rejects: { write: async (more) => void rejects.push(...more) },
    summary,
    ...options,
  }).catch((error: Error) => ({ outcome: "failed" as const, message: error.message }));
  const { read, rejected, records } = summary;
  return { result, read, rejected, rejects, ...records.get("grants") };
}

const importExtract = (content: string | Uint8Array, options?: Partial<RunOptions>) => run(grantsGov, content, options);

async function stored<Row>(columns: string): Promise<Row[]> {
  return await connection.query<Row>(`select ${columns} from funding.grants order by source_id::integer`);
}

async function lastRun() {
  const [row] = await connection.query("select * from funding.imports order by id desc limit 1");
  return row;
}

describe("an extract that is imported again", () => {
  test("unchanged writes no row and moves no version, and is fresher all the same", async () => {
    const traces = () => stored("xmin::text, updated_at::text");
    const versions = () => connection.query("select dataset, version::text from funding.data_versions order by 1");
    await importExtract(extractOf(5));
    const before = [await traces(), await versions()];
    expect(await importExtract(extractOf(5), { asOf: new Date("2026-06-02T05:00:00Z") })).toMatchObject({
      result: { outcome: "completed" },
      inserted: 0,
      updated: 0,
      unchanged: 5,
      archived: 0,
    });
    expect([await traces(), await versions()]).toEqual(before);
    expect(await connection.query("select from funding.record_changes")).toEqual([]);
    expect(await connection.query("select funding.data_as_of('grants')::text as day")).toEqual([
      { day: "2026-06-02 05:00:00+00" },
    ]);
  });

  test("with one deadline moved updates one row, and records what it was", async () => {
    await importExtract(extractOf(3));
    const moved = extract(synopsis(1), synopsis(2, { CloseDate: "08012026" }), synopsis(3));
    expect(await importExtract(moved)).toMatchObject({ inserted: 0, updated: 1, unchanged: 2 });
    expect(await connection.query("select dataset, record_id, previous from funding.record_changes")).toEqual([
      {
        dataset: "grants",
        record_id: (await stored<{ id: string }>("id"))[1]?.id,
        previous: { deadline_date: "2026-07-01", deadline_at: "2026-07-01T23:59:00-04:00" },
      },
    ]);
  });
});

test("over two connections every row is written once, and every bad one told", async () => {
  const bad = synopsis(9_999, { OpportunityTitle: null });
  const records = Array.from({ length: 1_700 }, (_, index) => synopsis(index + 1));
  const content = extract(...records.slice(0, 600), bad, ...records.slice(600));
  const { rejects, ...outcome } = await importExtract(content, {
    connect: () => Promise.resolve([connection, connection]),
  });
  expect(outcome).toMatchObject({ result: { outcome: "completed" }, read: 1_701, inserted: 1_700, rejected: 1 });
  expect(rejects).toMatchObject([{ line: 603, source_id: "9999" }]);
  expect(await stored("1")).toHaveLength(1_700);
});

describe("a record that a full extract no longer has", () => {
  test("is archived, and comes back when it returns", async () => {
    const openOf = (count: number) =>
      extract(...Array.from({ length: count }, (_, index) => synopsis(index + 1, { CloseDate: null })));
    await importExtract(openOf(10));
    expect(await importExtract(openOf(9))).toMatchObject({ unchanged: 9, archived: 1 });
    const tenth = async () => (await stored("status, archived_at is not null as is_archived"))[9];
    expect(await tenth()).toEqual({ status: "closed", is_archived: true });
    expect(await importExtract(openOf(9))).toMatchObject({ unchanged: 9, archived: 0 });
    expect(await importExtract(openOf(10))).toMatchObject({ updated: 1, unchanged: 9, archived: 0 });
    expect(await tenth()).toEqual({ status: "posted", is_archived: false });
  });

  test("stays when the extract is said to be a part", async () => {
    await importExtract(extractOf(10));
    expect(await importExtract(extractOf(2), { isFull: false })).toMatchObject({ unchanged: 2 });
    expect(await stored("archived_at")).toEqual(Array(10).fill({ archived_at: null }));
  });

  test("stays when more than a fifth of the source would go, until it is forced", async () => {
    await importExtract(extractOf(10));
    const { result, ...counts } = await importExtract(
      extract(...[1, 2, 3, 4, 5, 6, 7].map((id) => synopsis(id)), synopsis(11)),
    );
    expect(result).toEqual({
      outcome: "refused",
      message:
        "3 of the source's 11 current grants are not in the input, which is more than a fifth: none was archived. If the publisher removed them, --force archives them.",
    });
    expect(counts).toMatchObject({ inserted: 1, unchanged: 7, archived: 0 });
    expect(await lastRun()).toMatchObject({ outcome: "refused", message: expect.stringContaining("--force") });
    expect(await importExtract(extractOf(7), { isForced: true })).toMatchObject({
      result: { outcome: "completed" },
      archived: 4,
    });
  });

  test("is nobody else's: another source's records stay", async () => {
    await importExtract(extractOf(5));
    await connection.execute("update funding.grants set source = 'other' where source_id in ('4', '5')");
    expect(await importExtract(extractOf(3))).toMatchObject({ unchanged: 3, archived: 0 });
  });

  test("is not one whose row is there and cannot be taken", async () => {
    await importExtract(extractOf(10));
    const bad = extract(
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((id) => synopsis(id)),
      synopsis(9, { OpportunityTitle: null }),
      synopsis(10, { Description: "fish & chips" }),
    );
    const { rejects, ...outcome } = await importExtract(bad);
    expect(outcome).toMatchObject({ read: 10, rejected: 2, unchanged: 8, archived: 0 });
    expect(rejects).toMatchObject([
      { line: 11, source_id: "9", reason: "title is missing" },
      { line: 12, source_id: "10", reason: expect.stringMatching(/^not XML: /) },
    ]);
  });

  describe("of a table", () => {
    const table: Source = { ...grantsGov, name: "table", read: csvRows, isFull: true };
    const prepare = genericMapping({ dataset: "grants", maps: [], sets: [], pads: [] }, "table");
    const importTable = (header: string, rows: readonly string[]) =>
      run(table, [header, ...rows, ""].join("\n"), { prepare });
    const archived = () => connection.query("select title from funding.grants where archived_at is not null");
    const bad = (row: string) => row.replace("2026-07-01", "2026-06-31");

    test("without identifiers stays while a row that was rejected may be its own", async () => {
      const header = "title,funder,deadline";
      const rows = Array.from({ length: 10 }, (_, index) => `Opportunity ${index},F,2026-07-01`);
      await importTable(header, rows);
      const { result, ...counts } = await importTable(header, [...rows.slice(0, 9), bad(rows[9] ?? "")]);
      expect(result).toEqual({
        outcome: "refused",
        message:
          "1 of the source's 10 current grants are not in the input, and 1 rows of the input were rejected without an identifier and may be theirs: none was archived. If the publisher removed them, --force archives them.",
      });
      expect(counts).toMatchObject({ rejected: 1, unchanged: 9, archived: 0 });
      expect(await archived()).toEqual([]);
      // A row that repeats another is no record of its own.
      expect(await importTable(header, [...rows.slice(0, 9), rows[0] ?? ""])).toMatchObject({ archived: 1 });
    });

    test("stays when its identifier is stored without the second space that the rejected row has", async () => {
      const header = "id,title,funder,deadline";
      const rows = Array.from({ length: 10 }, (_, index) => `EPA  ${index},Opportunity ${index},F,2026-07-01`);
      await importTable(header, rows);
      const { result, rejects, ...counts } = await importTable(header, [...rows.slice(0, 9), bad(rows[9] ?? "")]);
      expect(result).toEqual({ outcome: "completed" });
      expect(rejects).toMatchObject([{ source_id: "EPA 9" }]);
      expect(counts).toMatchObject({ rejected: 1, unchanged: 9, archived: 0 });
    });
  });
});

describe("a full list that is older than its source's data", () => {
  const yesterday = { asOf: new Date("2026-06-01T05:00:00Z") };
  const hit = {
    title: "Opportunity of the API",
    agencyCode: "EPA",
    agency: "Environmental Protection Agency",
    openDate: "04/15/2026",
    closeDate: "08/01/2026",
    oppStatus: "posted",
    cfdaList: [],
  };
  const answer = JSON.stringify({
    data: {
      oppHits: [
        { ...hit, id: "1", number: "EPA-1" },
        { ...hit, id: "11", number: "EPA-11" },
      ],
    },
  });
  const importAnswer = () => run(grantsGovSearch2, answer, { asOf: new Date("2026-06-02T09:00:00Z") });
  const grant = async (id: string) => {
    const records = await stored<{ id: string }>(
      "source_id as id, title, deadline_date::text as deadline, archived_at is not null as is_archived",
    );
    return records.find((record) => record.id === id);
  };

  test("neither reverts nor archives what newer data brought, archives the rest that it lacks, and says so", async () => {
    await importExtract(extractOf(10), yesterday);
    expect(await importAnswer()).toMatchObject({ inserted: 1, updated: 1 });
    expect(await importExtract(extractOf(9), yesterday)).toMatchObject({
      result: {
        outcome: "completed",
        warning: expect.stringContaining(
          "The list is of 2026-06-01 05:00 UTC, and the source has data of 2026-06-02 09:00 UTC: records that changed since",
        ),
      },
      inserted: 0,
      updated: 0,
      unchanged: 9,
      archived: 1,
    });
    expect(await grant("1")).toMatchObject({ title: "Opportunity of the API", deadline: "2026-08-01" });
    expect(await grant("11")).toMatchObject({ is_archived: false });
    expect(await grant("10")).toMatchObject({ is_archived: true });
    expect(await lastRun()).toMatchObject({ outcome: "completed", message: expect.stringContaining("--force") });
  });

  test("is imported as the newest where that is forced", async () => {
    await importExtract(extractOf(10), yesterday);
    await importAnswer();
    const forced = await importExtract(extractOf(10), { ...yesterday, isForced: true });
    expect(forced).toMatchObject({ result: { outcome: "completed" }, updated: 1, archived: 1 });
    expect(await grant("1")).toMatchObject({ title: "Opportunity 1", deadline: "2026-07-01" });
  });

  test("archives nothing and brings nothing back where a newer full list is in", async () => {
    const today = { asOf: new Date("2026-06-02T05:00:00Z") };
    await importExtract(extract(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => synopsis(id))), yesterday);
    const newer = extract(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 11].map((id) => synopsis(id)));
    expect(await importExtract(newer, today)).toMatchObject({ inserted: 1, archived: 1 });
    expect(await importExtract(extractOf(10).replace(synopsis(3), ""), yesterday)).toMatchObject({
      result: { outcome: "completed", warning: expect.stringContaining("Nothing was archived") },
      updated: 0,
      archived: 0,
    });
    expect(await grant("10")).toMatchObject({ is_archived: true });
    // The newest list again is not older than itself.
    expect(await importExtract(newer, today)).toMatchObject({
      result: { outcome: "completed" },
      updated: 0,
      archived: 0,
    });
    expect(await lastRun()).toMatchObject({ message: null });
  });

  test("is the newest where only another source has newer data", async () => {
    await importExtract(extractOf(10), yesterday);
    await connection.execute("update funding.imports set as_of = '2026-06-02T05:00:00Z', source = 'other'");
    expect(await importExtract(extractOf(9), yesterday)).toMatchObject({
      result: { outcome: "completed" },
      archived: 1,
    });
    expect(await lastRun()).toMatchObject({ message: null });
  });
});

describe("an extract that fails", () => {
  test("in its archive gives the rows before the fault, archives nothing, and is remembered as failed", async () => {
    await importExtract(extractOf(1_600));
    const changed = extractOf(1_600).replaceAll("What opportunity", "All that opportunity");
    const archive = pipedZip([{ name: "GrantsDBExtract20260601v2.xml", content: changed }]);
    const { result, ...counts } = await importExtract(archive.subarray(0, archive.length / 2));
    expect(result).toEqual({ outcome: "failed", message: "is cut short: its packed data has no end" });
    expect(counts.updated).toBeGreaterThan(600);
    expect(counts.read).toBe(counts.updated);
    expect(await lastRun()).toMatchObject({
      outcome: "failed",
      message: "is cut short: its packed data has no end",
      counts: { read: counts.read, grants: { updated: counts.updated, archived: 0 } },
    });
    expect(await importExtract(archive)).toMatchObject({
      result: { outcome: "completed" },
      updated: 1_600 - (counts.updated ?? 0),
      unchanged: counts.updated,
      archived: 0,
    });
  });

  test("with an entity bomb is refused before the database is opened", async () => {
    const bomb = '<!DOCTYPE Grants [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>\n<Grants></Grants>';
    const connect = () => Promise.reject(new Error("opened"));
    expect((await importExtract(bomb, { connect })).result).toMatchObject({
      message: expect.stringMatching(/^has a document type declaration/),
    });
  });

  test("because it was stopped is completed by the next run", async () => {
    const stop = new AbortController();
    const { result } = await importExtract(extractOf(1_200), { signal: stop.signal, report: () => stop.abort() });
    expect(result.outcome).toBe("failed");
    expect(await stored("1")).toHaveLength(500);
    expect(await importExtract(extractOf(1_200))).toMatchObject({ inserted: 700, unchanged: 500, archived: 0 });
  });

  test("because its database is gone leaves a run that the next one calls interrupted", async () => {
    const folder = mkdtempSync(join(tmpdir(), "import-"));
    try {
      const first = pgliteConnection(await openPGlite(folder));
      await migrate(first);
      const { result } = await importExtract(extractOf(1_200), {
        connect: () => Promise.resolve([first]),
        report: () => void first.close(),
      });
      expect(result.outcome).toBe("failed");
      const second = pgliteConnection(await openPGlite(folder));
      expect(await second.query("select outcome from funding.imports")).toEqual([{ outcome: "running" }]);
      const again = await importExtract(extractOf(1_200), { connect: () => Promise.resolve([second]) });
      expect(again).toMatchObject({ inserted: 700, unchanged: 500, archived: 0 });
      expect(await second.query("select outcome, counts from funding.imports order by id")).toEqual([
        { outcome: "interrupted", counts: {} },
        {
          outcome: "completed",
          counts: {
            read: 1_200,
            repeated: 0,
            rejected: 0,
            grants: { inserted: 700, updated: 0, unchanged: 500, archived: 0 },
          },
        },
      ]);
      await second.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("answers of the API", () => {
  const page = (...hits: unknown[]) => JSON.stringify({ data: { oppHits: hits } });
  const hit = {
    id: "1",
    number: "EPA-1",
    title: "Opportunity 1",
    agencyCode: "EPA",
    agency: "EPA Headquarters",
    openDate: "04/15/2026",
    closeDate: "08/01/2026",
    oppStatus: "posted",
    cfdaList: [],
  };

  test("move a deadline of the extract's record, and leave its description and funder", async () => {
    await importExtract(extractOf(2));
    expect(await run(grantsGovSearch2, page(hit))).toMatchObject({ inserted: 0, updated: 1 });
    expect(await stored("deadline_date::text, description")).toEqual([
      { deadline_date: "2026-08-01", description: "What opportunity 1 pays for" },
      { deadline_date: "2026-07-01", description: "What opportunity 2 pays for" },
    ]);
    expect(await connection.query("select name from funding.funders")).toEqual([
      { name: "Environmental Protection Agency" },
    ]);
    expect(await run(grantsGovSearch2, page(hit))).toMatchObject({ updated: 0, unchanged: 1 });
  });

  test("are records by themselves, which the extract completes", async () => {
    expect(await run(grantsGovSearch2, page(hit))).toMatchObject({ inserted: 1 });
    expect(await importExtract(extract(synopsis(1, { CloseDate: "08012026" })))).toMatchObject({ updated: 1 });
    expect(await stored("description")).toEqual([{ description: "What opportunity 1 pays for" }]);
  });

  test("that say too little of a record that is not stored are rejected", async () => {
    const { rejects } = await run(grantsGovSearch2, page({ ...hit, agency: "" }));
    expect(rejects).toMatchObject([{ source_id: "1", reason: "the database: funder_id is missing" }]);
  });
});
