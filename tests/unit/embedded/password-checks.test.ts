import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRefusalLog, PasswordChecks } from "../../../local/embedded/password-checks.ts";
import type { LogFields } from "../../../shared/log/log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wrong = () => undefined;
const right = () => "right";
const stays = new AbortController().signal;

test("wrong passwords, however many at once, are checked no faster than their permits come free", async () => {
  const checks = new PasswordChecks(2, 1000);
  let checked = 0;
  const guess = () => {
    checked += 1;
    return undefined;
  };
  for (let client = 0; client < 7; client++) void checks.run(guess, stays);
  const counts = [];
  for (let second = 0; second < 4; second++) {
    await vi.advanceTimersByTimeAsync(second === 0 ? 0 : 1000);
    counts.push(checked);
  }
  expect(counts).toEqual([2, 4, 6, 7]);
});

test("a client that hangs up on its refusal does not free its permit", async () => {
  const checks = new PasswordChecks(1, 1000);
  const gone = new AbortController();
  void checks.run(wrong, gone.signal);
  await vi.advanceTimersByTimeAsync(0);
  gone.abort();
  const next = vi.fn(right);
  const result = checks.run(next, stays);
  await vi.advanceTimersByTimeAsync(999);
  expect(next).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toBe("right");
});

test("a right password is answered at once, and keeps no permit", async () => {
  const checks = new PasswordChecks(1, 1000);
  for (let client = 0; client < 5; client++) expect(await checks.run(right, stays)).toBe("right");
});

test("a client that leaves while it waits is not checked, and delays nobody", async () => {
  const checks = new PasswordChecks(1, 1000);
  void checks.run(wrong, stays);
  const leaving = new AbortController();
  const left = checks.run(right, leaving.signal);
  const result = checks.run(right, stays);
  leaving.abort();
  expect(await left).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await result).toBe("right");
  const early = vi.fn(right);
  expect(await checks.run(early, AbortSignal.abort())).toBeUndefined();
  expect(early).not.toHaveBeenCalled();
});

test("refused passwords are a line at once, and then at most one a minute with their number", () => {
  const lines: LogFields[] = [];
  let now = 0;
  const refused = createRefusalLog({ write: (_level, fields) => void lines.push(fields) }, () => now);
  for (let count = 0; count < 1000; count++) refused();
  expect(lines.map((line) => line.refused)).toEqual([1]);
  now = 60_000;
  refused();
  refused();
  expect(lines.map((line) => line.refused)).toEqual([1, 1000]);
});
