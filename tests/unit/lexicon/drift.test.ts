import { afterAll, beforeAll, expect, test } from "vitest";
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
  (
    await queryOne<{ drift: { changed_share: number; unknown_share: number } }>(
      connection,
      "select funding.lexicon_drift() as drift",
    )
  ).drift;

const change = (assignment: string, number: number) =>
  connection.query(
    `update funding.grants set ${assignment} where id in (select id from funding.grants order by posting_number limit $1)`,
    [number],
  );

test("what the lexicon did not know at its fit is measured on its records, wherever their slots are", async () => {
  await connection.execute("begin");
  // Of the words that only grants say, the lexicon knows none.
  await connection.execute(`
    update funding.lexicon set vector = null
    where term in (select unnest(tsvector_to_array(document)) from funding.grants) and term not in (
      select unnest(tsvector_to_array(document)) from funding.contracts union
      select unnest(tsvector_to_array(document)) from funding.funders)`);
  // Every other slot is nobody's, as after many changes.
  await connection.execute("delete from funding.contracts; delete from funding.grants where posting_number % 2 = 1");
  await change("amount_max = coalesce(amount_max, amount_min, 0) + 1", 100);
  expect((await drift()).unknown_share).toBeLessThan(0.1);
  await connection.execute("rollback");
});

test("what the lexicon does not know is measured over all that changed, not over the newest alone", async () => {
  expect(await drift()).toMatchObject({ changed_share: 0, unknown_share: 0 });
  // Slots are given out in order: these are the older half of what changes.
  await change("amount_max = coalesce(amount_max, amount_min, 0) + 1", 350);
  const same = await drift();
  expect(same.changed_share).toBeGreaterThan(0.3);
  expect(same.unknown_share).toBeLessThan(0.02);
  expect(await isLexiconStale(connection)).toBe(false);
  // A fit of version 1.1 is made again, whatever has changed.
  await connection.query("update funding.lexicon_fit set has_singular_order = false");
  expect(await isLexiconStale(connection)).toBe(true);
  await connection.query("update funding.lexicon_fit set has_singular_order = true");
  await change("title = 'Zorblax quundle', description = 'Frobnitz wibblewok snarfle grommish'", 350);
  const half = await drift();
  expect(half.changed_share).toBeGreaterThan(0.6);
  expect(half.unknown_share).toBeGreaterThan(0.15);
  expect(half.unknown_share).toBeLessThan(0.6);
  expect(await isLexiconStale(connection)).toBe(true);
});
