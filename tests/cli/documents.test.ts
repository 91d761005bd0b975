import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeStoredZip } from "../../ingest/documents/stored-zip.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const notice = join(root, "tests/fixtures/documents/samhsa-notice.pdf");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "documents-"));
  writeFileSync(join(folder, "notice.txt"), "ELIGIBILITY\n\nStates may apply. Expected awards: 3\n");
  writeFileSync(join(folder, "empty.pdf"), "");
  const inside = ["a.txt", "b.png"].map((name) => ({
    name,
    content: Buffer.from(name === "a.txt" ? "May apply." : ""),
  }));
  writeFileSync(join(folder, "all.zip"), writeStoredZip(inside));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command as an operator does, in a folder of their own. */
async function run(...words: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const options = { cwd: root, env: { ...process.env, INIT_CWD: folder } };
  try {
    const output = await promisify(execFile)(
      process.execPath,
      ["local/deno.mjs", "cli/documents.ts", ...words],
      options,
    );
    return { status: 0, ...output };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, stdout, stderr };
  }
}

test("a notice is shown with its pages, passages and facts", async () => {
  const { status, stdout } = await run("read", notice);
  expect(status).toBe(0);
  expect(stdout).toMatch(/samhsa-notice\.pdf: application\/pdf, 23 pages, \d+ passages, 6,\d{3} words\n/);
  expect(stdout).toContain("  expected_awards: 1 (passage 2: Expected awards: 1)\n");
});

test("an archive is read document by document", async () => {
  const { status, stdout } = await run("read", "all.zip");
  expect(status).toBe(1);
  expect(stdout).toBe("all.zip: a.txt: text/plain, 1 passage, 2 words\nall.zip: b.png: The file is empty.\n");
});

test("passages are shown with their headings, and as JSON", async () => {
  expect((await run("read", "notice.txt", "--passages")).stdout).toBe(
    [
      "notice.txt: text/plain, 1 passage, 7 words",
      "  expected_awards: 3 (passage 1: Expected awards: 3)",
      "",
      "  1: ELIGIBILITY",
      "    ELIGIBILITY",
      "    States may apply. Expected awards: 3",
      "",
    ].join("\n"),
  );
  const { stdout } = await run("read", "notice.txt", "--json");
  expect(JSON.parse(stdout)).toEqual({
    file: "notice.txt",
    passage: 1,
    first_page: null,
    last_page: null,
    heading_path: "ELIGIBILITY",
    text: "ELIGIBILITY\nStates may apply. Expected awards: 3",
    facts: [{ name: "expected_awards", value: 3, sentence: "Expected awards: 3" }],
  });
});

test("a file that cannot be read says why, and the others are read", async () => {
  const { status, stdout } = await run("read", "empty.pdf", "missing.pdf", ".", "notice.txt");
  expect(status).toBe(1);
  expect(stdout.split("\n").slice(0, 4)).toEqual([
    "empty.pdf: The file is empty.",
    "missing.pdf: The file does not exist.",
    ".: This is a folder, not a file.",
    "notice.txt: text/plain, 1 passage, 7 words",
  ]);
});

test("words that are no call of it are refused", async () => {
  expect(await run("write", "notice.txt")).toMatchObject({ status: 2, stderr: expect.stringContaining("Say read") });
  expect(await run("read")).toMatchObject({ status: 2 });
  expect(await run("read", "notice.txt", "--json", "--passages")).toMatchObject({ status: 2 });
});
