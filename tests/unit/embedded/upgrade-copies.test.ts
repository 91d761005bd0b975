import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startUpgradeCopyRemoval } from "../../../local/embedded/upgrade-copies.ts";
import type { LogFields, LogLevel } from "../../../shared/log/log.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let folder: string;
let lines: [LogLevel, LogFields][];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  folder = mkdtempSync(join(tmpdir(), "upgrade-copies-"));
  lines = [];
  now = async () => Date.now();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder with a file in a folder, as a database's. */
function makeFolder(name: string, ageMs: number): void {
  mkdirSync(join(folder, name, "base"), { recursive: true });
  writeFileSync(join(folder, name, "base", "1"), "rows");
  const time = (Date.now() - ageMs) / 1_000;
  utimesSync(join(folder, name), time, time);
}

/** The bounded clock: the machine's, unless a test says otherwise. */
let now: () => Promise<number>;

/** Lets a server run for a time. @returns the folders that are left. */
async function foldersAfter(runMs: number): Promise<string[]> {
  const stop = startUpgradeCopyRemoval(folder, { write: (level, fields) => lines.push([level, fields]) }, now);
  await vi.advanceTimersByTimeAsync(runMs);
  await stop();
  return readdirSync(folder).sort();
}

test("a copy from before an upgrade is removed when it is seven days old, and nothing else is", async () => {
  makeFolder("postgres-before-20261101000000", 7 * dayMs);
  makeFolder("postgres-before-20261102000000", 7 * dayMs - 11 * minuteMs);
  makeFolder("postgres-before-20261103000000.unfinished", 8 * dayMs);
  const others = ["postgres", "postgres-before-mine", "my-postgres-before-20261101000000"];
  for (const name of others) makeFolder(name, 30 * dayMs);
  expect(await foldersAfter(10 * minuteMs)).toEqual([...others, "postgres-before-20261102000000"].sort());
  expect(lines.map(([level, { removed }]) => `${level} ${removed}`).sort()).toEqual([
    `info ${join(folder, "postgres-before-20261101000000")}`,
    `info ${join(folder, "postgres-before-20261103000000.unfinished")}`,
  ]);
  expect(await foldersAfter(10 * minuteMs)).toEqual([...others].sort());
});

test("a server that runs for less than ten minutes removes none, however old and however often it starts", async () => {
  makeFolder("postgres-before-20261101000000", 30 * dayMs);
  for (let starts = 0; starts < 20; starts += 1) {
    expect(await foldersAfter(9 * minuteMs)).toEqual(["postgres-before-20261101000000"]);
  }
});

test("a removal that was broken off left no copy that looks whole, and is completed", async () => {
  makeFolder("postgres-before-20261101000000", 8 * dayMs);
  makeFolder("postgres-before-20261101000000.unfinished", 8 * dayMs);
  expect(await foldersAfter(10 * minuteMs)).toEqual([]);
  expect(lines.every(([level]) => level === "info")).toBe(true);
});

test("a folder that cannot be read is an error in the log, and no end of the server", async () => {
  rmSync(folder, { recursive: true });
  const stop = startUpgradeCopyRemoval(folder, { write: (level, fields) => lines.push([level, fields]) }, now);
  await vi.advanceTimersByTimeAsync(10 * minuteMs);
  await stop();
  expect(lines).toMatchObject([["error", { function: "upgrade-copies", error: expect.stringContaining("ENOENT") }]]);
  expect(existsSync(folder)).toBe(false);
});

test("a machine's clock that is a year ahead removes no copy", async () => {
  makeFolder("postgres-before-20261101000000", 6 * dayMs);
  const right = Date.now();
  now = async () => right;
  vi.setSystemTime(right + 365 * dayMs);
  expect(await foldersAfter(10 * minuteMs)).toEqual(["postgres-before-20261101000000"]);
});
