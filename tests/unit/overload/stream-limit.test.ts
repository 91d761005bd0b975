import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StreamLimit, type StreamSlot } from "../../../shared/overload/stream-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function opened(limit: StreamLimit, caller: string): StreamSlot {
  const slot = limit.open(caller);
  if (typeof slot === "string") throw new Error(`refused: ${slot}`);
  return slot;
}

test("a caller has four at a time, and another its own four", () => {
  const limit = new StreamLimit();
  const slots = Array.from({ length: 4 }, () => opened(limit, "one"));
  expect(limit.open("one")).toBe("caller");
  opened(limit, "other");
  slots[0]?.close();
  slots[0]?.close();
  opened(limit, "one");
  expect(limit.open("one")).toBe("caller");
});

test("all callers have so many that are being sent; requests under way count for their caller alone", () => {
  const limit = new StreamLimit(4, 3);
  const slots = Array.from({ length: 8 }, (_, index) => opened(limit, `caller ${index}`));
  for (const slot of slots.slice(0, 3)) slot.renew(60_000);
  expect(limit.open("newcomer")).toBe("all");
  slots[0]?.close();
  opened(limit, "newcomer");
});

test("a slot that is not renewed has gone with its Worker; one that is renewed stays", async () => {
  const limit = new StreamLimit(1);
  opened(limit, "one").renew(10_000);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(limit.open("one")).toBe("caller");
  await vi.advanceTimersByTimeAsync(1);
  const slot = opened(limit, "one");
  slot.renew(10_000);
  await vi.advanceTimersByTimeAsync(9_000);
  slot.renew(10_000);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(limit.open("one")).toBe("caller");
});

test("a slot that was late to be renewed counts again, and one that was given back does not", async () => {
  const limit = new StreamLimit(1);
  const slot = opened(limit, "one");
  slot.renew(10_000);
  await vi.advanceTimersByTimeAsync(20_000);
  opened(limit, "one").close();
  slot.renew(10_000);
  expect(limit.open("one")).toBe("caller");
  slot.close();
  slot.renew(10_000);
  opened(limit, "one");
});

test("a request whose answer never begins loses its slot", async () => {
  const limit = new StreamLimit(1);
  opened(limit, "one");
  await vi.advanceTimersByTimeAsync(60_000);
  opened(limit, "one");
});
