import { expect, onTestFinished, test, vi } from "vitest";
import type { ListPage } from "../../../shared/database/rpc.ts";
import { ListCache } from "../../../shared/endpoint/list-cache.ts";

const page = (changes: Partial<ListPage> = {}) =>
  ({ results: [], next: null, archived: null, facets: null, understood: null, ...changes }) as unknown as ListPage;

test("a page is given again for the same request", () => {
  const cache = new ListCache();
  cache.set("water", page());
  expect(cache.get("water")).toMatchObject({ results: "[]", returned: 0, next: null });
  expect(cache.get("fire")).toBeUndefined();
});

test("a page is forgotten after ten minutes, however often it was used", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const cache = new ListCache();
  cache.set("water", page());
  for (let minute = 1; minute < 10; minute++) {
    vi.advanceTimersByTime(60_000);
    expect(cache.get("water")).toBeDefined();
  }
  vi.advanceTimersByTime(60_000);
  expect(cache.get("water")).toBeUndefined();
  cache.set("water", page());
  expect(cache.get("water")).toBeDefined();
});

test.each([
  ["long requests", (number: number) => [`${number} ${"x".repeat(4_000)}`, page()] as const],
  [
    "facets",
    (number: number) => [`${number}`, page({ facets: { states: [{ value: "x".repeat(4_000), count: 1 }] } })] as const,
  ],
  [
    "ids of archived records",
    (number: number) =>
      [`${number}`, page({ archived: [{ id: "x".repeat(4_000), archived_at: "2026-06-01T00:00:00.000Z" }] })] as const,
  ],
])("pages without records are bounded as well: %s", (_, make) => {
  const cache = new ListCache();
  const requests = Array.from({ length: 2_100 }, (_, number) => make(number));
  for (const [request, made] of requests) cache.set(request, made);
  const kept = requests.filter(([request]) => cache.get(request) !== undefined).length;
  expect(kept).toBeGreaterThan(1_500);
  expect(kept).toBeLessThan(2_001);
});
