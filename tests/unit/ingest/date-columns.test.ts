import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import type { DateOrder } from "../../../ingest/fields/date.ts";
import { normalize } from "../../../ingest/normalize/normalize.ts";
import { sources } from "../../../ingest/sources/registry.ts";
import { isNoRecord, type RawRow } from "../../../ingest/sources/source.ts";
import { type SourceDates, sourceDates } from "../../../ingest/sources/source-dates.ts";
import { openEmptyDatabase } from "../../support/service.ts";
import { importText } from "./helpers.ts";
import { today } from "./source-records.ts";

/** Dates in numbers: never another day than the publisher meant without the summary's saying so. */

let connection: Connection;
let runs = 0;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});

afterAll(() => connection.close());

const day = fc
  .date({ min: new Date("1990-01-01T00:00:00Z"), max: new Date("2039-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const style = fc.record({
  order: fc.constantFrom<DateOrder>("iso", "dmy", "mdy"),
  mark: fc.constantFrom("/", "-", "."),
  isPadded: fc.boolean(),
  time: fc.constantFrom("", " 17:00", " 5:00 PM", ", 05:00", "T17:00:00"),
});
type Style = typeof style extends fc.Arbitrary<infer Value> ? Value : never;

function written(date: string, { order, mark, isPadded, time }: Style): string {
  const [year = "", ...rest] = date.split("-");
  const [month = "", dayOfMonth = ""] = isPadded ? rest : rest.map((part) => String(Number(part)));
  const parts = { iso: [year, month, dayOfMonth], dmy: [dayOfMonth, month, year], mdy: [month, dayOfMonth, year] };
  return parts[order].join(mark) + time;
}

async function deadlines(source: string): Promise<Map<string, string | null>> {
  const rows = await connection.query<{ source_id: string; deadline: string | null }>(
    "select source_id, deadline_date::text as deadline from funding.grants where source = $1",
    [source],
  );
  return new Map(rows.map(({ source_id, deadline }) => [source_id, deadline]));
}

function contentOf(format: "csv" | "ndjson", dates: readonly string[]): string {
  const lines = dates.map((date, index) =>
    format === "csv"
      ? `${index},Grant ${index},Office,"${date}"`
      : JSON.stringify({ id: index, title: `Grant ${index}`, funder: "Office", dates: { close: date } }),
  );
  return `${[...(format === "csv" ? ["id,title,funder,close"] : []), ...lines].join("\n")}\n`;
}

const importDates = (format: "csv" | "ndjson", dates: readonly string[], source: string, order?: DateOrder) =>
  importText(connection, format, contentOf(format, dates), {
    source,
    maps: [`deadline=${format === "csv" ? "close" : "dates.close"}`],
    ...(order === undefined ? {} : { dates: order }),
  });

describe("a column of dates", () => {
  test("is read as it was meant, or rejected, or the summary says how it was read", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(day, { minLength: 1, maxLength: 12 }),
        style,
        fc.constantFrom("csv" as const, "ndjson" as const),
        async (days, spelling, format) => {
          const source = `meant-${++runs}`;
          const { rejects, dateNotes } = await importDates(
            format,
            days.map((date) => written(date, spelling)),
            source,
          );
          const stored = await deadlines(source);
          expect(stored.size + rejects.length).toBe(days.length);
          const wrong = days.filter((date, index) => stored.has(String(index)) && stored.get(String(index)) !== date);
          if (wrong.length > 0) {
            expect(spelling.order).toBe("dmy");
            expect(dateNotes.join()).toMatch(/were read month first.*--dates dmy/);
          }
          if (days.some((date) => Number(date.slice(8)) > 12)) expect([wrong, rejects]).toEqual([[], []]);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("of a known order is read as it was meant, and nothing is said", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(day, { minLength: 1, maxLength: 8 }), style, async (days, spelling) => {
        const source = `known-${++runs}`;
        const texts = days.map((date) => written(date, spelling));
        const { rejected, dateNotes } = await importDates("csv", texts, source, spelling.order);
        expect({ rejected, dateNotes }).toEqual({ rejected: 0, dateNotes: [] });
        expect([...(await deadlines(source)).values()].sort()).toEqual([...days].sort());
      }),
      { numRuns: 20 },
    );
  });

  test("is decided on by its last row before its first is written", async () => {
    const dates = [...Array.from({ length: 1_200 }, () => "05/06/2026"), "13/06/2026"];
    const { rejected, dateNotes } = await importDates("csv", dates, "last-row");
    expect(rejected).toBe(0);
    expect(dateNotes).toEqual([
      'Dates in column "close" were read day first, as 13/06/2026 (line 1,202) shows: 1,200 could be read either way, such as 05/06/2026 (line 2). --dates mdy reads them the other way.',
    ]);
    const stored = await deadlines("last-row");
    expect(new Set(stored.values())).toEqual(new Set(["2026-06-05", "2026-06-13"]));
  });

  test("that has both orders costs its rows, with both examples, and no row whose date is plain", async () => {
    const dates = ["13/06/2026", "05/06/2026", "06/25/2026", "2026-07-01", "", "1 July 2026"];
    const { rejects, dateNotes } = await importDates("csv", dates, "both");
    const reason =
      'could have the day or the month first: column "close" has 13/06/2026 (line 2) and 06/25/2026 (line 4). --dates dmy or --dates mdy says which is right';
    expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [2, `deadline_date: "13/06/2026" ${reason}`],
      [3, `deadline_date: "05/06/2026" ${reason}`],
      [4, `deadline_date: "06/25/2026" ${reason}`],
    ]);
    expect(dateNotes).toEqual([`Rows were rejected: a date in numbers ${reason}.`]);
    expect(await deadlines("both")).toEqual(
      new Map([
        ["3", "2026-07-01"],
        ["4", null],
        ["5", "2026-07-01"],
      ]),
    );
  });

  test("that contradicts the order asked for is rejected row by row", async () => {
    const dates = ["13/06/2026", "05/06/2026", "06/25/2026", "2026-07-01"];
    const reasons = async (order: DateOrder) =>
      (await importDates("csv", dates, `asked-${order}`, order)).rejects.map(({ reason }) => reason);
    expect(await reasons("dmy")).toEqual(['deadline_date: "06/25/2026" is not a date that exists, with the day first']);
    expect(await reasons("mdy")).toEqual([
      'deadline_date: "13/06/2026" is not a date that exists, with the month first',
    ]);
    expect(await reasons("iso")).toHaveLength(3);
  });

  test("is another's business: each column is decided on by itself, and the summary tells of the other", async () => {
    const content = "id,title,funder,deadline,posted\n1,A,F,05/06/2026,13/01/2026\n2,B,F,07/06/2026,14/01/2026\n";
    const { dateNotes, rejected } = await importText(connection, "csv", content, { source: "two-columns" });
    expect(rejected).toBe(0);
    expect(dateNotes).toEqual([
      'Dates in column "deadline" were read month first, as US publishers write; nothing in the column shows it, and column "posted" has the day first: 2 could be read either way, such as 05/06/2026 (line 2). --dates dmy reads them the other way.',
    ]);
    expect([...(await deadlines("two-columns")).values()].sort()).toEqual(["2026-05-06", "2026-07-06"]);
  });

  test("a constant that can be read two ways is refused", async () => {
    const withConstant = (constant: string, dates?: DateOrder) =>
      importText(undefined, "csv", "id,title,funder\n1,A,F\n", {
        sets: [`deadline=${constant}`],
        ...(dates === undefined ? {} : { dates }),
      });
    await expect(withConstant("05/06/2026")).rejects.toThrow("is the day or the month first?");
    expect(await withConstant("05/06/2026", "dmy")).toMatchObject({ accepted: 1 });
    expect(await withConstant("05/28/2026")).toMatchObject({ accepted: 1 });
  });
});

