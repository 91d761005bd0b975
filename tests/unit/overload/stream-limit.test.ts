import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StreamLimit, type StreamPermit } from "../../../shared/overload/stream-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function opened(limit: StreamLimit, caller: string): StreamPermit {
  const permit = limit.open(caller);
  if (typeof permit === "string") throw new Error(`refused: ${permit}`);
  return permit;
}

test("a caller has four at a time, and another its own four", () => {
  const limit = new StreamLimit();
  const permits = Array.from({ length: 4 }, () => opened(limit, "one"));
  expect(limit.open("one")).toBe("caller");
  opened(limit, "other");
  permits[0]?.close();
  permits[0]?.close();
  opened(limit, "one");
  expect(limit.open("one")).toBe("caller");
});

test("all callers have so many that are being sent; requests under way count for their caller alone", () => {
  const limit = new StreamLimit(4, 3);
  const permits = Array.from({ length: 8 }, (_, index) => opened(limit, `caller ${index}`));
  for (const permit of permits.slice(0, 3)) permit.renew(60_000);
  expect(limit.open("newcomer")).toBe("all");
  permits[0]?.close();
  opened(limit, "newcomer");
});

test("a permit that is not renewed has gone with its Worker; one that is renewed stays", async () => {
  const limit = new StreamLimit(1);
  opened(limit, "one").renew(10_000);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(limit.open("one")).toBe("caller");
  await vi.advanceTimersByTimeAsync(1);
  const permit = opened(limit, "one");
  permit.renew(10_000);
  await vi.advanceTimersByTimeAsync(9_000);
  permit.renew(10_000);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(limit.open("one")).toBe("caller");
});

test("a permit that was late to be renewed counts again, and one that was given back does not", async () => {
  const limit = new StreamLimit(1);
  const permit = opened(limit, "one");
  permit.renew(10_000);
  await vi.advanceTimersByTimeAsync(20_000);
  opened(limit, "one").close();
  permit.renew(10_000);
  expect(limit.open("one")).toBe("caller");
  permit.close();
  permit.renew(10_000);
  opened(limit, "one");
});

test("a request whose answer never begins loses its permit", async () => {
  const limit = new StreamLimit(1);
  opened(limit, "one");
  await vi.advanceTimersByTimeAsync(60_000);
  opened(limit, "one");
});
