import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { caseNames } from "../../bench/speed/index.ts";

const run = promisify(execFile);
const bench = (...words: string[]) => run(process.execPath, ["local/deno.mjs", "cli/bench.ts", ...words]);

describe("npm run bench", () => {
  test("names the cases that need a server and have none", async () => {
    const { stdout, stderr } = await bench("--only", "list", "--only", "growth");
    expect(stderr).toContain("SKIPPED list, growth: they need a Postgres server, --database-url URL");
    expect(stdout).toBe("");
  });

  test.each([
    [["--only", "lists"], `--only takes ${caseNames.join(", ")}, not lists.`],
    [["--rows", "12"], "--rows must be a whole number of at least 1000."],
    [["--slice", "9"], "--slice must be a whole number of at least 100."],
    [["--page", "docs", "--only", "list"], "--page needs --summary, not --only."],
    [["--summary", "--page", "docs"], "--page shows cases that need a server: --database-url URL."],
    [["--rounds", "many"], "--rounds must be a whole number of at least 1."],
  ])("%j is called wrongly", async (words, message) => {
    await expect(bench(...words)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

// It imported its generated records into the operator's database, and then copied the empty embedded one for ever.
test("npm run bench:import leaves the database of DATABASE_URL alone", async () => {
  const nobody = "postgresql://nobody@127.0.0.1:1/none";
  const words = ["local/deno.mjs", "cli/bench-import.ts", "--only", "embedded", "--opportunities", "20"];
  const { stdout } = await run(process.execPath, words, { env: { ...process.env, DATABASE_URL: nobody } });
  expect(stdout).toContain("import again, unchanged");
});
