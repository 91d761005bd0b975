import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StreamLimit, type StreamPlace } from "../../../shared/overload/stream-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function opened(limit: StreamLimit, caller: string): StreamPlace {
  const place = limit.open(caller);
  if (typeof place === "string") throw new Error(`refused: ${place}`);
  return place;
}

test("a caller has four at a time, and another its own four", () => {
  const limit = new StreamLimit();
  const places = Array.from({ length: 4 }, () => opened(limit, "one"));
  expect(limit.open("one")).toBe("caller");
  opened(limit, "other");
  places[0]?.close();
  places[0]?.close();
  opened(limit, "one");
  expect(limit.open("one")).toBe("caller");
});

test("all callers have so many that are being sent; requests under way count for their caller alone", () => {
  const limit = new StreamLimit(4, 3);
  const places = Array.from({ length: 8 }, (_, index) => opened(limit, `caller ${index}`));
  for (const place of places.slice(0, 3)) place.renew(60_000);
  expect(limit.open("newcomer")).toBe("all");
  places[0]?.close();
  opened(limit, "newcomer");
});

test("a place that is not renewed has gone with its Worker; one that is renewed stays", async () => {
  const limit = new StreamLimit(1);
  opened(limit, "one").renew(10_000);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(limit.open("one")).toBe("caller");
  await vi.advanceTimersByTimeAsync(1);
  const place = opened(limit, "one");
  place.renew(10_000);
  await vi.advanceTimersByTimeAsync(9_000);
  place.renew(10_000);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(limit.open("one")).toBe("caller");
});

test("a place that was late to be renewed counts again, and one that was given back does not", async () => {
  const limit = new StreamLimit(1);
  const place = opened(limit, "one");
  place.renew(10_000);
  await vi.advanceTimersByTimeAsync(20_000);
  opened(limit, "one").close();
  place.renew(10_000);
  expect(limit.open("one")).toBe("caller");
  place.close();
  place.renew(10_000);
  opened(limit, "one");
});

test("a request whose answer never begins loses its place", async () => {
  const limit = new StreamLimit(1);
  opened(limit, "one");
  await vi.advanceTimersByTimeAsync(60_000);
  opened(limit, "one");
});
