import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  addRun,
  coursesOf,
  keptRuns,
  readSpeedHistory,
  type SpeedHistory,
  SpeedHistoryError,
  writeSpeedHistory,
} from "../../../bench/speed/history.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "history-"));
});
afterEach(() => rm(folder, { recursive: true }));

const run = { at: new Date("2026-12-01T06:17:00Z"), version: "1.9.0" };
const line = (what: string, measured: number | null) => ({
  what,
  measured,
  best: measured,
  goal: "at most 2",
  met: "" as const,
});
const historyOf = (...values: number[]) =>
  values.reduce<SpeedHistory>((history, value) => addRun(history, [line("p95", value)], run), { format: 1, runs: [] });

describe("the history of the summary", () => {
  test("is empty where there is no file, and read as it was written", async () => {
    const path = join(folder, "history.json");
    expect(await readSpeedHistory(path)).toEqual({ format: 1, runs: [] });
    await writeSpeedHistory(path, historyOf(1.5, 2));
    expect(await readSpeedHistory(path)).toEqual(historyOf(1.5, 2));
  });

  test.each(["", "[]", '{"format": 2, "runs": []}'])("refuses a file with %j", async (text) => {
    const path = join(folder, "history.json");
    await writeFile(path, text);
    await expect(readSpeedHistory(path)).rejects.toThrow(SpeedHistoryError);
  });

  test("keeps the last thirty runs", () => {
    const { runs } = historyOf(...Array.from({ length: keptRuns + 2 }, (_, index) => index));
    expect(runs).toHaveLength(keptRuns);
    expect(runs[0]?.goals).toEqual([{ what: "p95", measured: 2 }]);
  });

  test("shows the course of what the last run measured", () => {
    expect(coursesOf(historyOf(1, 1.1, 8, 4.5))).toEqual([
      { what: "p95", runs: 4, median: 2.8, last: 4.5, course: "▁▁█▅" },
    ]);
    expect(coursesOf(addRun(historyOf(1), [line("p95", null)], run))).toEqual([]);
    expect(coursesOf(historyOf(2))[0]?.course).toBe("▁");
  });
});
