import { existsSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { compare, costRatio, speedRatio, throughputRatio } from "../../../bench/speed/compare.ts";
import { cpuBetween, readCpu } from "../../../bench/speed/cpu.ts";
import { timeInTurns } from "../../../bench/speed/in-turns.ts";
import { summarizeRounds } from "../../../bench/speed/row.ts";
import { loadInTurns } from "../../../bench/speed/under-load.ts";

describe("a side's figures", () => {
  test("are the medians of the rounds, so that one bad round changes nothing", () => {
    const good = { times: [1, 2, 3, 4], elapsedMs: 10 };
    const bad = { times: [100, 200, 300, 400], elapsedMs: 1_000 };
    expect(summarizeRounds([good, bad, good])).toEqual({ p50_ms: 2, p95_ms: 4, requests_per_second: 400 });
  });
});

describe("asking in turns", () => {
  test("gives every item to every side, one at a time, with a round that does not count", async () => {
    const asked: string[] = [];
    let underWay = 0;
    const side = (name: string) => ({
      name,
      async run(item: number) {
        expect(underWay++).toBe(0);
        await Promise.resolve();
        asked.push(`${name}${item}`);
        underWay--;
      },
    });
    const timings = await timeInTurns([side("a"), side("b")], [1, 2], 2);
    expect([...timings.keys()]).toEqual(["a", "b"]);
    // Each item's sides stand together, and who is first changes.
    expect(asked).toEqual(["a1", "b1", "b2", "a2", "b1", "a1", "a2", "b2", "a1", "b1", "b2", "a2"]);
  });

  test("counts no round for warming up, however many there are", async () => {
    let asked = 0;
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    const run = async () => {
      now += ++asked <= 2 ? 40 : 1;
    };
    const timings = await timeInTurns([{ name: "a", run }], [1], 1, 2);
    clock.mockRestore();
    expect(asked).toBe(3);
    expect(timings.get("a")?.p95_ms).toBe(1);
  });

  test("hands over what is known beforehand", async () => {
    const known: unknown[] = [];
    await timeInTurns(
      [{ name: "a", prepare: (item) => Promise.resolve(item * 10), run: async (_, ten) => known.push(ten) }],
      [1, 2],
      1,
    );
    expect(known).toEqual([10, 20, 10, 20]);
  });
});

describe("asking under load", () => {
  test("keeps as many requests under way as there are connections, at one side at a time", async () => {
    const underWay = { a: 0, b: 0 };
    const requests = { a: 0, b: 0 };
    let most = 0;
    const side = (name: "a" | "b", other: "a" | "b") => ({
      name,
      async run() {
        underWay[name]++;
        requests[name]++;
        most = Math.max(most, underWay[name]);
        expect(underWay[other]).toBe(0);
        await new Promise((resolve) => setTimeout(resolve, 1));
        underWay[name]--;
      },
    });
    const load = { connections: 3, sliceMs: 20, rounds: 1 };
    const seen: { a: number; b: number }[] = [];
    // The server has used 30 ms more at each reading: before and after a slice, and so 30 ms in each slice.
    const readCpu = async () => {
      seen.push({ ...requests });
      return new Map([["1", { name: "server", usedMs: 30 * seen.length }]]);
    };
    const timings = await loadInTurns([side("a", "b"), side("b", "a")], load, readCpu);
    expect(most).toBe(3);
    // The slice of a that counts is the last; those that warm up are read before alone.
    const counted = (seen.at(-1)?.a ?? 0) - (seen.at(-2)?.a ?? 0);
    expect(timings.get("a")?.cpu.server).toBeCloseTo(30 / counted, 10);
    expect(timings.get("a")?.requests_per_second).toBeGreaterThan(0);
  });

  test("an error of a side ends the measurement", async () => {
    const failing = { name: "a", run: () => Promise.reject(new Error("503")) };
    await expect(loadInTurns([failing], { connections: 2, sliceMs: 20, rounds: 1 })).rejects.toThrow("503");
  });
});

describe("CPU", () => {
  const reading = (...processes: [pid: string, name: string, usedMs: number][]) =>
    new Map(processes.map(([pid, name, usedMs]) => [pid, { name, usedMs }]));

  test("between two readings counts what came and leaves out what went", () => {
    const before = reading(["1", "postgres", 100], ["2", "postgres", 500], ["3", "client", 10]);
    const after = reading(["1", "postgres", 130], ["4", "postgres", 20], ["3", "client", 10]);
    expect(cpuBetween(before, after)).toEqual({ postgres: 50, client: 0 });
  });

  test.runIf(existsSync("/proc/self/stat"))("of this process grows while it works", async () => {
    const read = () => readCpu([["me", process.pid]], "no_such_database");
    const before = await read();
    const until = performance.now() + 60;
    while (performance.now() < until);
    const { me = 0 } = cpuBetween(before, await read());
    expect(me).toBeGreaterThan(0);
    expect(me).toBeLessThan(5_000);
  });
});

describe("ratios", () => {
  const fast = { p50_ms: 1, p95_ms: 2, requests_per_second: 500 };
  const slow = { p50_ms: 4, p95_ms: 10, requests_per_second: 100 };
  const timings = new Map([
    ["fast", fast],
    ["slow", slow],
  ]);

  test("are to the reference, which has 1", () => {
    const ratios = (ratio: typeof costRatio) =>
      compare("case", 10, timings, ["fast", "slow"], "slow", ratio).map((row) => row.ratio);
    expect(ratios(throughputRatio)).toEqual([5, 1]);
    expect(ratios(speedRatio)).toEqual([5, 1]);
    expect(ratios(costRatio)).toEqual([0.2, 1]);
  });

  test("rows have the published fields and no others", () => {
    const [row] = compare("case", 10, timings, ["fast"], "slow", costRatio);
    expect(Object.keys(row ?? {})).toEqual([
      "case",
      "side",
      "rows",
      "p50_ms",
      "p95_ms",
      "requests_per_second",
      "ratio",
    ]);
  });

  test("a side that was not measured is an error", () => {
    expect(() => compare("case", 10, timings, ["absent"], "slow", costRatio)).toThrow("absent was not measured");
  });
});
