import { describe, expect, test } from "vitest";
import { rpcStatement } from "../../../bench/speed/pgbench.ts";
import { makeSpeedRow } from "../../../bench/speed/row.ts";
import { summarize } from "../../../bench/speed/summary.ts";
import { withTarget } from "../../../bench/speed/targets.ts";

const timing = { p50_ms: 1.23456, p95_ms: 2.34567, requests_per_second: 812.345 };

describe("a row", () => {
  test("has as many digits as its figures deserve", () => {
    expect(makeSpeedRow("list", "api", 8000, timing, 1.23456)).toEqual({
      case: "list",
      side: "api",
      rows: 8000,
      p50_ms: 1.23,
      p95_ms: 2.35,
      requests_per_second: 812.3,
      ratio: 1.23,
    });
  });

  test.each([
    ["list", "api", 1, "at least 1", "yes"],
    ["list", "api", 0.99, "at least 1", "NO"],
    ["list", "api, new lists", 1.2, "at least 1", "yes"],
    ["growth", "new keyword list", 2.1, "at most 2", "NO"],
    ["list_counted", "api", 9.99, "at least 10", "NO"],
    ["list_counted", "api, new lists", 4, "at least 4", "yes"],
    ["modes", "new hybrid", 3, "at most 3", "yes"],
    ["modes_again", "hybrid", 3.01, "at most 3", "NO"],
    ["growth", "hybrid", 2.5, "at most 2", "NO"],
    ["list", "the rpc alone", 0.5, "", ""],
    ["embedded", "start", null, "", ""],
  ])("%s, %s at %s: target %j, met %j", (name, side, ratio, target, met) => {
    expect(withTarget(makeSpeedRow(name, side, 8000, timing, ratio))).toMatchObject({ target, met });
  });
});

describe("the summary", () => {
  const row = (name: string, side: string, ratio: number) => makeSpeedRow(name, side, 8000, timing, ratio);
  const lineOf = (found: Parameters<typeof summarize>[0], what: RegExp) =>
    summarize(found).find((line) => what.test(line.what));

  test("has the worst figure of each goal, of whichever case", () => {
    const found = [
      { rows: [row("growth", "new list", 1.9), row("growth", "new hybrid", 2.4), row("growth", "semantic", 9)] },
      { rows: [row("hybrid", "ours, rare words", 25), row("hybrid", "ours, common words", 31)] },
    ];
    expect(lineOf(found, /ten times/)).toMatchObject({ measured: 2.4, goal: "at most 2", met: "NO" });
    expect(lineOf(found, /guide's/)).toMatchObject({ measured: 25, goal: "at least 25", met: "yes" });
  });

  test("has figures that are no times, and says nothing of what was not measured", () => {
    const found = [{ rows: [], figures: [{ case: "embedded_memory", side: "after the start", value: 410 }] }];
    expect(lineOf(found, /memory/)).toMatchObject({ measured: 410, goal: "at most 400", met: "NO" });
    expect(lineOf(found, /LanceDB/)).toMatchObject({ measured: null, met: "" });
  });
});

test("a statement for pgbench keeps quotes, and has nothing that pgbench takes for a variable", () => {
  const statement = rpcStatement("ab12", "?search=mother%27s+day&limit=20&states=TX", false);
  expect(statement).toContain("mother''s day");
  expect(statement).not.toMatch(/:\w/);
  expect(statement.endsWith(";\n")).toBe(true);
  const isNew = rpcStatement("ab12", "?search=mother%27s+day&limit=20&states=TX", true);
  expect(isNew.match(/:\w+/g)).toEqual([":unseen", ":bigint"]);
});
