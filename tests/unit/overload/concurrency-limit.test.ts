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
  // Long enough for whatever is left. All timers would be too many where another file of this process has left one that comes again.
  await vi.advanceTimersByTimeAsync(60_000);
  return calls;
}

const longest = (calls: Call[]) => Math.max(...calls.map(({ waitedMs }) => waitedMs));

test("lets in as many as there are places, the others in the order in which they came", async () => {
  const limit = new ConcurrencyLimit({ permits: 2 });
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

test("with a delay before a release, who comes meanwhile is before the next call of the same caller", async () => {
  let endDelay = () => {};
  const beforeRelease = () => new Promise<void>((resolve) => (endDelay = resolve));
  const limit = new ConcurrencyLimit({ permits: 2, sharedPermits: 1, beforeRelease });
  limit.noteAnswer("single");
  const order: string[] = [];
  const ask = (caller: string) => void limit.acquire(caller).then(() => order.push(caller));
  const release = await limit.acquire("busy");
  ask("busy");
  release?.();
  ask("single");
  await vi.advanceTimersByTimeAsync(0);
  expect(order).toEqual(["single"]);
  endDelay();
  await vi.advanceTimersByTimeAsync(0);
  expect(order).toEqual(["single", "busy"]);
});

describe("answers that have begun", () => {
  test("take turns with those who want to be let in, and are never refused", async () => {
    const limit = new ConcurrencyLimit({ permits: 1, maxQueueLength: 3 });
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
    await vi.advanceTimersByTimeAsync(60_000);
    expect(order).toEqual(["new refused", "new", "begun", "new", "begun", "new", "begun", "begun", "begun"]);
  });

  test("keep nobody from being let in, however many they are", async () => {
    const limit = new ConcurrencyLimit({ permits: 4 });
    const until = performance.now() + 10_000;
    const readOn = async () => {
      while (performance.now() < until) {
        const release = await limit.acquireForStream("one");
        await new Promise((resolve) => setTimeout(resolve, 10));
        release?.();
      }
    };
    const reading = Promise.all(Array.from({ length: 300 }, readOn));
    const calls = await load(limit, 100, 10, 10);
    await reading;
    expect(calls.filter(({ isLetIn }) => !isLetIn)).toEqual([]);
    expect(longest(calls)).toBeLessThan(50);
  });

  test("do not wait longer for a place than its holder can need it", async () => {
    const limit = new ConcurrencyLimit({ permits: 1, leaseMs: 1_000 });
    limit.acquireNow("one");
    const begun = limit.acquireForStream("one");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await begun).toBeTypeOf("function");
  });

  test("never go over the limit, however long so many that are read on at once wait, nor keep another caller out", async () => {
    const limit = new ConcurrencyLimit({ permits: 2 });
    let under = 0;
    let most = 0;
    let served = 0;
    const readOn = async () => {
      const release = await limit.acquireForStream("many");
      if (release === undefined) return;
      served += 1;
      most = Math.max(most, ++under);
      await new Promise((resolve) => setTimeout(resolve, 500));
      under -= 1;
      release();
    };
    const reading = Promise.all(Array.from({ length: 240 }, readOn));
    // For 40 s, past the end of the leases that the permits had when the first parts came.
    const waits: number[] = [];
    for (let count = 0; count < 40; count++) {
      const before = performance.now();
      const release = limit.acquire("other").then((release) => {
        waits.push(release === undefined ? Number.POSITIVE_INFINITY : performance.now() - before);
        setTimeout(() => release?.(), 10);
      });
      await vi.advanceTimersByTimeAsync(1_000);
      await release;
    }
    expect(most).toBe(2);
    expect(Math.max(...waits)).toBeLessThanOrEqual(500);
    await vi.advanceTimersByTimeAsync(30_000);
    await reading;
    expect([most, served]).toEqual([2, 240]);
  });

  test("share the permits that nobody gives back as their leases end, and not all at once", async () => {
    const limit = new ConcurrencyLimit({ permits: 2, leaseMs: 30_000 });
    limit.acquireNow("gone");
    limit.acquireNow("gone");
    const times: number[] = [];
    const begun = performance.now();
    for (let part = 0; part < 6; part++) {
      void limit.acquireForStream("one").then(() => times.push(performance.now() - begun));
    }
    await vi.advanceTimersByTimeAsync(100_000);
    expect(times).toEqual([30_000, 30_000, 60_000, 60_000, 90_000, 90_000]);
  });

  test("leave the queue when their answer is given up", async () => {
    const limit = new ConcurrencyLimit({ permits: 1 });
    const held = limit.acquireNow("one");
    const answer = new AbortController();
    const begun = limit.acquireForStream("one", answer.signal);
    const other = limit.acquireForStream("one");
    answer.abort();
    expect(await begun).toBeUndefined();
    expect(await limit.acquireForStream("one", answer.signal)).toBeUndefined();
    held();
    expect(await other).toBeTypeOf("function");
  });

  test("get no permit when the longest wait is over, and leave the queue", async () => {
    const limit = new ConcurrencyLimit({ permits: 1, maxPartWaitMs: 5_000 });
    const held = limit.acquireNow("one");
    const begun = limit.acquireForStream("one");
    let isOver = false;
    void begun.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(4_990);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    expect(await begun).toBeUndefined();
    held();
    const call = limit.acquire("one");
    expect(await call).toBeTypeOf("function");
  });
});

describe("callers who share the permits", () => {
  /** Calls that wait, by caller; each is held for 10 ms. The order in which they get their permits, or are refused. */
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
    const limit = new ConcurrencyLimit({ permits: 4 });
    const { order, wait } = waiting(limit);
    wait("many", 204);
    await vi.advanceTimersByTimeAsync(5);
    wait("single");
    await vi.advanceTimersByTimeAsync(5);
    expect(order.slice(4, 8)).toEqual(["single", "many", "many", "many"]);
  });

  test("with a single permit take turns, whoever has more waiting", async () => {
    const limit = new ConcurrencyLimit({ permits: 1 });
    const { order, wait } = waiting(limit);
    wait("a", 5);
    wait("b", 2);
    wait("c");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(order).toEqual(["a", "a", "b", "c", "a", "b", "a", "a"]);
  });

  test("hold equal parts while they wait, though the calls of one take longer", async () => {
    const limit = new ConcurrencyLimit({ permits: 8, maxWaitMs: 60_000, intervalMs: 60_000 });
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
    const limit = new ConcurrencyLimit({ permits: 1, maxQueueLength: 5 });
    const { order, wait } = waiting(limit);
    wait("many", 6);
    wait("new");
    wait("other", 2);
    wait("many");
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(["many", "many refused", "many refused", "many refused", "many refused"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(order.slice(5)).toEqual(["many", "new", "other", "many", "other"]);
  });

  test("are refused at once behind their own late calls alone", async () => {
    const limit = new ConcurrencyLimit({ permits: 1, targetMs: 200, intervalMs: 100 });
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
    await vi.advanceTimersByTimeAsync(60_000);
    expect(order.slice(1).toSorted()).toEqual(["newcomer", "one refused", "one refused"]);
  });

  test("take turns with their later pages, too", async () => {
    const limit = new ConcurrencyLimit({ permits: 1 });
    const held = limit.acquireNow("many");
    const order: string[] = [];
    for (const caller of ["many", "many", "many", "single"]) {
      void limit.acquireForStream(caller).then((release) => {
        order.push(caller);
        setTimeout(() => release?.(), 10);
      });
    }
    held();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(order).toEqual(["many", "single", "many", "many"]);
  });
});

test("takes a burst whole", async () => {
  const limit = new ConcurrencyLimit({ permits: 4 });
  const calls = await load(limit, 100_000, 0.003, 10);
  expect(calls).toHaveLength(300);
  expect(calls.filter(({ isLetIn }) => !isLetIn)).toEqual([]);
});

describe("when twice as much is asked as can be done", () => {
  test("answers as much as can be done, soon, and refuses the rest soon; and nobody once it is over", async () => {
    const limit = new ConcurrencyLimit({ permits: 4 });
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
    const calls = await load(new ConcurrencyLimit({ permits: 1 }), 20, 20, 100);
    const settled = calls.filter(({ at }) => at - (calls[0]?.at ?? 0) > 4_000);
    expect(settled.filter(({ isLetIn }) => isLetIn).length / 16).toBeGreaterThan(9);
    expect(longest(settled)).toBeLessThan(1_300);
  });
});

test("works off what gathered while nothing could be done for some seconds", async () => {
  const limit = new ConcurrencyLimit({ permits: 4, maxWaitMs: 5_000, intervalMs: 2_000 });
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
  const limit = new ConcurrencyLimit({ permits: 1 });
  const calls = await load(limit, 100, 10, 100);
  const refused = calls.filter(({ at, isLetIn }) => !isLetIn && at - (calls[0]?.at ?? 0) > 3_000);
  expect(refused.filter(({ waitedMs }) => waitedMs === 0).length).toBeGreaterThan(refused.length / 4);
  expect(longest(refused)).toBeLessThan(350);
});

test("refuses after its patience when no place comes back at all, and at once when too many wait", async () => {
  const limit = new ConcurrencyLimit({ permits: 1, maxWaitMs: 500, maxQueueLength: 3 });
  await limit.acquire("one");
  const answers = [0, 1, 2, 3].map(() => limit.acquire("one"));
  expect(await answers[3]).toBeUndefined();
  await vi.advanceTimersByTimeAsync(500);
  expect(await Promise.all(answers)).toEqual([undefined, undefined, undefined, undefined]);
});

test("takes back a place whose holder has gone", async () => {
  const limit = new ConcurrencyLimit({ permits: 1, leaseMs: 30_000 });
  await limit.acquire("one");
  await vi.advanceTimersByTimeAsync(30_001);
  expect(await limit.acquire("one")).toBeDefined();
});

test("gives a place that it takes back to whoever waits, not to a newcomer", async () => {
  const limit = new ConcurrencyLimit({ permits: 1, leaseMs: 30_000, maxWaitMs: 40_000 });
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
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(all);
  expect(order).toEqual(["waiting", "newcomer"]);
});

test("makes the rest of what was let in wait for nobody", async () => {
  const limit = new ConcurrencyLimit({ permits: 1 });
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

test.each([
  ["1", 1],
  ["8", 8],
  [undefined, 32],
])("DATABASE_CONCURRENCY=%s lets in %i calls at a time", async (value, permits) => {
  const limit = createEdgeLimit((name) => (name === "DATABASE_CONCURRENCY" ? value : undefined));
  let letIn = 0;
  for (let call = 0; call < 40; call++) {
    void limit.acquire("one").then((release) => {
      if (release !== undefined) letIn += 1;
    });
  }
  await vi.advanceTimersByTimeAsync(1);
  expect(letIn).toBe(permits);
  await vi.advanceTimersByTimeAsync(60_000);
});
