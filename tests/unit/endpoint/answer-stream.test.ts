import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RpcClient } from "../../../shared/database/rpc.ts";
import { AnswerStream, maxReadPauseMs } from "../../../shared/endpoint/answer-stream.ts";
import { StreamLimit } from "../../../shared/overload/stream-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream on the only place of its caller, and what it did. */
function openStream() {
  const limit = new StreamLimit(1);
  const place = limit.open("one");
  if (typeof place === "string") throw new Error(place);
  const warnings: string[] = [];
  let signal: AbortSignal | undefined;
  const stream = new AnswerStream(
    place,
    (given) => {
      signal = given;
      return {} as RpcClient;
    },
    (warning) => void warnings.push(warning),
  );
  const hasPlace = () => {
    const other = limit.open("one");
    if (typeof other === "string") return true;
    other.close();
    return false;
  };
  return { stream, warnings, hasPlace, isGivenUp: () => signal?.aborted };
}

/** Parts of a text, and the last event: how many were made, or that it was ended. */
function parts(count: number, waitMs = 0) {
  const made: (number | "ended")[] = [];
  async function* text() {
    try {
      for (let part = 1; part <= count; part++) {
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
        made.push(part);
        yield `part ${part}`;
      }
    } finally {
      made.push("ended");
    }
  }
  return { text: text(), made };
}

/** The next part's text; undefined at the end. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string | undefined> {
  const { value } = await reader.read();
  return value && new TextDecoder().decode(value);
}

test("makes no part before it is asked for, and gives its place back at the end", async () => {
  const { stream, hasPlace, warnings } = openStream();
  const { text, made } = parts(2);
  const reader = stream.send(text).getReader();
  await vi.advanceTimersByTimeAsync(10);
  expect(made).toEqual([]);
  expect(await read(reader)).toBe("part 1");
  await vi.advanceTimersByTimeAsync(10);
  expect(made).toEqual([1]);
  expect(await read(reader)).toBe("part 2");
  expect(hasPlace()).toBe(true);
  expect(await read(reader)).toBeUndefined();
  expect([hasPlace(), warnings]).toEqual([false, []]);
  expect(vi.getTimerCount()).toBe(0);
});

describe("a client that does not read on", () => {
  test("ends it after a minute, and the rest is dropped", async () => {
    const { stream, hasPlace, warnings } = openStream();
    const { text, made } = parts(3);
    const reader = stream.send(text).getReader();
    await read(reader);
    await vi.advanceTimersByTimeAsync(maxReadPauseMs - 1);
    expect([made, hasPlace()]).toEqual([[1], true]);
    await vi.advanceTimersByTimeAsync(1);
    expect([made, hasPlace()]).toEqual([[1, "ended"], false]);
    expect(warnings).toEqual([expect.stringContaining("its client has not read for 60 s")]);
    await expect(reader.read()).rejects.toThrow("has not read for 60 s");
  });

  test("ends it though it has read nothing at all", async () => {
    const { stream, hasPlace } = openStream();
    const { text, made } = parts(3);
    stream.send(text);
    await vi.advanceTimersByTimeAsync(maxReadPauseMs);
    expect([made, hasPlace()]).toEqual([[], false]);
  });

  test("does not end it while it takes less than a minute for each part", async () => {
    const { stream, hasPlace, warnings } = openStream();
    const reader = stream.send(parts(5).text).getReader();
    for (let part = 1; part <= 5; part++) {
      await vi.advanceTimersByTimeAsync(maxReadPauseMs - 1_000);
      expect(await read(reader)).toBe(`part ${part}`);
      expect(hasPlace()).toBe(true);
    }
    expect(await read(reader)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test("is not one that waits for a part which takes long, and keeps its place", async () => {
    const { stream, hasPlace, warnings } = openStream();
    const reader = stream.send(parts(1, 2 * maxReadPauseMs).text).getReader();
    const first = read(reader);
    await vi.advanceTimersByTimeAsync(2 * maxReadPauseMs - 1);
    expect(hasPlace()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect([await first, warnings]).toEqual(["part 1", []]);
  });
});

test("a client that leaves ends it: waits are given up, and the place is free", async () => {
  const { stream, hasPlace, isGivenUp, warnings } = openStream();
  const { text, made } = parts(3);
  const reader = stream.send(text).getReader();
  await read(reader);
  await reader.cancel();
  expect([made, hasPlace(), isGivenUp(), warnings]).toEqual([[1, "ended"], false, true, []]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a client that leaves while a part is made keeps the place until that has ended", async () => {
  const { stream, hasPlace, warnings } = openStream();
  const { text, made } = parts(3, 1_000);
  const reader = stream.send(text).getReader();
  const first = read(reader);
  await vi.advanceTimersByTimeAsync(1);
  const cancelled = reader.cancel();
  expect(await first).toBeUndefined();
  await vi.advanceTimersByTimeAsync(998);
  expect(hasPlace()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  await cancelled;
  expect([made, hasPlace(), warnings]).toEqual([[1, "ended"], false, []]);
});

test("an error in the middle ends it", async () => {
  const { stream, hasPlace } = openStream();
  async function* text() {
    yield "part 1";
    throw stream.breakOff("the database is away");
  }
  const reader = stream.send(text()).getReader();
  expect(await read(reader)).toBe("part 1");
  await expect(reader.read()).rejects.toThrow("the database is away");
  expect(hasPlace()).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test("one that is never sent gives its place back when it is closed", async () => {
  const { stream, hasPlace } = openStream();
  expect([stream.isSent, hasPlace()]).toEqual([false, true]);
  await stream.close();
  expect(hasPlace()).toBe(false);
});
