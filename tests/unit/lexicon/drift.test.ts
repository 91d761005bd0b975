import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { isLexiconStale } from "../../../database/lexicon/staleness.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { openTestDatabase } from "../../support/service.ts";

let connection: Connection;
beforeAll(async () => {
  connection = pgliteConnection(await openTestDatabase());
});
afterAll(() => connection.close());

const drift = async () =>
  (await queryOne<{ drift: number }>(connection, "select funding.lexicon_drift() as drift")).drift;

/** Changes so many records of a dataset, the same ones each time. */
const change = (dataset: string, number: number) =>
  connection.query(
    `update funding.${dataset} set source = source || 'x' where id in (select id from funding.${dataset} order by id limit $1)`,
    [number],
  );

const countOf = async (dataset: string) =>
  (await queryOne<{ count: number }>(connection, `select count(*)::int as count from funding.${dataset}`)).count;

beforeEach(() => connection.execute("begin"));
afterEach(() => connection.execute("rollback"));

test("a tenth of one dataset's records makes a fit stale, however many the others have", async () => {
  expect(await drift()).toBe(0);
  const contracts = await countOf("contracts");
  await change("contracts", Math.floor(contracts / 10));
  expect(await drift()).toBeLessThanOrEqual(0.1);
  expect(await isLexiconStale(connection)).toBe(false);
  await change("contracts", Math.floor(contracts / 10) + 1);
  expect(await isLexiconStale(connection)).toBe(true);
});

test("a dataset with few records makes none stale by a few changes", async () => {
  await connection.execute("delete from funding.contracts where id not in (select id from funding.contracts limit 3)");
  await change("contracts", 1);
  expect(await drift()).toBeLessThan(0.1);
  expect(await isLexiconStale(connection)).toBe(false);
});

test("a fit of version 1.1 is made again, whatever has changed", async () => {
  await connection.query("update funding.lexicon_fit set has_singular_order = false");
  expect(await isLexiconStale(connection)).toBe(true);
});
