import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addCheck, type History } from "../../../status/history.ts";
import { readHistory, withLock, writeWhole } from "../../../status/history-file.ts";
import type { Check } from "../../../status/probe.ts";

const baseUrl = "https://api.example.org/functions/v1";
const check = (minute: number): Check => ({
  at: new Date(Date.UTC(2026, 10, 26, 12, minute)),
  outcome: "ready",
  detail: undefined,
  responseMs: 20,
  metrics: undefined,
  metricsProblem: undefined,
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "status-"));
  path = join(folder, "history.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const whole = JSON.stringify(addCheck(undefined, baseUrl, check(0)));
const changed = (change: (history: Record<string, unknown>) => void) => {
  const history = JSON.parse(whole) as Record<string, unknown>;
  change(history);
  return JSON.stringify(history);
};

describe("a history", () => {
  test("is read as it was written, and begins where there is no file", async () => {
    expect(await readHistory(path, baseUrl)).toBeUndefined();
    await writeWhole(path, whole);
    expect(await readHistory(path, baseUrl)).toEqual(JSON.parse(whole));
    expect(readdirSync(folder)).toEqual(["history.json"]);
  });

  test.each([
    ["cut short", whole.slice(0, -9), /is not JSON: it is damaged or cut short/],
    ["empty", "", /is not JSON/],
    ["a page in HTML", "<html>", /is not JSON/],
    ["other JSON", "[]", /is not a status history/],
    ["of another format", changed((history) => Object.assign(history, { format: 2 })), /format is wrong/],
    ["with a short day", whole.replace(/[-u]{288}/, "u"), /days\.0\.slots is wrong/],
    ["with more in it", changed((history) => Object.assign(history, { secret: "x" })), /is not a status history/],
    [
      "of another deployment",
      whole.replaceAll("api.example", "other.example"),
      /is the history of https:\/\/other\.example/,
    ],
  ])("that is %s is refused by name, and stays as it is", async (_what, text, message) => {
    writeFileSync(path, text);
    const refusal = await readHistory(path, baseUrl).catch((error: Error) => error.message);
    expect(refusal).toMatch(message);
    expect(refusal).toContain(path);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("has every check of runs at the same time", async () => {
    const run = (minute: number) =>
      withLock(path, async () => {
        const history: History | undefined = await readHistory(path, baseUrl);
        await writeWhole(path, JSON.stringify(addCheck(history, baseUrl, check(minute))));
      });
    await Promise.all([0, 5, 10, 15, 20, 25].map(run));
    expect((await readHistory(path, baseUrl))?.days[0]?.slots.match(/u/g)).toHaveLength(6);
    expect(readdirSync(folder)).toEqual(["history.json"]);
  });
});

describe("a lock", () => {
  test("that a killed run left is taken after a minute", async () => {
    mkdirSync(`${path}.lock`);
    utimesSync(`${path}.lock`, new Date(), new Date(Date.now() - 61_000));
    expect(await withLock(path, async () => "done")).toBe("done");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is given back when the work fails", async () => {
    await expect(withLock(path, () => Promise.reject(new Error("full")))).rejects.toThrow("full");
    expect(await withLock(path, async () => "done")).toBe("done");
  });
});
