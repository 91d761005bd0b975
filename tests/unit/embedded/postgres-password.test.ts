import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadPostgresPassword } from "../../../local/embedded/postgres-password.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "funding-password-"));
  path = join(folder, "postgres-password");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("is made once for a folder, of 192 random bits, and readable by its owner alone", () => {
  const made = loadPostgresPassword(folder);
  expect(made).toMatch(/^[\w-]{32}$/);
  expect(loadPostgresPassword(folder)).toBe(made);
  expect(readFileSync(path, "utf8")).toBe(`${made}\n`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["postgres-password"]);
  rmSync(path);
  expect(loadPostgresPassword(folder)).not.toBe(made);
});

test.each(["", "\n", "two words\n"])("is made anew where the file holds none: %j", (text) => {
  writeFileSync(path, text);
  expect(loadPostgresPassword(folder)).toMatch(/^[\w-]{32}$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("is the owner's own where he wrote one", () => {
  writeFileSync(path, "p@ss:/?#%word\n");
  expect(loadPostgresPassword(folder)).toBe("p@ss:/?#%word");
});
