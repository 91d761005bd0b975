import { describe, expect, test } from "vitest";
import { EmbeddingError, type EmbeddingFailure } from "../../../shared/embeddings/errors.ts";
import { pauseMs, withRetries } from "../../../shared/embeddings/retry.ts";

const policy = { attempts: 5, attemptTimeoutMs: 1_000, firstPauseMs: 1_000, longestPauseMs: 6_000 };
const failed = (failure: EmbeddingFailure, retryAfterMs?: number) =>
  new EmbeddingError(failure, "failed", retryAfterMs);

describe("the pause before another attempt", () => {
  test("doubles up to the longest, and varies by at most a quarter", () => {
    const pauses = (random: number) =>
      [1, 2, 3, 4].map((attempt) => pauseMs(failed("overloaded"), attempt, policy, () => random));
    expect(pauses(0)).toEqual([1_000, 2_000, 4_000, 6_000]);
    expect(pauses(1)).toEqual([750, 1_500, 3_000, 4_500]);
  });

  test("is the one that the provider asks for, not shorter, unless that is too long to wait", () => {
    expect(pauseMs(failed("overloaded", 5_000), 1, policy, () => 1)).toBe(5_000);
    expect(pauseMs(failed("overloaded", 0), 1, policy)).toBe(0);
    expect(pauseMs(failed("overloaded", 6_001), 1, policy)).toBeUndefined();
  });

  test("does not come after the last attempt", () => {
    expect(pauseMs(failed("timeout"), 5, policy)).toBeUndefined();
  });

  test.each(["unconfigured", "refused", "unsuitable"] as const)(
    "does not come where asking again changes nothing: %s",
    (failure) => {
      expect(pauseMs(failed(failure), 1, policy)).toBeUndefined();
    },
  );
});

describe("asking with retries", () => {
  const quick = { attempts: 3, attemptTimeoutMs: 30, firstPauseMs: 1, longestPauseMs: 60_000 };
  const never = () => new AbortController().signal;

  test("gives what an attempt gives in the end", async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      if (asked < 3) throw failed("unreachable");
      return "vectors";
    };
    expect([await withRetries(ask, quick, never()), asked]).toEqual(["vectors", 3]);
  });

  test("does not wait for an attempt that does not heed its signal", async () => {
    let asked = 0;
    const ask = () => {
      asked += 1;
      return new Promise(() => undefined);
    };
    await expect(withRetries(ask, quick, never())).rejects.toMatchObject({ failure: "timeout" });
    expect(asked).toBe(3);
  });

  test("ends at once when the caller gives up, in an attempt as in a pause", async () => {
    for (const ask of [() => new Promise(() => undefined), () => Promise.reject(failed("overloaded", 50_000))]) {
      const caller = new AbortController();
      setTimeout(() => caller.abort(), 10);
      const started = performance.now();
      await expect(withRetries(ask, { ...quick, attemptTimeoutMs: 60_000 }, caller.signal)).rejects.toMatchObject({
        failure: "timeout",
      });
      expect(performance.now() - started).toBeLessThan(5_000);
    }
  });

  test("takes an error of its own program for one that no retry mends, and keeps its cause", async () => {
    const bug = new TypeError("undefined is not a function");
    await expect(withRetries(() => Promise.reject(bug), quick, never())).rejects.toMatchObject({
      failure: "unconfigured",
      cause: bug,
    });
  });
});
