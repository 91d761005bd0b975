import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SpeedHistory } from "../../../bench/speed/history.ts";
import { FiguresError, readFigures } from "../../../bench/speed/page/figures.ts";
import { readPublished, replacePublished, writePublished } from "../../../bench/speed/page/publish.ts";
import { selectFigures } from "../../../bench/speed/page/select.ts";
import { writeTables } from "../../../bench/speed/page/tables.ts";
import { findWorse } from "../../../bench/speed/page/worse.ts";
import { makeSpeedRow } from "../../../bench/speed/row.ts";
import type { Findings } from "../../../bench/speed/speed-case.ts";
import { figuresOf } from "../../support/speed-figures.ts";

const docs = fileURLToPath(new URL("../../../docs", import.meta.url));
const published = ["performance.md", "figures.json", "speed-history.json", "images/speed.svg"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "page-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const row = (name: string, side: string, p95_ms = 10, ratio: number | null = 1, rows = 79_700) =>
  makeSpeedRow(name, side, rows, { p50_ms: p95_ms / 2, p95_ms, requests_per_second: 100 }, ratio);

const modes = ["list", "keyword list", "keyword by relevance", "semantic", "hybrid"];

/** Findings of a summary, each case with as many sides as the page shows. */
function findings(): Findings[] {
  return [
    {
      rows: [
        ...["api", "api, with a quota", "api, new lists", "postgrest"].map((side) => row("list", side, 10, 2)),
        ...["api", "api, new lists", "postgrest, count=exact"].map((side) => row("list_counted", side, 10, 15)),
      ],
      figures: [{ case: "cpu_function", side: "api", value: 0.47 }],
    },
    { rows: [row("hybrid", "ours, rare words", 10, 19), row("hybrid", "ours, common words", 10, 23)] },
    {
      rows: [
        ...modes.map((mode) => row("modes", `new ${mode}`)),
        ...modes.map((mode, index) => row("modes_again", mode, index + 1)),
        ...modes.flatMap((mode) => [row("floor", `new ${mode}, sql alone`), row("floor", `${mode}, sql alone`)]),
      ],
    },
    { rows: [row("quota", "with a quota"), row("neighbour", "beside 64 requests")] },
    {
      rows: ["keyword", "vector", "hybrid"].flatMap((mode) => [
        row("libraries", `ours, ${mode}`),
        row("libraries", `lancedb, ${mode}`),
      ]),
    },
    {
      rows: [
        row("churn", "new list, 0 changed", 10, 9),
        row("churn", "new list, 10000 changed", 10, 1.2),
        row("churn", "new hybrid, 10000 changed", 10, 1.3),
        row("churn", "new total, 10000 changed", 10, 1.9),
      ],
    },
    {
      rows: [
        ...modes.map((mode) => row("growth", `new ${mode}`, 20, 1.1)),
        row("fixed_cost", "new hybrid", 20, 0.8),
        row("growth", "new hybrid", 67, 3.7, 797_000),
      ],
    },
    {
      rows: [
        row("embedded", "start", 800, null),
        ...modes.flatMap((mode) => [row("embedded", `new ${mode}`), row("embedded", mode)]),
        row("embedded_neighbour", "beside 64 requests"),
      ],
      figures: [
        { case: "embedded_memory", side: "after the start", value: 337 },
        { case: "embedded_memory", side: "at most", value: 506 },
      ],
    },
    { rows: [], figures: [{ case: "pages", side: "index.html", value: 185 }] },
  ];
}

const run = { version: "1.10.0", code: "abc", at: new Date("2026-12-01T06:17:00Z"), grants: 79_700 };

describe("the page of speed", () => {
  test("shows the figures of docs/figures.json, and the picture those of docs/speed-history.json", async () => {
    cpSync(docs, folder, { recursive: true });
    rmSync(join(folder, "images/speed.svg"));
    expect(await writePublished(folder, await readPublished(folder))).toEqual(published);
    // npm run bench -- --page docs writes them anew.
    for (const path of published) {
      expect(readFileSync(join(folder, path), "utf8"), path).toBe(readFileSync(join(docs, path), "utf8"));
    }
  });

  test("is written from a run, with all tables", async () => {
    cpSync(docs, folder, { recursive: true });
    const last = await readPublished(folder);
    const next = replacePublished(last, findings(), run);
    await writePublished(folder, next);
    const figures = readFileSync(join(folder, "figures.json"), "utf8");
    await writePublished(folder, await readPublished(folder));
    expect(readFileSync(join(folder, "figures.json"), "utf8")).toBe(figures);
    const page = readFileSync(join(folder, "performance.md"), "utf8");
    for (const line of [
      "Measured on 1 December 2026: the code after 1.10.0, 79,700 generated grants.",
      "| new hybrid searches, SQL alone, p95 of the guide's function over theirs | ≥25 | 19 to 23: **missed** |",
      "| repeated | 100 | 5.0/10 | 0.47/-/- |",
      "| repeated | 2.5/5.0 | 5.0/10 |",
      "| keyword | 5.0/10 | 5.0/10 |",
      "| 797,000 | - | - | - | - | 34/67 |",
      "| 10,000 changed | 1.3 | 1.9 |",
      "It starts in 0.4 s with 337 MiB, and takes 506 at most.",
    ]) {
      expect(page).toContain(line);
    }
    expect(await readPublished(folder)).toEqual(next);
    expect(next.history.runs).toHaveLength(last.history.runs.length + 1);
    await writePublished(folder, { ...next, figures: { ...next.figures, version: "1.11.0", isReleased: true } });
    expect(readFileSync(join(folder, "performance.md"), "utf8")).toContain("2026: 1.11.0, 79,700 generated grants.");
    // What is typed by hand stays.
    expect(page).toContain("`npm run test:load`");
  });

  test("has figures of one run only: a table or a goal that was not measured is told", () => {
    for (const [index, missing] of findings().entries()) {
      const others = findings().filter((_, other) => other !== index);
      expect(() => selectFigures(others), JSON.stringify(missing).slice(0, 60)).toThrow(FiguresError);
    }
  });

  test("has each table once, between its markers", () => {
    const page = "# Page\n\n<!--figures:one-->\nold\n<!--/figures-->\n\nby hand\n";
    const written = writeTables(page, { one: "| new |" });
    expect(written).toBe("# Page\n\n<!--figures:one-->\n\n| new |\n\n<!--/figures-->\n\nby hand\n");
    expect(writeTables(written, { one: "| new |" })).toBe(written);
    expect(() => writeTables(page, { one: "", two: "" })).toThrow(FiguresError);
    expect(() => writeTables(`${page}${page}`, { one: "" })).toThrow(FiguresError);
    expect(() => writeTables(page, {})).toThrow(FiguresError);
  });

  test("is not written from a file of something else", async () => {
    writeFileSync(join(folder, "figures.json"), '{"format": 2}');
    await expect(readFigures(join(folder, "figures.json"))).rejects.toThrow(FiguresError);
  });
});

describe("what got worse", () => {
  const before = { version: "1.9.0", ...selectFigures(findings()) };
  const change = (find: (row: Findings["rows"][number]) => boolean, change: Partial<Findings["rows"][number]>) =>
    selectFigures(
      findings().map((found) => ({
        ...found,
        rows: found.rows.map((one) => (find(one) ? { ...one, ...change } : one)),
      })),
    );
  const worse = (now: ReturnType<typeof selectFigures>) => findWorse({ version: "1.10.0", ...now }, before);
  const isLarge = (one: { case: string; rows: number }) => one.case === "growth" && one.rows === 797_000;
  const isRare = (one: { side: string }) => one.side === "ours, rare words";

  test("is a row of more than a tenth more time, where nothing in the run is beside it", () => {
    expect(worse(change(isLarge, { p95_ms: 73 }))).toEqual([]);
    expect(worse(change(isLarge, { p95_ms: 30 }))).toEqual([]);
    expect(worse(change(isLarge, { p95_ms: 80 }))).toEqual([
      {
        name: "new hybrid at 797,000 grants",
        line: "new hybrid at 797,000 grants: p95 80 ms, 1.2 times that of 1.9.0 by the clock, where the median row took 1 times as long: machines differ.",
      },
    ]);
  });

  test("is not what a slower machine explains", () => {
    const onSlowMachine = selectFigures(
      findings().map((found) => ({
        ...found,
        rows: found.rows.map((one) => ({ ...one, p95_ms: one.p95_ms * (isLarge(one) ? 2.5 : 2) })),
      })),
    );
    expect(worse(onSlowMachine).map(({ name }) => name)).toEqual(["new hybrid at 797,000 grants"]);
  });

  test("is a goal whose worst ratio is a tenth farther off, whether more or less is better", () => {
    const name = "new hybrid searches, SQL alone, p95 of the guide's function over theirs";
    expect(worse(change(isRare, { ratio: 17.5 }))).toEqual([]);
    expect(worse(change(isRare, { ratio: 16 }))).toEqual([{ name, line: `${name}: 16, not 19 as in 1.9.0.` }]);
    expect(worse(change(isLarge, { ratio: 4.5 })).map(({ line }) => line)).toEqual([
      "p95 with ten times the records: lists, keyword lists, hybrid searches: 4.5, not 3.7 as in 1.9.0.",
    ]);
  });

  test("is found against the last release, whatever was measured since", () => {
    const slow = findings().map((found) => ({
      ...found,
      rows: found.rows.map((one) => (isLarge(one) ? { ...one, p95_ms: 80 } : one)),
    }));
    const released = figuresOf({ ...selectFigures(findings()), isReleased: true });
    const history: SpeedHistory = { format: 1, runs: [] };
    const first = replacePublished({ figures: released, history }, slow, run);
    const second = replacePublished(first, slow, run);
    for (const { figures } of [first, second]) {
      expect(figures.worse.map(({ name }) => name)).toEqual(["new hybrid at 797,000 grants"]);
      expect(figures.before?.version).toBe("1.9.0");
    }
  });
});
