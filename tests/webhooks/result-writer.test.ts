import { expect, test } from "vitest";
import type { AttemptResult } from "../../functions/dispatch/attempt.ts";
import { ResultWriter } from "../../functions/dispatch/result-writer.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import { silentLog } from "../../shared/log/log.ts";

const result = (delivery_id: string) => ({ delivery_id }) as unknown as AttemptResult;

/** A database behind a network that loses the first calls. */
function losing(calls: number): { database: RpcClient; batches: string[][] } {
  const batches: string[][] = [];
  const database = {
    call: async (_name: string, { results }: { results: { delivery_id: string }[] }) => {
      batches.push(results.map(({ delivery_id }) => delivery_id));
      return batches.length > calls
        ? { ok: true, value: { warnings: [] } }
        : { ok: false, failure: { code: "", message: "the connection broke", details: null, hint: null } };
    },
  } as unknown as RpcClient;
  return { database, batches };
}

test("a result that cannot be written is tried three times, and then no more", async () => {
  const { database, batches } = losing(10);
  const writer = new ResultWriter(database, silentLog);
  writer.add(result("a"));
  await writer.flush();
  expect(batches).toEqual([["a"], ["a"], ["a"]]);
  expect(writer.isIdle).toBe(true);
});

test("results that come during a write go with the next, and those that failed go again", async () => {
  const { database, batches } = losing(1);
  const writer = new ResultWriter(database, silentLog);
  for (const id of ["a", "b", "c"]) writer.add(result(id));
  expect(writer.isIdle).toBe(false);
  await writer.flush();
  expect(batches).toEqual([["a"], ["b", "c", "a"]]);
});

test("one call writes at most 100 results", async () => {
  const { database, batches } = losing(0);
  const writer = new ResultWriter(database, silentLog);
  for (let index = 0; index < 202; index++) writer.add(result(String(index)));
  await writer.flush();
  expect(batches.map(({ length }) => length)).toEqual([1, 100, 100, 1]);
});

test("a result that comes as a write ends is written, though no other comes after it", async () => {
  for (let steps = 0; steps < 12; steps++) {
    const { database, batches } = losing(0);
    const writer = new ResultWriter(database, silentLog);
    writer.add(result("a"));
    for (let step = 0; step < steps; step++) await undefined;
    writer.add(result("b"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(batches.flat(), `after ${steps} steps`).toEqual(["a", "b"]);
    expect(writer.isIdle).toBe(true);
  }
});
