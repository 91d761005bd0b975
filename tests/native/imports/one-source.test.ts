import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acquireSourceLock, heartbeat, SourceBusyError } from "../../../cli/import/source-lock.ts";
import { databaseUrl, newSession } from "../../security/native/sessions.ts";

/** Two imports of one source at once. */

let first: pg.Client;
let second: pg.Client;
let watcher: pg.Client;
beforeAll(async () => {
  [first, second, watcher] = (await Promise.all([newSession(), newSession(), newSession()])) as [
    pg.Client,
    pg.Client,
    pg.Client,
  ];
});
afterAll(async () => {
  for (const table of ["grants", "funder_codes", "funders"]) {
    await watcher.query(`delete from funding.${table} where source = 'one-source'`);
  }
  await Promise.all([first, second, watcher].map((session) => session.end()));
});

const load = (session: pg.Client, record: object) =>
  session.query("select funding.upsert_records('grants', $1::jsonb)", [
    JSON.stringify([{ source: "one-source", source_id: "1", ...record }]),
  ]);

const wholeRecord = {
  title: "Water",
  description: "Clean water",
  amount_min: null,
  amount_max: null,
  deadline_date: "2027-07-01",
  project_end_date: null,
  status: "posted",
  classification: "opportunity",
  states: [],
  is_national: true,
  geography: null,
  funder_name: "One Source Office",
  funder_source_id: null,
  listing_url: null,
  created_at: "2026-06-01T00:00:00Z",
  archived_at: null,
  categories: [],
  identifiers: [],
};

test("a part of a record that waits for the whole is merged with what it waited for", async () => {
  await load(watcher, wholeRecord);
  await first.query("begin");
  await load(first, { ...wholeRecord, title: "Water and soil", description: "Clean water, good soil" });
  const waiting = load(second, { deadline_date: "2027-08-01" });
  const pid = (second as pg.Client & { processID: number }).processID;
  await expect
    .poll(
      async () => (await watcher.query("select cardinality(pg_blocking_pids($1)) as blocking", [pid])).rows[0].blocking,
    )
    .toBe(1);
  await first.query("commit");
  await waiting;
  const { rows } = await watcher.query(
    "select title, description, deadline_date::text as deadline from funding.grants where source = 'one-source'",
  );
  expect(rows).toEqual([{ title: "Water and soil", description: "Clean water, good soil", deadline: "2027-08-01" }]);
  const { rows: changes } = await watcher.query(
    `select previous from funding.record_changes join funding.grants on grants.id = record_id
     where source = 'one-source' order by record_changes.id desc limit 1`,
  );
  expect(changes).toMatchObject([{ previous: { deadline_date: "2027-07-01" } }]);
});

test("imports of one source take turns, and those of others do not wait", async () => {
  const options = { databaseUrl: databaseUrl() };
  const endFirst = await acquireSourceLock("one-source", options);
  await (await acquireSourceLock("another-source", options))();
  await expect(acquireSourceLock("one-source", { ...options, maxWaitMs: 0 })).rejects.toThrow(SourceBusyError);
  let waits = 0;
  const waiting = acquireSourceLock("one-source", { ...options, onWait: () => waits++ });
  await expect.poll(() => waits).toBe(1);
  await endFirst();
  await (await waiting)();
  const { rows } = await watcher.query("select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted");
  expect(rows).toEqual([]);
});

test("a turn ends with its import's connection, however that ends", async () => {
  await acquireSourceLock("one-source", { databaseUrl: databaseUrl() });
  const { rowCount } = await watcher.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
       and (classid::bigint << 32) + objid::bigint = hashtextextended('import of one-source', 0)`,
  );
  expect(rowCount).toBe(1);
  await (await acquireSourceLock("one-source", { databaseUrl: databaseUrl() }))();
});

// Regression: a refit hung for as long as the soak ran.
test("what keeps the lock alive takes no snapshot, for whose end the indexes of the import's own refit would wait", async () => {
  const hasSnapshot = async (statement: string) => {
    // At this level a snapshot is kept, so that it can be seen.
    await first.query("begin isolation level repeatable read");
    await first.query(statement);
    const { rows } = await watcher.query(
      "select backend_xmin is not null as has_snapshot from pg_stat_activity where pid = $1",
      [(first as unknown as { processID: number }).processID],
    );
    await first.query("rollback");
    return rows[0].has_snapshot;
  };
  expect(await hasSnapshot("select 1")).toBe(true);
  expect(await hasSnapshot(heartbeat)).toBe(false);
});
