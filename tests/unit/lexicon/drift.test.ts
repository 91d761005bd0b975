import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { isLexiconStale } from "../../../lexicon/staleness.ts";
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
