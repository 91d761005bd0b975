import { describe, expect, test } from "vitest";
import { computeTenfold, growthExponent } from "../../../bench/speed/extrapolate.ts";

/** Sizes at which a time is a fixed part and one for each record. */
const sizesOnALine = (...sizes: number[]) =>
  sizes.map((rows) => ({ rows, p50_ms: 6 + rows / 50_000, p95_ms: 8 + rows / 20_000 }));

describe("growth to ten times the records", () => {
  test.each([
    [0, 5],
    [0.5, 5 * Math.sqrt(10)],
    [1, 50],
    [2, 500],
  ])("has the exponent %f where 5 ms become %f", (exponent, ms) => {
    expect(growthExponent([1_000, 5], [10_000, ms])).toBeCloseTo(exponent, 12);
  });

  test("is computed from the two largest sizes, by their exponent and by the line through both", () => {
    const [, line] = computeTenfold("new hybrid", [
      { rows: 10_000, p50_ms: 20, p95_ms: 30 },
      { rows: 100_000, p50_ms: 40, p95_ms: 300 },
      { rows: 1_000, p50_ms: 19, p95_ms: 29 },
    ]);
    expect(line).toEqual({
      mode: "new hybrid",
      rows: 1_000_000,
      exponents: "0.3 / 1",
      by_exponent_ms: "80 / 3000",
      by_line_ms: "240 / 3000",
      measured_ms: "",
    });
  });

  test("the largest size is computed from those before it, beside what was measured there", () => {
    const [line, ...others] = computeTenfold("new list", sizesOnALine(10_000, 100_000, 1_000_000));
    expect(others.map(({ rows }) => rows)).toEqual([10_000_000]);
    expect(line).toMatchObject({ rows: 1_000_000, by_line_ms: "26 / 58", measured_ms: "26 / 58" });
    expect(line?.by_exponent_ms).not.toBe(line?.measured_ms);
  });

  test("a time that fell stays", () => {
    const [line] = computeTenfold("new list", [
      { rows: 1_000, p50_ms: 9, p95_ms: 18 },
      { rows: 10_000, p50_ms: 8, p95_ms: 16 },
    ]);
    expect(line).toMatchObject({ exponents: "-0.05 / -0.05", by_exponent_ms: "8 / 16", by_line_ms: "8 / 16" });
  });

  test("of two sizes there is nothing to compare with, of one nothing to compute", () => {
    expect(computeTenfold("new list", sizesOnALine(800, 8_000)).map(({ rows }) => rows)).toEqual([80_000]);
    expect(computeTenfold("new list", sizesOnALine(800))).toEqual([]);
  });
});
