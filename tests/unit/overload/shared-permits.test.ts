import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ConcurrencyLimit, type Release } from "../../../shared/overload/concurrency-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("beside other active callers", () => {
  const permits = 8;
  const newLimit = (options = {}) => new ConcurrencyLimit({ permits, sharedPermits: 2, ...options });

  /** Callers who keep calls under way, each of `workMs`; `under` counts them. */
  function flooding(limit: ConcurrencyLimit, workMs = 10) {
    const under = new Map<string, number>();
    const answers: string[] = [];
    let isOver = false;
    const count = (caller: string, change: number) => under.set(caller, (under.get(caller) ?? 0) + change);
    async function call(caller: string, acquire: () => Promise<Release | undefined>): Promise<void> {
      while (!isOver) {
        const release = await acquire();
        answers.push(release === undefined ? `${caller} refused` : caller);
        if (release === undefined) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          continue;
        }
        count(caller, 1);
        await new Promise((resolve) => setTimeout(resolve, workMs));
        count(caller, -1);
        release();
        // As the endpoint does: after the database has answered.
        await Promise.resolve();
        if (caller !== "made up") limit.noteAnswer(caller);
      }
    }
    return {
      under,
      answers,
      calls: (caller: string, connections: number) => {
        for (let index = 0; index < connections; index++) void call(caller, () => limit.acquire(caller));
      },
      streams: (caller: string, connections: number) => {
        for (let index = 0; index < connections; index++) {
          void call(caller, async () => {
            const release = await limit.acquireForStream(caller);
            answers.push("stream");
            return release;
          });
        }
      },
      async end() {
        isOver = true;
        await vi.advanceTimersByTimeAsync(60_000);
      },
    };
  }

  test("a caller has its part of the permits, and all of them again a second after the others' last call", async () => {
    const limit = newLimit();
    const { under, calls, answers, end } = flooding(limit);
    limit.noteAnswer("many");
    calls("many", 64);
    await vi.advanceTimersByTimeAsync(100);
    expect(under.get("many")).toBe(8);
    limit.noteAnswer("other");
    await vi.advanceTimersByTimeAsync(20);
    expect(under.get("many")).toBe(2);
    await vi.advanceTimersByTimeAsync(970);
    expect(under.get("many")).toBe(2);
    await vi.advanceTimersByTimeAsync(30);
    expect(under.get("many")).toBe(8);
    expect(answers).not.toContain("many refused");
    await end();
  });

  test("another is active while a call of it is under way, for as long as a call may wait", async () => {
    const limit = newLimit();
    const { under, calls, end } = flooding(limit);
    limit.noteAnswer("other");
    const release = await limit.acquire("other");
    calls("many", 64);
    await vi.advanceTimersByTimeAsync(1_900);
    expect(under.get("many")).toBe(2);
    // The call of a Worker that was stopped does so, too.
    await vi.advanceTimersByTimeAsync(1_200);
    expect(under.get("many")).toBe(7);
    release?.();
    await vi.advanceTimersByTimeAsync(100);
    expect(under.get("many")).toBe(8);
    await end();
  });

  test("who was never answered takes nothing from those who were: a key may not exist", async () => {
    const limit = newLimit();
    const { under, calls, end } = flooding(limit);
    limit.noteAnswer("many");
    calls("many", 64);
    calls("made up", 64);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(under).toEqual(
      new Map([
        ["many", 6],
        ["made up", 2],
      ]),
    );
    await end();
  });

  test("its calls wait, and are not refused for it; nor are those of another who comes", async () => {
    const limit = newLimit();
    const { answers, calls, end } = flooding(limit, 20);
    limit.noteAnswer("many");
    limit.noteAnswer("other");
    calls("other", 1);
    calls("many", 64);
    await vi.advanceTimersByTimeAsync(10_000);
    calls("third", 30);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(new Set(answers)).toEqual(new Set(["many", "other", "third"]));
    await end();
  });

  test("an overload ends with it: who was refused among all permits' waiting is served in its part of them", async () => {
    const limit = newLimit();
    const { answers, calls, end } = flooding(limit, 100);
    calls("many", 200);
    limit.noteAnswer("many");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(answers).toContain("many refused");
    const keepActive = setInterval(() => limit.noteAnswer("other"), 500);
    limit.noteAnswer("other");
    await vi.advanceTimersByTimeAsync(3_000);
    answers.length = 0;
    calls("burst", 20);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(answers).toContain("burst");
    expect(answers).not.toContain("burst refused");
    clearInterval(keepActive);
    await end();
  });

  test("its later pages and its new calls take turns", async () => {
    const limit = newLimit();
    const { answers, calls, streams, end } = flooding(limit);
    const keepActive = setInterval(() => limit.noteAnswer("other"), 500);
    limit.noteAnswer("other");
    streams("many", 20);
    calls("many", 20);
    await vi.advanceTimersByTimeAsync(2_000);
    const share =
      answers.filter((answer) => answer === "stream").length / answers.filter((answer) => answer === "many").length;
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(0.55);
    clearInterval(keepActive);
    await end();
  });

  test("calls and later pages of one take turns, however many short calls another has between them", async () => {
    const limit = newLimit();
    const { answers, calls, streams, end } = flooding(limit, 20);
    const short = flooding(limit, 3);
    short.calls("short", 3);
    streams("many", 20);
    calls("many", 20);
    await vi.advanceTimersByTimeAsync(10_000);
    const pages = answers.filter((answer) => answer === "stream").length;
    expect(answers).not.toContain("many refused");
    expect(answers.length - 2 * pages).toBeGreaterThan(0.9 * pages);
    await Promise.all([end(), short.end()]);
  });

  test("who waits for the part of one who left is served when that ends, though nothing of its own ends", async () => {
    const limit = newLimit();
    limit.noteAnswer("many");
    limit.noteAnswer("other");
    await Promise.all([limit.acquire("many"), limit.acquire("many")]);
    const before = performance.now();
    const waits = [limit.acquire("many"), limit.acquireForStream("many")].map(async (place) => {
      expect(await place).toBeTypeOf("function");
      return performance.now() - before;
    });
    await vi.advanceTimersByTimeAsync(2_100);
    for (const ms of await Promise.all(waits)) expect(ms).toBeLessThan(1_060);
  });

  test("two permits that nobody gives back keep nobody waiting for a lease: a call is served as its patience ends", async () => {
    const limit = newLimit({ maxWaitMs: 2_000 });
    limit.noteAnswer("other");
    const keepActive = setInterval(() => limit.noteAnswer("other"), 500);
    await Promise.all([limit.acquire("many"), limit.acquire("many")]);
    await vi.advanceTimersByTimeAsync(1);
    const [call, page] = [limit.acquire("many"), limit.acquireForStream("many")];
    await vi.advanceTimersByTimeAsync(2_050);
    expect(await call).toBeTypeOf("function");
    expect(await page).toBeTypeOf("function");
    clearInterval(keepActive);
  });

  test("a permit that nobody gives back does not put its caller behind all others", async () => {
    const limit = new ConcurrencyLimit({ permits: 4 });
    await limit.acquire("victim");
    await vi.advanceTimersByTimeAsync(2_100);
    const { answers, calls, end } = flooding(limit, 100);
    for (let caller = 0; caller < 8; caller++) calls(`other ${caller}`, 1);
    calls("victim", 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(answers).not.toContain("victim refused");
    expect(answers.filter((answer) => answer === "victim").length).toBeGreaterThan(20);
    await end();
  });

  test("a call that is refused uses up nobody's turn", async () => {
    const limit = new ConcurrencyLimit({ permits: 32 });
    const { answers, calls, streams, end } = flooding(limit, 100);
    streams("many", 40);
    calls("many", 400);
    await vi.advanceTimersByTimeAsync(6_000);
    const parts = answers.filter((answer) => answer === "stream").length;
    // A part is in the answers twice: as such, and as its caller's.
    const served = answers.filter((answer) => answer === "many").length - parts;
    expect(served / parts).toBeGreaterThan(0.8);
    expect(answers).toContain("many refused");
    await end();
  });

  test("what waits there for longer than it may has gone with its Worker, and gets no permit", async () => {
    const clock = vi.spyOn(globalThis, "setTimeout").mockImplementation(() => 0 as never);
    const limit = new ConcurrencyLimit({ permits: 1, leaseMs: 3_000 });
    await limit.acquire("one");
    for (let call = 0; call < 10; call++) void limit.acquire("gone");
    void limit.acquireForStream("gone");
    clock.mockRestore();
    await vi.advanceTimersByTimeAsync(3_200);
    expect(await limit.acquire("one")).toBeTypeOf("function");
  });

  test("one look is due at a time, though timers are late now and then", async () => {
    const limit = newLimit();
    const { calls, end } = flooding(limit);
    const keepActive = setInterval(() => limit.noteAnswer("other"), 500);
    limit.noteAnswer("other");
    const { setTimeout } = globalThis;
    let looks = 0;
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms: number) => {
      if (ms !== 50) return setTimeout(work, ms);
      looks += 1;
      return setTimeout(work, looks % 4 === 0 ? 170 : ms);
    }) as typeof setTimeout);
    calls("many", 64);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looks).toBeLessThan(200);
    vi.restoreAllMocks();
    clearInterval(keepActive);
    await end();
  });

  test("one who reads a long answer page by page is active until its end", async () => {
    const limit = newLimit();
    const { under, calls, end } = flooding(limit, 20);
    limit.noteAnswer("reader");
    calls("many", 64);
    const seen = new Set<number>();
    for (let page = 0; page < 100; page++) {
      const release = limit.acquireForStream("reader");
      await vi.advanceTimersByTimeAsync(20);
      (await release)?.();
      await vi.advanceTimersByTimeAsync(30);
      if (page > 0) seen.add(under.get("many") ?? 0);
    }
    expect(seen).toEqual(new Set([2]));
    await end();
  });

  test("one whose calls each take over a second is active between them", async () => {
    const limit = newLimit();
    const { answers, under, calls, end } = flooding(limit, 900);
    const slow = flooding(limit, 1_200);
    limit.noteAnswer("other");
    slow.calls("other", 1);
    calls("many", 64);
    const seen = new Set<number>();
    await vi.advanceTimersByTimeAsync(1_000);
    for (let step = 0; step < 200; step++) {
      await vi.advanceTimersByTimeAsync(50);
      seen.add(under.get("many") ?? 0);
    }
    expect(Math.max(...seen)).toBe(2);
    expect(answers).toContain("many");
    await Promise.all([end(), slow.end()]);
  });

  test("two permits that were taken longer ago than the longest wait keep no call of their caller waiting", async () => {
    const limit = newLimit({ maxWaitMs: 2_000 });
    await limit.acquire("many");
    await limit.acquire("many");
    limit.noteAnswer("other");
    const keepActive = setInterval(() => limit.noteAnswer("other"), 500);
    await vi.advanceTimersByTimeAsync(2_001);
    const times: number[] = [];
    for (let call = 0; call < 5; call++) {
      const before = performance.now();
      const release = await limit.acquire("many");
      times.push(performance.now() - before);
      release?.();
    }
    expect(times).toEqual([0, 0, 0, 0, 0]);
    clearInterval(keepActive);
  });

  test("by default a part is a sixteenth of the permits, and at least two", async () => {
    for (const [all, part] of [
      [4, 2],
      [32, 2],
      [128, 8],
    ] as const) {
      const limit = new ConcurrencyLimit({ permits: all });
      const { under, calls, end } = flooding(limit);
      limit.noteAnswer("other");
      calls("many", 200);
      await vi.advanceTimersByTimeAsync(500);
      expect(under.get("many")).toBe(part);
      await end();
    }
  });
});
