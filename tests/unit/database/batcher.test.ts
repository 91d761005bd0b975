import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Batcher } from "../../../shared/database/batcher.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A batcher whose batches end when the test says so. */
function held(options = {}) {
  const sent: { items: number[]; end(): void; fail(error: Error): void }[] = [];
  const batcher = new Batcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        sent.push({ items, end: () => resolve(items.map((item) => `answer ${item}`)), fail: reject });
      }),
    { atOnce: 2, size: 4, slowMs: 10, ...options },
  );
  return {
    sent,
    ask: (...items: number[]) => items.map((item) => batcher.ask(item)),
    batches: () => sent.map(({ items }) => items),
  };
}

/** Lets what is settled be told. */
const settle = () => vi.advanceTimersByTimeAsync(0);

test("what has no company goes at once, by itself", async () => {
  const { sent, ask, batches } = held();
  for (const item of [1, 2, 3]) {
    const [answer] = ask(item);
    expect(batches()[item - 1]).toEqual([item]);
    sent[item - 1]?.end();
    expect(await answer).toBe(`answer ${item}`);
  }
});

test("what comes while enough is under way goes together, and has its own answer", async () => {
  const { sent, ask, batches } = held();
  const answers = ask(1, 2, 3, 4, 5);
  expect(batches()).toEqual([[1], [2]]);
  sent[1]?.end();
  await settle();
  expect(batches()).toEqual([[1], [2], [3, 4, 5]]);
  answers.push(...ask(6));
  sent[0]?.end();
  await settle();
  expect(batches(), "while three are under way, the next gathers").toHaveLength(3);
  sent[2]?.end();
  await settle();
  expect(batches()[3]).toEqual([6]);
  sent[3]?.end();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6].map((item) => `answer ${item}`));
});

test("a batch has as many items as it may, and the others go next, in their order", async () => {
  const { sent, ask, batches } = held({ atOnce: 1 });
  void ask(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  for (let batch = 0; batch < 4; batch++) {
    sent[batch]?.end();
    await settle();
  }
  expect(batches()).toEqual([[1], [2, 3, 4, 5], [6, 7, 8, 9], [10]]);
});

test("a batch that takes long holds nobody back, and its end lets nobody go twice", async () => {
  const { sent, ask, batches } = held({ atOnce: 1 });
  const [slow] = ask(1);
  void ask(2, 3);
  await vi.advanceTimersByTimeAsync(9);
  expect(batches()).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(batches()).toEqual([[1], [2, 3]]);
  void ask(4);
  sent[0]?.end();
  expect(await slow).toBe("answer 1");
  expect(batches(), "two are under way").toHaveLength(2);
  sent[1]?.end();
  await settle();
  expect(batches()[2]).toEqual([4]);
  expect(vi.getTimerCount(), "only the batch under way has a timer").toBe(1);
});

describe("when a batch fails", () => {
  test("all of it are told, and nobody else", async () => {
    const { sent, ask, batches } = held({ atOnce: 1 });
    const [first, ...together] = ask(1, 2, 3);
    sent[0]?.end();
    await first;
    const [next] = ask(4);
    const told = Promise.allSettled(together);
    sent[1]?.fail(new Error("the connection is gone"));
    expect((await told).map((result) => result.status === "rejected" && String(result.reason))).toEqual(
      Array(2).fill("Error: the connection is gone"),
    );
    expect(batches()[2]).toEqual([4]);
    sent[2]?.end();
    expect(await next).toBe("answer 4");
  });

  test("nobody gets another's answer where there are too few of them", async () => {
    const batcher = new Batcher<number, string>(async (items) => items.slice(1).map(String), {
      atOnce: 1,
      size: 4,
      slowMs: 10,
    });
    await expect(batcher.ask(1)).rejects.toThrow("1 were asked, 0 answered");
  });
});
