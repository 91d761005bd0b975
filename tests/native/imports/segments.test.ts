import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newSession } from "../../security/native/sessions.ts";

/** Sessions that write, one that seals, and one that reads. */
let writers: pg.Client[];
let sealer: pg.Client;
let reader: pg.Client;
const writerCount = 4;
beforeAll(async () => {
  [sealer, reader] = [await newSession(), await newSession()];
  writers = await Promise.all(Array.from({ length: writerCount }, newSession));
});
afterEach(async () => {
  for (const writer of writers) await writer.query("rollback");
  await reader.query("delete from funding.grants where source = 'segments'");
});
afterAll(() => Promise.all([sealer, reader, ...writers].map((session) => session?.end())));

const insert = (session: pg.Client, count = 1) =>
  session.query(
    `insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
     select gen_random_uuid(), 'Wombat ' || number, 'text', 'open', 'opportunity', (select id from funding.funders limit 1), now(), 'segments',
       gen_random_uuid()::text, ''
     from generate_series(1, $1) as number`,
    [count],
  );
const seal = async (): Promise<number> =>
  (await sealer.query("select funding.seal('grants', 1) as records")).rows[0].records;

/** Both totals of one moment: by the segments, and counted. The transactions that write are not in either. */
async function totals(): Promise<{ found: number; counted: number; search: number; matching: number }> {
  const { rows } = await reader.query(`
    select funding.bitmap_total('grants', '{}')::int as found,
           (select count(*)::int from funding.grants where classification = 'opportunity' and archived_at is null) as counted,
           funding.bitmap_total('grants', '{"search": "wombat"}')::int as search,
           (select count(*)::int from funding.grants where source = 'segments' and archived_at is null) as matching`);
  return rows[0];
}

async function expectTotals(): Promise<void> {
  const { found, counted, search, matching } = await totals();
  expect({ found, search }).toEqual({ found: counted, search: matching });
}

test("a record whose transaction ends after others were sealed is found", async () => {
  const [slow, quick, last] = writers as [pg.Client, pg.Client, pg.Client];
  while ((await seal()) > 0);
  await slow.query("begin");
  await insert(slow);
  // A writer waits for the one before it: this one's transaction is the last to commit, with a slot in between.
  const waiting = insert(quick, 5);
  expect(await seal()).toBe(0);
  await slow.query("commit");
  await waiting;
  await last.query("begin");
  await insert(last);
  await seal();
  await expectTotals();
  await last.query("commit");
  await expectTotals();
  await seal();
  await expectTotals();
  expect((await totals()).matching).toBe(7);
});

test("a record that another session has locked is not moved, and nobody waits for it", async () => {
  const [writer] = writers as [pg.Client];
  while ((await seal()) > 0);
  await insert(writer, 3);
  const { rows } = await reader.query(
    "select min(slot) as first, max(slot) as last from funding.grants where source = 'segments'",
  );
  const move = async () =>
    (await sealer.query("select funding.move_records('grants', $1, $2, 10) as moved", [rows[0].first, rows[0].last]))
      .rows[0].moved;
  await writer.query("begin");
  await writer.query("select from funding.grants where slot = $1 for update", [rows[0].first]);
  expect(await move()).toBe(2);
  await writer.query("rollback");
  await writer.query("begin");
  await writer.query("lock table funding.grants in share mode");
  expect(await move()).toBe(0);
  await writer.query("rollback");
  expect(await move()).toBe(1);
  await expectTotals();
});

test("while records come, change and go, and are sealed, merged and cleaned, every total is that of its moment", async () => {
  let isOver = false;
  let written = 0;
  const writing = writers.map(async (session, index) => {
    for (let turn = 0; !isOver; turn++) {
      await session.query("begin");
      await insert(session, 1 + ((turn * 7 + index) % 40));
      await session.query(
        `update funding.grants set deadline_date = current_date where id in (
           select id from funding.grants where source = 'segments' order by md5(id::text || $1) limit 20 for update skip locked)`,
        [String(turn)],
      );
      await session.query(
        `delete from funding.grants where id in (
           select id from funding.grants where source = 'segments' order by md5(id::text || $1) desc limit 15 for update skip locked)`,
        [String(turn)],
      );
      if (turn % 5 === 4) await session.query("rollback");
      else await session.query("commit");
      written += 1;
    }
  });
  let [sealed, cleaned, dropped] = [0, 0, 0];
  const sealing = (async () => {
    while (!isOver) {
      sealed += await seal();
      // Two transactions: moved records are visible to other sessions before they are sealed. It cleans while fewer than
      // 500 wait, as they do beside four writers.
      cleaned += (await sealer.query("select funding.clean_segments('grants', 500, 200) as moved")).rows[0].moved;
      await sealer.query("begin");
      dropped += (await sealer.query("select funding.drop_dead_segments('grants') as dropped")).rows[0].dropped;
      await sealer.query("select funding.merge_segments('grants', 200)");
      await sealer.query("commit");
    }
  })();
  // Until each of the three was done, however seldom the machine comes to it: the test's time ends it otherwise.
  for (let look = 0; look < 800 || Math.min(sealed, cleaned, dropped) === 0; look++) {
    await expectTotals().catch((error) => failures.push(error));
  }
  isOver = true;
  await Promise.all([...writing, sealing]);
  expect(failures.slice(0, 3)).toEqual([]);
  expect(written).toBeGreaterThan(writerCount);
  await expectTotals();
});
const failures: unknown[] = [];
