import { afterAll, beforeAll, expect, test } from "vitest";
import { openPGlite } from "../../../database/pglite.ts";
import { DatabaseFault } from "../../../database/pglite-faults.ts";

let database: Awaited<ReturnType<typeof openPGlite>>;
const faults: DatabaseFault[] = [];
beforeAll(async () => {
  database = await openPGlite(undefined, (fault) => faults.push(fault));
});
afterAll(() => database.close());

const one = async () => (await database.query("select 1 as one")).rows;

// Regression: the first statement seemed to do nothing, and the next one never ended.
test.each([
  "copy (select 1) to program 'cat'",
  "copy pg_class from program 'cat'",
  "do $$ begin create temporary table lines (line text); copy lines from program 'ls'; end $$",
])("a statement that would start a program fails, and the next one is answered: %s", async (statement) => {
  await expect(database.query(statement)).rejects.toThrow("could not execute command");
  expect(await one()).toEqual([{ one: 1 }]);
});

test("a statement that fails is no fault", async () => {
  await expect(database.query("select 1 / 0")).rejects.toThrow("division by zero");
  await expect(database.transaction((transaction) => transaction.query("select nothing"))).rejects.toThrow("nothing");
  expect(await one()).toEqual([{ one: 1 }]);
  expect(faults).toEqual([]);
});

// Regression: Postgres was called again and again after whatever it threw, for ever.
test("a statement within which Postgres ends fails, is told at once, and so does each later one", async () => {
  const deep = "select repeat('(', 100000) ~ repeat('(', 100000)";
  await expect(database.query(deep)).rejects.toThrow(DatabaseFault);
  expect(faults).toHaveLength(1);
  expect(faults[0]?.message).toMatch(/^Postgres ended within a statement: RangeError/);
  await expect(one()).rejects.toBe(faults[0]);
  await expect(database.transaction(async () => 1)).rejects.toThrow(DatabaseFault);
});
