import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "./sessions.ts";

let forgotten: pg.Client;
let observer: pg.Client;
beforeAll(async () => {
  [forgotten, observer] = await Promise.all([newSession(), newSession()]);
});
afterAll(() => Promise.all([forgotten.end(), observer.end()]));

async function oldestSeconds(): Promise<number> {
  const { rows } = await observer.query(
    "select public.get_metrics()->'database'->>'oldest_transaction_seconds' as age",
  );
  return Number(rows[0].age);
}

test("a transaction that somebody leaves open shows in the metrics", async () => {
  await forgotten.query("begin isolation level repeatable read");
  // With its first snapshot, which keeps vacuum from removing what is replaced from now on.
  await forgotten.query("select pg_sleep(1.2)");
  expect(await oldestSeconds()).toBeGreaterThan(1);
  await forgotten.query("rollback");
  // The session is idle then, however long it stays connected.
  await expect.poll(oldestSeconds, { timeout: 20_000 }).toBeLessThan(1);
});

test("a transaction without a snapshot and without changes does not", async () => {
  await forgotten.query("begin");
  await forgotten.query("select pg_sleep(1.2)");
  await expect.poll(oldestSeconds, { timeout: 20_000 }).toBeLessThan(1);
  await forgotten.query("rollback");
});
