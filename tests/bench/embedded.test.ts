import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SpeedRow } from "../../bench/speed/row.ts";

const run = promisify(execFile);
let folder: string;
/** The commands' own temporary folder: others on this machine may have left something in the common one. */
let temporary: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-"));
  temporary = join(folder, "temporary");
  mkdirSync(temporary);
});
afterAll(() => rmSync(folder, { recursive: true }));

function bench(...words: string[]) {
  const command = ["local/deno.mjs", "cli/bench.ts", ...words];
  return run(process.execPath, command, { env: { ...process.env, DATA_DIR: folder, TMPDIR: temporary } });
}

describe("npm run bench", () => {
  test("measures the embedded stack and writes the rows", async () => {
    const json = join(folder, "rows.json");
    const brief = ["--rows", "1000", "--rounds", "1", "--slice", "100"];
    const { stdout } = await bench("--only", "embedded", ...brief, "--json", json);
    const rows = JSON.parse(readFileSync(json, "utf8")) as SpeedRow[];
    const embedded = rows.filter((row) => row.case === "embedded");
    const neighbour = rows.filter((row) => row.case === "embedded_neighbour");
    expect(rows).toEqual([...embedded, ...neighbour]);
    expect(neighbour.map(({ side }) => side)).toEqual(["alone", "beside 64 requests of another account"]);
    expect(embedded.map(({ side }) => side)).toEqual([
      "start",
      "list",
      "new list",
      "keyword list",
      "new keyword list",
      "keyword by relevance",
      "new keyword by relevance",
      "semantic",
      "new semantic",
      "hybrid",
      "new hybrid",
    ]);
    for (const row of rows) {
      expect(row.rows).toBe(1000);
      expect(row.p95_ms).toBeGreaterThanOrEqual(row.p50_ms);
      expect(row.requests_per_second).toBeGreaterThan(0);
    }
    expect(rows.find(({ side }) => side === "new keyword list")?.ratio).toBe(1);
    expect(stdout).toContain("memory of the embedded stack");
    // The records are kept for the next run, whole.
    expect(readdirSync(join(folder, "bench"))).toEqual([expect.stringMatching(/^1000-[0-9a-f]{12}$/)]);
  });

  test("measures what changes cost, over copies of the folder that it removes", async () => {
    const json = join(folder, "churn.json");
    const words = ["--only", "embedded-churn", "--rows", "1000", "--rounds", "1", "--json", json];
    const { stdout } = await bench(...words);
    const rows = JSON.parse(readFileSync(json, "utf8")) as SpeedRow[];
    const lists = rows.filter(({ side }) => side.startsWith("new list,"));
    expect(lists.map(({ case: name, side }) => [name, side])).toEqual(
      ["0 changed", "1 changed", "500 changed", "20 written a second"].flatMap((label) => [
        ["embedded_churn", `new list, ${label}`],
        ["embedded_churn_median", `new list, ${label}`],
      ]),
    );
    // Three levels, and while records are written.
    expect(stdout.match(/ 0 of 13 /g)).toHaveLength(4);
    expect(readdirSync(temporary).filter((name) => name.startsWith("funding-churn-"))).toEqual([]);
  });
});