/** Columns that a source's rows need besides their dates. */
const baseRows: Record<keyof typeof sourceDates, RawRow[]> = {
  "grants-gov": [
    {
      element: "OpportunitySynopsisDetail_1_0",
      OpportunityID: "1",
      OpportunityTitle: "T",
      AgencyName: "A",
      ArchiveDate: "01012020",
    },
    { element: "OpportunityForecastDetail_1_0", OpportunityID: "1", OpportunityTitle: "T", AgencyName: "A" },
  ],
  "grants-gov-search2": [
    { id: "1", title: "T", agency: "A" },
    { id: "1", opportunityTitle: "T", synopsis: { archiveDate: "Jan 1, 2020" }, agencyDetails: { agencyName: "A" } },
    { id: "1", opportunityTitle: "T", forecast: { archiveDate: "Jan 1, 2020" }, agencyDetails: { agencyName: "A" } },
  ],
  "grants-gov-site": [
    {
      "OPPORTUNITY NUMBER": '=HYPERLINK("https://www.grants.gov/search-results-detail/1", "N")',
      "OPPORTUNITY TITLE": "T",
      "AGENCY NAME": "A",
    },
  ],
  simpler: [
    { opportunity_id: "u", opportunity_title: "T", agency_name: "A", archive_date: "2020-01-01" },
    { opportunity_id: "u", opportunity_title: "T", agency_name: "A", is_forecast: "True" },
  ],
  "common-grants": [
    {
      id: "1",
      title: "T",
      customFields: { funderName: { value: "A" } },
      keyDates: { postDate: {}, closeDate: {} },
    },
  ],
  "sam-gov": [
    { NoticeId: "1", Title: "T", Type: "Solicitation", "Sub-Tier": "A", Active: "No" },
    { NoticeId: "1", Title: "T", Type: "Solicitation", "Sub-Tier": "A", Active: "Yes" },
  ],
  usaspending: [
    { contract_award_unique_key: "1", recipient_name: "R", awarding_agency_name: "A" },
    { assistance_award_unique_key: "1", recipient_name: "R", awarding_agency_name: "A" },
  ],
  nsf: [{ id: "1", title: "T" }],
  "nih-reporter": [{ appl_id: 1, project_title: "T", agency_ic_admin: { name: "A" } }],
  "360giving": [
    { id: "1", title: "T", fundingOrganization: [{ id: "F", name: "F" }], plannedDates: [{ startDate: "1980-01-01" }] },
  ],
  "federal-organizations": [{ orgKey: "1", name: "N" }],
};

