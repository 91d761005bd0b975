import { expect, test } from "vitest";
import { compareTimes } from "../../../bench/keys/compare.ts";
import { median } from "../../../bench/statistics.ts";

/** Even numbers from 0 to 1, and so many of them. */
const times = (count: number, shift = 0) => Array.from({ length: count }, (_, index) => index / count + shift);

test("samples that are alike are no different", () => {
  expect(compareTimes(times(1_000), times(1_000))).toEqual({ slowerShare: 0.5, standardErrors: 0 });
});

test("a shift of a twentieth shows in a thousand of each, and in which direction", () => {
  const slower = compareTimes(times(1_000, 0.05), times(1_000));
  expect(slower.slowerShare).toBeCloseTo(0.549, 2);
  expect(slower.standardErrors).toBeGreaterThan(3.3);
  expect(compareTimes(times(1_000), times(1_000, 0.05)).standardErrors).toBeCloseTo(-slower.standardErrors, 6);
});

test("samples apart are wholly so", () => {
  expect(compareTimes([3, 4], [1, 2]).slowerShare).toBe(1);
});

test("the median of an even number is in between", () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
});
