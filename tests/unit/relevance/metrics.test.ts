import { describe, expect, test } from "vitest";
import { ndcgAt, recallAt } from "../../../bench/relevance/metrics.ts";
import { mean, percentile } from "../../../bench/statistics.ts";

const grades = new Map([
  ["best", 3],
  ["good", 2],
  ["fair", 1],
  ["bad", 0],
]);

describe("nDCG", () => {
  test("the ideal order scores 1", () => {
    expect(ndcgAt(["best", "good", "fair"], grades, 10)).toBe(1);
  });

  test("the gain is the grade itself, discounted by log2 of rank + 1", () => {
    // (1/1 + 3/1.58496) / (3/1 + 2/1.58496 + 1/2) = 2.89279 / 4.76186. A gain of 2^grade - 1 would give 0.5757.
    expect(ndcgAt(["fair", "best"], grades, 10)).toBeCloseTo(0.6075, 4);
  });

  test("a document that nobody judged takes a rank and gains nothing", () => {
    // (3/1.58496) / 4.76186
    expect(ndcgAt(["unknown", "best"], grades, 10)).toBeCloseTo(0.3975, 4);
  });

  test("the cutoff holds for the ranking and for the ideal", () => {
    // At 1 the ideal is 3, and "good" gains 2 of it.
    expect(ndcgAt(["good", "best"], grades, 1)).toBeCloseTo(2 / 3, 10);
    expect(ndcgAt(["bad", "best"], grades, 1)).toBe(0);
  });

  test("a query without relevant documents scores 0, as in trec_eval", () => {
    expect(ndcgAt(["bad"], new Map([["bad", 0]]), 10)).toBe(0);
    expect(ndcgAt([], grades, 10)).toBe(0);
  });

  test("a negative grade gains nothing", () => {
    expect(
      ndcgAt(
        ["spam", "good"],
        new Map([
          ["spam", -2],
          ["good", 1],
        ]),
        10,
      ),
    ).toBeCloseTo(1 / Math.log2(3), 10);
  });
});

describe("recall", () => {
  test("is the share of the relevant that is found", () => {
    expect(recallAt(["fair", "bad", "best"], grades, 100)).toBeCloseTo(2 / 3, 10);
    expect(recallAt(["fair", "bad", "best"], grades, 2)).toBeCloseTo(1 / 3, 10);
  });

  test("a query without relevant documents has none", () => {
    expect(recallAt(["bad"], new Map([["bad", 0]]), 100)).toBe(0);
  });
});

describe("percentiles", () => {
  test("are values that were measured: the nearest rank", () => {
    const times = [40, 15, 20, 50, 35];
    expect(percentile(times, 0.5)).toBe(35);
    expect(percentile(times, 0.3)).toBe(20);
    expect(percentile(times, 0.95)).toBe(50);
    expect(percentile(times, 0)).toBe(15);
  });

  test("of nothing are 0", () => {
    expect(percentile([], 0.5)).toBe(0);
    expect(mean([])).toBe(0);
  });
});