/** The row with a date at this path; a member that is a list has it in its first item. */
function withDate(row: RawRow, path: string, date: string): RawRow {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...row, [name]: date };
  const [inner] = [row[name]].flat();
  if (inner === undefined && name !== "plannedDates") return row;
  const changed = withDate((inner ?? {}) as RawRow, rest.join("."), date);
  return { ...row, [name]: Array.isArray(row[name]) ? [changed] : changed };
}

/** The days of a row's records, or the reason why it has none. */
function daysOf(name: string, row: RawRow): string[] {
  const source = sources.find((one) => one.name === name);
  const mapped = source?.map(row) ?? [];
  if (isNoRecord(mapped)) return [mapped.reason];
  try {
    return mapped
      .map((record) => normalize(record, { source: name, note: () => undefined }).record)
      .flatMap((record) => [
        record.created_at,
        ...("title" in record
          ? [record.deadline_date, record.project_end_date, record.archived_at, record.details?.project_start_date]
          : []),
      ])
      .flatMap((value) => (value === null || value === undefined ? [] : [value.slice(0, 10)]));
  } catch (error) {
    return [(error as Error).message];
  }
}

describe("the dates of a known source", () => {
  test("are stated for every source that has any", () => {
    const without = sources.filter(({ name }) => !Object.hasOwn(sourceDates, name)).map(({ name }) => name);
    expect(without).toEqual(["irs-990pf"]);
  });

  const columns = Object.entries<SourceDates>(sourceDates).flatMap(([name, { order, columns }]) =>
    columns.map((column) => ({ name: name as keyof typeof sourceDates, column, order })),
  );

  test.each(columns)("$name: $column is read $order, or rejected; never the other way", ({ name, column, order }) => {
    fc.assert(
      fc.property(day, style, (date, spelling) => {
        // A planned start is only compared with the end.
        const isCompared = column === "plannedDates.startDate";
        const rows = baseRows[name].map((row) => withDate(row, column, written(date, spelling)));
        const read = rows.map((row) => daysOf(name, row));
        const isSwapped = spelling.order !== "iso" && spelling.order !== order;
        const swapped = `${date.slice(0, 4)}-${date.slice(8)}-${date.slice(5, 7)}`;
        const expected = isSwapped ? swapped : date;
        if (isSwapped && Number(date.slice(8)) > 12 && !isCompared) {
          // An archive date that cannot be read is passed over: the deadline tells. A start is a detail, and left out.
          const isRejected = read.flat().some((text) => text.includes("is not a date that exists"));
          expect(isRejected || /archive|start/i.test(column)).toBe(true);
          expect(read.flat()).not.toContain(date);
        } else if (!isCompared && !isArchiveLater(column, expected)) {
          expect(read.flat()).toContain(expected);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a planned end is left out by the day of its start, whichever way both are written", () => {
    const ends = (startDate: string, endDate: string) =>
      daysOf("360giving", { ...baseRows["360giving"][0], plannedDates: [{ startDate, endDate }] });
    expect(ends("02/12/2017", "2017-02-13")).toEqual(["2017-12-02"]);
    expect(ends("02/01/2017", "01/02/2017")).toEqual(["2017-02-01", "2017-01-02"]);
    expect(ends("no day", "01/02/2017")).toEqual(["2017-02-01"]);
  });

  /** An archive date says something only when it has come. */
  function isArchiveLater(column: string, date: string): boolean {
    return /archive/i.test(column) && date > today;
  }
});
