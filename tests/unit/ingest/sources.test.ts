import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { help } from "../../../cli/import/help.ts";
import { importRows } from "../../../ingest/import-rows.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import { ndjsonRows } from "../../../ingest/read/ndjson.ts";
import type { Reject } from "../../../ingest/reject-file.ts";
import { namedMapping } from "../../../ingest/sources/named.ts";
import { sources } from "../../../ingest/sources/registry.ts";
import { funder, grant, noRecord, type Source } from "../../../ingest/sources/source.ts";
import { emptySummary } from "../../../ingest/summary.ts";
import { chunksOf } from "./helpers.ts";

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
      prepare: namedMapping(register, "2026-06-01"),
      today: "2026-06-01",
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
