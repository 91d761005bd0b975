import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decidesSpeed, fingerprintCode } from "../../../bench/speed/page/fingerprint.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "code-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the fingerprint of the code", () => {
  test.each([
    ["supabase/schemas/search/query.sql", true],
    ["shared/http/etag.ts", true],
    ["functions/grants-api/index.ts", true],
    ["local/embedded/open.ts", true],
    ["shared/release.ts", false],
    ["functions/mcp/server.json", false],
    ["functions/openapi/pages.generated.ts", false],
    ["functions/openapi/openapi.json", false],
    ["supabase/schemas/README.md", false],
    ["docs/performance.md", false],
    ["tests/unit/release.test.ts", false],
    // Defaults of settings are in migrations alone.
    ["supabase/migrations/20261204000010_search_depth.sql", true],
    ["supabase/migrations/20261204000020_functions.sql", false],
    ["database/lexicon/fit.ts", true],
    ["database/backup/write.ts", false],
  ])("%s: %s", (path, decides) => {
    expect(decidesSpeed(path)).toBe(decides);
  });

  test("is another after a change of what decides the speed, committed or not, and of nothing else", async () => {
    const git = (...words: string[]) => execFileSync("git", words, { cwd: folder });
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    git("init", "--quiet");
    for (const path of ["supabase/schemas/a.sql", "shared/a.ts", "functions/a.ts", "local/embedded/a.ts"])
      write(path, "1");
    git("add", ".");
    const first = await fingerprintCode(folder);
    write("docs/a.md", "2");
    write("shared/release.ts", "2");
    expect(await fingerprintCode(folder)).toBe(first);
    write("shared/b.ts", "");
    const second = await fingerprintCode(folder);
    write("shared/a.ts", "2");
    const third = await fingerprintCode(folder);
    rmSync(join(folder, "shared/a.ts"));
    const fourth = await fingerprintCode(folder);
    expect(new Set([first, second, third, fourth]).size).toBe(4);
  });
});
