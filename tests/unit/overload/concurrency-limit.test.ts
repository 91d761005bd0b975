import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ConcurrencyLimit, createEdgeLimit, type Release } from "../../../shared/overload/concurrency-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One call: how long it waited, and whether it was let in. */
interface Call {
  at: number;
  waitedMs: number;
  isLetIn: boolean;
}

/** Calls that each take `workMs`, at a rate, for a time; then whatever is left. */
async function load(limit: ConcurrencyLimit, perSecond: number, seconds: number, workMs: number): Promise<Call[]> {
  const calls: Call[] = [];
  const call = async () => {
    const at = performance.now();
    const release = await limit.acquire("one");
    calls.push({ at, waitedMs: performance.now() - at, isLetIn: release !== undefined });
    if (release !== undefined) setTimeout(release, workMs);
  };
  for (let count = 0; count < perSecond * seconds; count++) {
    void call();
    await vi.advanceTimersByTimeAsync(1000 / perSecond);
  }
  await vi.runAllTimersAsync();
  return calls;
}

const longest = (calls: Call[]) => Math.max(...calls.map(({ waitedMs }) => waitedMs));

test("lets in as many as there are places, the others in the order in which they came", async () => {
  const limit = new ConcurrencyLimit({ slots: 2 });
  const order: number[] = [];
  const releases: (Release | undefined)[] = [];
  for (let caller = 0; caller < 5; caller++) {
    void limit.acquire("one").then((release) => {
      order.push(caller);
      releases.push(release);
    });
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(order).toEqual([0, 1]);
  releases[1]?.();
  releases[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(order).toEqual([0, 1, 2]);
});

describe("answers that have begun", () => {
  test("take turns with those who want to be let in, and are never refused", async () => {
    const limit = new ConcurrencyLimit({ slots: 1, maxQueueLength: 3 });
    const held = limit.acquireNow("one");
    const order: string[] = [];
    const wait = (name: string, place: Promise<Release | undefined>) =>
      void place.then((release) => {
        order.push(release === undefined ? `${name} refused` : name);
        if (release !== undefined) setTimeout(release, 10);
      });
    for (let count = 0; count < 5; count++) wait("begun", limit.acquireForStream("one"));
    for (let count = 0; count < 4; count++) wait("new", limit.acquire("one"));
    await vi.advanceTimersByTimeAsync(0);
    held();
    await vi.runAllTimersAsync();
    expect(order).toEqual(["new refused", "new", "begun", "new", "begun", "new", "begun", "begun", "begun"]);
  });

  test("keep nobody from being let in, however many they are", async () => {
    const limit = new ConcurrencyLimit({ slots: 4 });
    const until = performance.now() + 10_000;
    const readOn = async () => {
      while (performance.now() < until) {
        const release = await limit.acquireForStream("one");
        await new Promise((resolve) => setTimeout(resolve, 10));
        release();
      }
    };
    const reading = Promise.all(Array.from({ length: 300 }, readOn));
    const calls = await load(limit, 100, 10, 10);
    await reading;
    expect(calls.filter(({ isLetIn }) => !isLetIn)).toEqual([]);
    expect(longest(calls)).toBeLessThan(50);
  });

  test("do not wait longer for a place than its holder can need it", async () => {
    const limit = new ConcurrencyLimit({ slots: 1, leaseMs: 1_000 });
    limit.acquireNow("one");
    const begun = limit.acquireForStream("one");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await begun).toBeTypeOf("function");
  });
});

describe("callers who share the slots", () => {
  /** Calls that wait, by caller; each is held for 10 ms. The order in which they get their slots, or are refused. */
  function waiting(limit: ConcurrencyLimit) {
    const order: string[] = [];
    return {
      order,
      wait(caller: string, calls = 1) {
        for (let count = 0; count < calls; count++) {
          void limit.acquire(caller).then((release) => {
            order.push(release === undefined ? `${caller} refused` : caller);
            if (release !== undefined) setTimeout(release, 10);
          });
        }
      },
    };
  }

  test("one with 200 waiting does not delay one who sends a single call: it is next", async () => {
    const limit = new ConcurrencyLimit({ slots: 4 });
    const { order, wait } = waiting(limit);
    wait("many", 204);
    await vi.advanceTimersByTimeAsync(5);
    wait("single");
    await vi.advanceTimersByTimeAsync(5);
    expect(order.slice(4, 8)).toEqual(["single", "many", "many", "many"]);
  });

  test("with a single slot take turns, whoever has more waiting", async () => {
    const limit = new ConcurrencyLimit({ slots: 1 });
    const { order, wait } = waiting(limit);
    wait("a", 5);
    wait("b", 2);
    wait("c");
    await vi.runAllTimersAsync();
    expect(order).toEqual(["a", "a", "b", "c", "a", "b", "a", "a"]);
  });

  test("hold equal parts while they wait, though the calls of one take longer", async () => {
    const limit = new ConcurrencyLimit({ slots: 8, maxWaitMs: 60_000, intervalMs: 60_000 });
    const under = new Map<string, number>([
      ["slow", 0],
      ["quick", 0],
    ]);
    const seen: string[] = [];
    const call = async (caller: string, workMs: number) => {
      const release = await limit.acquire(caller);
      under.set(caller, (under.get(caller) ?? 0) + 1);
      setTimeout(() => {
        under.set(caller, (under.get(caller) ?? 0) - 1);
        release?.();
      }, workMs);
    };
    for (let count = 0; count < 60; count++) void call("slow", 200);
    for (let count = 0; count < 900; count++) void call("quick", 10);
    await vi.advanceTimersByTimeAsync(405);
    for (let step = 0; step < 100; step++) {
      await vi.advanceTimersByTimeAsync(10);
      seen.push(`${under.get("slow")} ${under.get("quick")}`);
    }
    expect(new Set(seen)).toEqual(new Set(["4 4"]));
  });

  test("refuse in the full queue whoever has the most waiting, the latest first, not the newcomer", async () => {
    const limit = new ConcurrencyLimit({ slots: 1, maxQueueLength: 5 });
    const { order, wait } = waiting(limit);
    wait("many", 6);
    wait("new");
    wait("other", 2);
    wait("many");
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(["many", "many refused", "many refused", "many refused", "many refused"]);
    await vi.runAllTimersAsync();
    expect(order.slice(5)).toEqual(["many", "new", "other", "many", "other"]);
  });

  test("are refused at once behind their own late calls alone", async () => {
    const limit = new ConcurrencyLimit({ slots: 1, targetMs: 200, intervalMs: 100 });
    const { order, wait } = waiting(limit);
    const held = limit.acquireNow("one");
    const late = limit.acquire("one");
    wait("one", 2);
    await vi.advanceTimersByTimeAsync(201);
    held();
    const release = await late;
    await vi.advanceTimersByTimeAsync(100);
    wait("one");
    wait("newcomer");
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(["one refused"]);
    release?.();
    await vi.runAllTimersAsync();
    expect(order.slice(1).toSorted()).toEqual(["newcomer", "one refused", "one refused"]);
  });

  test("take turns with their later pages, too", async () => {
    const limit = new ConcurrencyLimit({ slots: 1 });
    const held = limit.acquireNow("many");
    const order: string[] = [];
    for (const caller of ["many", "many", "many", "single"]) {
      void limit.acquireForStream(caller).then((release) => {
        order.push(caller);
        setTimeout(release, 10);
      });
    }
    held();
    await vi.runAllTimersAsync();
    expect(order).toEqual(["many", "single", "many", "many"]);
  });
});

describe("beside other active callers", () => {
  const slots = 8;
  const newLimit = (options = {}) => new ConcurrencyLimit({ slots, sharedSlots: 2, ...options });

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
        await vi.runAllTimersAsync();
      },
    };
  }

  test("a caller has its part of the slots, and all of them again a second after the others' last call", async () => {
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

  test("an overload ends with it: who was refused among all slots' waiting is served in its part of them", async () => {
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

  test("two slots that nobody gives back keep nobody waiting for a lease: a call is served as its patience ends", async () => {
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

  test("a slot that nobody gives back does not put its caller behind all others", async () => {
    const limit = new ConcurrencyLimit({ slots: 4 });
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
    const limit = new ConcurrencyLimit({ slots: 32 });
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

  test("what waits there for longer than it may has gone with its Worker, and gets no slot", async () => {
    const clock = vi.spyOn(globalThis, "setTimeout").mockImplementation(() => 0 as never);
    const limit = new ConcurrencyLimit({ slots: 1, leaseMs: 3_000 });
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
      (await release)();
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

  test("two slots that nobody gives back keep their caller waiting for no longer than the longest wait", async () => {
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

  test("by default a part is a sixteenth of the slots, and at least two", async () => {
    for (const [all, part] of [
      [4, 2],
      [32, 2],
      [128, 8],
    ] as const) {
      const limit = new ConcurrencyLimit({ slots: all });
      const { under, calls, end } = flooding(limit);
      limit.noteAnswer("other");
      calls("many", 200);
      await vi.advanceTimersByTimeAsync(500);
      expect(under.get("many")).toBe(part);
      await end();
    }
  });
});

test("takes a burst whole", async () => {
  const limit = new ConcurrencyLimit({ slots: 4 });
  const calls = await load(limit, 100_000, 0.003, 10);
  expect(calls).toHaveLength(300);
  expect(calls.filter(({ isLetIn }) => !isLetIn)).toEqual([]);
});

describe("when twice as much is asked as can be done", () => {
  test("answers as much as can be done, soon, and refuses the rest soon; and nobody once it is over", async () => {
    const limit = new ConcurrencyLimit({ slots: 4 });
    const calls = await load(limit, 800, 10, 10);
    const settled = calls.filter(({ at }) => at - (calls[0]?.at ?? 0) > 3_000);
    const letIn = settled.filter(({ isLetIn }) => isLetIn);
    expect(letIn.length / 7).toBeGreaterThan(380);
    expect(longest(settled)).toBeLessThan(250);
    expect(longest(calls)).toBeLessThan(1_300);
    const calm = await load(limit, 200, 2, 10);
    expect(calm.filter(({ isLetIn }) => !isLetIn)).toEqual([]);
    expect(longest(calm)).toBe(0);
  });

  test("does so whatever a call costs", async () => {
    const calls = await load(new ConcurrencyLimit({ slots: 1 }), 20, 20, 100);
    const settled = calls.filter(({ at }) => at - (calls[0]?.at ?? 0) > 4_000);
    expect(settled.filter(({ isLetIn }) => isLetIn).length / 16).toBeGreaterThan(9);
    expect(longest(settled)).toBeLessThan(1_300);
  });
});

test("works off what gathered while nothing could be done for some seconds", async () => {
  const limit = new ConcurrencyLimit({ slots: 4, maxWaitMs: 5_000, intervalMs: 2_000 });
  const held = await Promise.all([
    limit.acquire("one"),
    limit.acquire("one"),
    limit.acquire("one"),
    limit.acquire("one"),
  ]);
  setTimeout(() => held.map((release) => release?.()), 3_000);
  const calls = await load(limit, 50, 4, 10);
  expect(calls.filter(({ isLetIn }) => !isLetIn)).toEqual([]);
});

test("refuses at once behind somebody who waits too long", async () => {
  const limit = new ConcurrencyLimit({ slots: 1 });
  const calls = await load(limit, 100, 10, 100);
  const refused = calls.filter(({ at, isLetIn }) => !isLetIn && at - (calls[0]?.at ?? 0) > 3_000);
  expect(refused.filter(({ waitedMs }) => waitedMs === 0).length).toBeGreaterThan(refused.length / 4);
  expect(longest(refused)).toBeLessThan(350);
});

test("refuses after its patience when no place comes back at all, and at once when too many wait", async () => {
  const limit = new ConcurrencyLimit({ slots: 1, maxWaitMs: 500, maxQueueLength: 3 });
  await limit.acquire("one");
  const answers = [0, 1, 2, 3].map(() => limit.acquire("one"));
  expect(await answers[3]).toBeUndefined();
  await vi.advanceTimersByTimeAsync(500);
  expect(await Promise.all(answers)).toEqual([undefined, undefined, undefined, undefined]);
});

test("takes back a place whose holder has gone", async () => {
  const limit = new ConcurrencyLimit({ slots: 1, leaseMs: 30_000 });
  await limit.acquire("one");
  await vi.advanceTimersByTimeAsync(30_001);
  expect(await limit.acquire("one")).toBeDefined();
});

test("gives a place that it takes back to whoever waits, not to a newcomer", async () => {
  const limit = new ConcurrencyLimit({ slots: 1, leaseMs: 30_000, maxWaitMs: 40_000 });
  await limit.acquire("one");
  await vi.advanceTimersByTimeAsync(1_000);
  const waiting = limit.acquire("one");
  await vi.advanceTimersByTimeAsync(29_001);
  const order: string[] = [];
  const note = (name: string, place: Promise<Release | undefined>) =>
    place.then((release) => {
      order.push(name);
      release?.();
    });
  const all = [note("newcomer", limit.acquire("one")), note("waiting", waiting)];
  await vi.runAllTimersAsync();
  await Promise.all(all);
  expect(order).toEqual(["waiting", "newcomer"]);
});

test("makes the rest of what was let in wait for nobody", async () => {
  const limit = new ConcurrencyLimit({ slots: 1 });
  const first = await limit.acquire("one");
  const second = limit.acquireNow("one");
  const waiting = limit.acquire("one");
  first?.();
  let isIn = false;
  void waiting.then(() => {
    isIn = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(isIn).toBe(false);
  second();
  expect(await waiting).toBeDefined();
});

test.each(["0", "1.5", "many", ""])("DATABASE_CONCURRENCY=%s is no limit", (value) => {
  expect(() => createEdgeLimit(() => value)).toThrow("whole number from 1");
});
