import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Command, Result } from "../../../local/documents/command.mjs";
import { createDailyDocuments, type RunEntry, readDocumentsFolder } from "../../../local/documents/daily.mjs";

const hourMs = 3_600_000;

let folder: string;
let nowMs: number;
/** Commands that were started, each with what ends it. */
let started: { action: string; end(result: Result): void }[];
let told: string[];
let entries: RunEntry[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "funding-daily-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  nowMs = Date.parse("2026-11-30T12:00:00Z");
  [started, told, entries] = [[], [], []];
});

function start(action: string): Command {
  const ended = new Promise<Result>((resolve) => started.push({ action, end: resolve }));
  return { ended, stop: () => void told.push(`stop ${action}`), kill: () => void told.push(`kill ${action}`) };
}

const open = (dataFolder = "/data") =>
  createDailyDocuments({ folder, dataFolder, start, report: (entry) => entries.push(entry), now: () => nowMs });
const actions = () => started.map(({ action }) => action);
const done: Result = { isDone: true, output: "one\ntwo" };

/** Ends the command that runs, and waits for what comes of it. */
async function end(result: Result): Promise<void> {
  started.at(-1)?.end(result);
  await new Promise((resolve) => setImmediate(resolve));
}

describe("the documents of a folder", () => {
  test("are fetched, then loaded, and again a day after that", async () => {
    const daily = open();
    void daily.runIfDue();
    expect(actions()).toEqual(["fetch"]);
    await end(done);
    expect(actions()).toEqual(["fetch", "load"]);
    void daily.runIfDue();
    expect(actions()).toEqual(["fetch", "load"]);
    await end(done);
    expect(entries).toEqual(["fetch", "load"].map((command) => ({ level: "info", command, message: "one; two" })));
    nowMs += 23 * hourMs;
    await daily.runIfDue();
    expect(actions()).toHaveLength(2);
    nowMs += hourMs;
    void daily.runIfDue();
    expect(actions()).toEqual(["fetch", "load", "fetch"]);
  });

  test("are not fetched again by a restart within the day, unless the time is to come", async () => {
    const daily = open();
    void daily.runIfDue();
    await end(done);
    await end(done);
    await open().runIfDue();
    expect(actions()).toHaveLength(2);
    expect(readFileSync(join(folder, ".last-run"), "utf8")).toBe("2026-11-30T12:00:00.000Z /data\n");
    nowMs -= hourMs;
    void open().runIfDue();
    expect(actions()).toHaveLength(3);
  });

  test("are fetched for another database", async () => {
    const daily = open();
    void daily.runIfDue();
    await end(done);
    await end(done);
    void open("/other").runIfDue();
    expect(actions()).toHaveLength(3);
  });

  test("that could not be fetched are not loaded, and are tried again after an hour, or by a restart", async () => {
    const daily = open();
    void daily.runIfDue();
    await end({ isDone: false, output: "The database does not answer" });
    expect(entries).toEqual([{ level: "error", command: "fetch", message: "The database does not answer" }]);
    await daily.runIfDue();
    expect(actions()).toEqual(["fetch"]);
    nowMs += hourMs;
    void daily.runIfDue();
    expect(actions()).toEqual(["fetch", "fetch"]);
    void open().runIfDue();
    expect(actions()).toHaveLength(3);
  });

  test("are left as they are once the server stops: the command is told, and no other begins", async () => {
    const daily = open();
    void daily.runIfDue();
    daily.stop();
    await end(done);
    daily.kill();
    await daily.runIfDue();
    expect(told).toEqual(["stop fetch"]);
    expect(actions()).toEqual(["fetch"]);
    expect(entries).toEqual([]);
  });

  test("are fetched where the last run's time cannot be read", () => {
    writeFileSync(join(folder, ".last-run"), "yesterday");
    void open().runIfDue();
    expect(actions()).toEqual(["fetch"]);
  });
});

describe("DOCUMENTS_DIR", () => {
  test("makes the folder; without it there is none", () => {
    expect(readDocumentsFolder(undefined)).toEqual({});
    expect(readDocumentsFolder("")).toEqual({});
    expect(readDocumentsFolder(join(folder, "a"))).toEqual({ folder: join(folder, "a") });
  });

  test("that is a file is refused", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(readDocumentsFolder(file)).toEqual({ problem: `DOCUMENTS_DIR must be a folder, and ${file} is a file.` });
  });

  test("that cannot be written is refused", () => {
    expect(readDocumentsFolder("/proc/documents").problem).toMatch(
      /^DOCUMENTS_DIR must be a folder that can be written: /,
    );
  });
});
