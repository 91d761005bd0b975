import { afterEach, expect, test, vi } from "vitest";
import {
  bucketBoundsMs,
  isRefused,
  latencyBucketMs,
  retryDelayMs,
  slowestBucketMs,
} from "../../../shared/usage/recorder.ts";

afterEach(() => vi.restoreAllMocks());

test("a time is in the bucket whose bound it does not pass", () => {
  expect(latencyBucketMs(0)).toBe(1);
  for (const [index, bound] of bucketBoundsMs.entries()) {
    expect(latencyBucketMs(bound)).toBe(bound);
    expect(latencyBucketMs(bound + 0.01)).toBe(bucketBoundsMs[index + 1] ?? slowestBucketMs);
  }
  expect(latencyBucketMs(1e9)).toBe(slowestBucketMs);
});

test("the next bound is at most twice the one before, and at most 1.6 times from 10 ms", () => {
  for (const [index, bound] of bucketBoundsMs.slice(1).entries()) {
    const before = bucketBoundsMs[index] ?? 0;
    expect(bound).toBeGreaterThan(before);
    expect(bound / before).toBeLessThanOrEqual(bound > 10 ? 1.6 : 2);
  }
});

test("writes are tried again after half a second, then twice as long each time, up to ten seconds, give or take a quarter", () => {
  for (const [random, share] of [
    [0, 0.75],
    [0.5, 1],
    [1, 1.25],
  ] as const) {
    vi.spyOn(Math, "random").mockReturnValue(random);
    const delays = [1, 2, 3, 4, 5, 6, 7, 100].map(retryDelayMs);
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000].map((delay) => delay * share));
  }
});

test.each([
  ["22P02", true],
  ["23505", true],
  ["40001", false],
  ["57014", false],
  ["53300", false],
  ["12200", false],
  ["42210", false],
  ["PGRST003", false],
  ["", false],
])("a batch that fails with %j is refused for good: %s", (code, expected) => {
  expect(isRefused(code, 0)).toBe(expected);
});

test("a batch with a key that is deleted during the write is sent again ten times", () => {
  expect([1, 10, 11].map((deletions) => isRefused("23503", deletions))).toEqual([false, false, true]);
});
