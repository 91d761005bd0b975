import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { help } from "../../../cli/import/help.ts";
import type { Reject } from "../../../ingest/entry-file.ts";
import { importRows } from "../../../ingest/import-rows.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import { ndjsonRows } from "../../../ingest/read/ndjson.ts";
import { namedMapping } from "../../../ingest/sources/named.ts";
import { sources } from "../../../ingest/sources/registry.ts";
import { samGov } from "../../../ingest/sources/sam-gov.ts";
import { funder, grant, noRecord, type Source } from "../../../ingest/sources/source.ts";
import { usaspending } from "../../../ingest/sources/usaspending.ts";
import { emptySummary } from "../../../ingest/summary.ts";
import { chunksOf } from "./helpers.ts";
import { csvOf, recordIn } from "./source-records.ts";

const guide = readFileSync(new URL("../../../docs/sources.md", import.meta.url), "utf8");

describe.each(sources.map((source) => [source.name, source] as const))("%s", (name, source) => {
  test("has a name that can be a record's source, and is the only one of that name", () => {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(sources.filter((other) => other.name === name)).toHaveLength(1);
    expect(["csv", "ndjson"]).not.toContain(name);
  });

  test("is told of in the help, in one line, and in the docs", () => {
    expect(help.split("\n")).toContainEqual(expect.stringMatching(new RegExp(`^  ${name} `)));
    expect(source.about.length).toBeLessThan(75);
    expect(guide).toContain(`\n## ${name}\n`);
  });
});

describe("columns that a publisher has renamed", () => {
  const notice = {
    NoticeId: "0123456789abcdef0123456789abcdef",
    Title: "Boiler repair",
    "Sub-Tier": "DEPT OF THE ARMY",
    Type: "Solicitation",
    Link: "https://sam.gov/opp/1/view",
  };

  async function summaryOf(source: Source, content: string) {
    const summary = emptySummary();
    await importRows(readFiles([{ chunks: chunksOf(content) }], source.read), {
      prepare: namedMapping(source),
      rejects: { write: async () => undefined },
      summary,
    });
    return summary;
  }

  test("are named with their file where another has them", async () => {
    const row = { ...notice, ResponseDeadLine: "2026-07-15" };
    const other = { ...notice, NoticeId: "1123456789abcdef0123456789abcdef", OffersDue: "2026-07-15" };
    const files = [
      { label: "a.csv", chunks: chunksOf(csvOf(row)) },
      { label: "b.csv", chunks: chunksOf(csvOf(other)) },
    ];
    const summary = emptySummary();
    await importRows(readFiles(files, samGov.read), {
      prepare: namedMapping(samGov),
      rejects: { write: async () => undefined },
      summary,
    });
    expect(summary.missingColumns).toEqual(["SetASide", "ResponseDeadLine (b.csv)"]);
  });

  test("are known in any letter case, with or without spaces", async () => {
    const columns = {
      ResponseDeadline: "2026-07-15T17:00:00-04:00",
      SetAsideCode: "SBA",
      "Set Aside": "Small",
      NAICSCode: "238220",
      "Posted Date": "2026-05-20",
    };
    const file = csvOf({ ...notice, ...columns });
    expect(await recordIn(samGov, "contracts", file)).toMatchObject({
      deadline_date: "2026-07-15",
      set_aside_code: "SBA",
      naics: "238220",
      created_at: "2026-05-20T00:00:00.000Z",
    });
    expect(await summaryOf(samGov, file)).toMatchObject({ missingColumns: [], unusedColumns: [] });
  });

  test("never replace a column that has its own name", async () => {
    const columns = {
      ResponseDeadLine: "2026-07-15",
      "Due Date": "2026-08-15",
      "Response Deadline": "2026-09-15",
      title: "-",
    };
    expect(await recordIn(samGov, "contracts", csvOf({ ...notice, ...columns }))).toMatchObject({
      title: "Boiler repair",
      deadline_date: "2026-07-15",
    });
  });

  test("are named with those of no use where records lose their deadline, their set-aside or their amounts", async () => {
    expect(
      await summaryOf(samGov, csvOf({ ...notice, SetASide: "", OffersDue: "2026-07-15", CGAC: "21" })),
    ).toMatchObject({
      missingColumns: ["ResponseDeadLine"],
      unusedColumns: ["OffersDue", "CGAC"],
    });
    const award = { contract_award_unique_key: "1", recipient_name: "A", awarding_agency_name: "B", obligated: "5" };
    expect(await summaryOf(usaspending, csvOf(award))).toMatchObject({
      missingColumns: ["total_obligated_amount", "period_of_performance_current_end_date"],
      unusedColumns: ["obligated"],
    });
  });

  const withColumns = sources.filter(({ usedColumns }) => usedColumns !== undefined);

  test.each(withColumns.map((source) => [source.name, source] as const))(
    "%s lists every column that it uses",
    (_, { usedColumns = [], missedColumns = [], map }) => {
      const asked = new Set<string>();
      const ask = (value: (column: string) => unknown) =>
        map(
          new Proxy(
            {},
            {
              get(_target, column) {
                asked.add(String(column));
                return value(String(column));
              },
            },
          ),
        );
      ask(() => "No");
      // Without a value but an identifier, what stands in for others is asked for.
      for (const id of [
        "NoticeId",
        "contract_award_unique_key",
        "assistance_award_unique_key",
        "id",
        "OPPORTUNITY NUMBER",
      ])
        ask((column) => (column === id ? '=HYPERLINK("https://example.gov/1", "1")' : undefined));
      expect([...asked].sort()).toEqual([...usedColumns].sort());
      expect(usedColumns).toEqual(expect.arrayContaining([...missedColumns]));
    },
  );
});

describe("a source", () => {
  /** Rows of a register that has grants and the foundations that gave them. */
  const register: Source = {
    name: "register",
    about: "a register",
    datasets: ["grants", "funders"],
    columns: ["id", "title"],
    isFull: false,
    read: ndjsonRows,
    map(row) {
      if (row.kind === "news") return noRecord("is no grant, but news", String(row.id));
      return [
        grant({ source_id: row.id, title: row.title, funder_name: row.funder, funder_source_id: "F1" }),
        funder({ source_id: "F1", name: row.funder }),
      ];
    },
  };

  async function dryRun(...rows: object[]) {
    const rejects: Reject[] = [];
    const summary = emptySummary();
    const content = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    await importRows(readFiles([{ chunks: chunksOf(content) }], register.read), {
      prepare: namedMapping(register),
      rejects: { write: async (more) => void rejects.push(...more) },
      summary,
    });
    return { ...summary, rejects };
  }

  test("gives several records a row, and counts those that come with many rows once", async () => {
    const { records, read, repeated } = await dryRun(
      { id: 1, title: "One", funder: "F" },
      { id: 2, title: "Two", funder: "F" },
      { id: 1, title: "One again", funder: "F" },
    );
    expect({ read, repeated }).toEqual({ read: 3, repeated: 1 });
    expect([...records].map(([dataset, { accepted }]) => [dataset, accepted])).toEqual([
      ["funders", 1],
      ["grants", 2],
    ]);
  });

  test("says why a row is no record", async () => {
    const { rejects } = await dryRun({ id: 1, title: "One", funder: "F" }, { id: 2, title: "News", kind: "news" });
    expect(rejects).toEqual([
      { line: 2, source_id: "2", reason: "is no grant, but news", row: { id: 2, title: "News", kind: "news" } },
    ]);
  });

  test("refuses a file without its columns as a whole", async () => {
    await expect(dryRun({ id: 1, name: "One" })).rejects.toThrow("is not a file of register: it has no title");
  });
});
