import { environmentManager, InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deliveryRefreshMs } from "../../../dashboard/src/api/delivery-refresh.ts";
import { refreshSinglePage } from "../../../dashboard/src/api/refresh.ts";

describe("a list that is read page by page", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // Queries do not refresh themselves where they take themselves to be on a server.
    environmentManager.setIsServer(() => false);
  });
  afterEach(() => {
    vi.useRealTimers();
    environmentManager.setIsServer(() => typeof window === "undefined");
  });

  /** A list on a page that is open, and the numbers of the pages that it reads. */
  function openList({ intervalMs = 3_000 } = {}) {
    const reads: number[] = [];
    const queries = new QueryClient();
    const list = new InfiniteQueryObserver(queries, {
      queryKey: ["list"],
      queryFn: async ({ pageParam }) => {
        reads.push(pageParam);
        return { number: pageParam };
      },
      initialPageParam: 1,
      getNextPageParam: ({ number }) => number + 1,
      ...refreshSinglePage(() => intervalMs),
    });
    const close = list.subscribe(() => {});
    return {
      list,
      /** Pages that were read since it was asked last, after this time has passed. */
      async readsAfter(ms: number) {
        await vi.advanceTimersByTimeAsync(ms);
        return reads.splice(0);
      },
      close() {
        close();
        queries.clear();
      },
    };
  }

  test("refreshes itself while it shows one page", async () => {
    const { readsAfter, close } = openList();
    expect(await readsAfter(0)).toEqual([1]);
    expect(await readsAfter(9_500)).toEqual([1, 1, 1]);
    close();
  });

  test("is refreshed by its reader alone while it shows several", async () => {
    const { list, readsAfter, close } = openList();
    await readsAfter(0);
    for (let page = 2; page <= 4; page++) await list.fetchNextPage();
    expect(await readsAfter(0)).toEqual([2, 3, 4]);
    expect(await readsAfter(600_000)).toEqual([]);
    void list.refetch();
    expect(await readsAfter(600_000)).toEqual([1, 2, 3, 4]);
    close();
  });

  test("is not read again as its window is looked at, while it shows several", async () => {
    const { list, readsAfter, close } = openList();
    await readsAfter(0);
    expect(list.shouldFetchOnWindowFocus()).toBe(true);
    await list.fetchNextPage();
    expect(list.shouldFetchOnWindowFocus()).toBe(false);
    close();
  });
});

describe("deliveries are read again", () => {
  const [soon, later] = [3_000, 15_000];
  const delivery = (state: "pending" | "succeeded" | "failed", next_attempt_in_seconds: number | null) => ({
    state,
    next_attempt_in_seconds,
  });

  test.each([
    ["is due", delivery("pending", 0), soon],
    ["is due in seconds", delivery("pending", 20), soon],
    ["is under way", delivery("pending", null), soon],
    ["is due in hours", delivery("pending", 7_200), later],
    ["is not to come: it was delivered", delivery("succeeded", null), later],
    ["is not to come: it failed for good", delivery("failed", null), later],
  ])("by whether an attempt is awaited: one that %s", (_name, pending, ms) => {
    expect(deliveryRefreshMs([delivery("succeeded", null), pending], true)).toBe(ms);
  });

  test("at ease where the webhook is not active, since none is sent", () => {
    expect(deliveryRefreshMs([delivery("pending", 0), delivery("pending", null)], false)).toBe(later);
  });
});
