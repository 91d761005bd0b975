import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { runAutovacuum, startAutovacuum } from "../../../local/embedded/autovacuum.ts";
import { SessionLock } from "../../../local/embedded/session.ts";
import { silentLog } from "../../../shared/log/log.ts";
import { openEmptyDatabase } from "../../support/service.ts";

let connection: Connection;
let lock: SessionLock;
beforeEach(async () => {
  const database = await openEmptyDatabase();
  connection = pgliteConnection(database);
  lock = new SessionLock(database);
});
afterEach(() => connection.close());

/** Rows that come, and go by retention. */
async function passADay(day: number) {
  await connection.query(
    "insert into funding.stripe_events (id, received_at) select $1 || '-' || number, now() from generate_series(1, 5000) as number",
    [day],
  );
  await connection.query("delete from funding.stripe_events where not starts_with(id, $1)", [`${day}-`]);
}

const size = async () =>
  (
    await queryOne<{ size: number }>(
      connection,
      "select pg_total_relation_size('funding.stripe_events')::integer as size",
    )
  ).size;

const analyzedTables = async () =>
  (
    await connection.query<{ name: string }>(
      "select relname as name from pg_stat_user_tables where schemaname = 'funding' and last_analyze is not null",
    )
  ).map(({ name }) => name);

test("a table whose rows come and go hardly grows from the second day to the tenth", async () => {
  const sizes: number[] = [];
  for (let day = 1; day <= 10; day++) {
    await passADay(day);
    await runAutovacuum(lock);
    sizes.push(await size());
  }
  // Without it, to 4.7 times.
  expect(Number(sizes[9]) / Number(sizes[1])).toBeLessThan(1.5);
});

test("a plan that was made while a table was small is made anew once the table has grown", async () => {
  const sequentialScans = async () => {
    await connection.execute("select pg_stat_force_next_flush()");
    const { scans } = await queryOne<{ scans: number }>(
      connection,
      `select seq_scan::integer as scans from pg_stat_user_tables where relid = 'funding.stripe_events'::regclass`,
    );
    return scans;
  };
  /** Scans of a lookup by id through a plan that is cached. */
  const scansOfLookup = async () => {
    const before = await sequentialScans();
    await connection.execute("select funding.test_lookup('7-7')");
    return (await sequentialScans()) - before;
  };
  await connection.execute(`create function funding.test_lookup(wanted text) returns text language plpgsql set plan_cache_mode = force_generic_plan as
    $$ begin return (select received_at from funding.stripe_events where id = wanted); end $$`);
  await connection.execute("vacuum analyze funding.stripe_events");
  await scansOfLookup();
  await passADay(7);
  expect(await scansOfLookup()).toBe(1);
  await runAutovacuum(lock);
  expect(await scansOfLookup()).toBe(0);
});

test("it leaves alone a table that has hardly changed", async () => {
  await passADay(1);
  await runAutovacuum(lock);
  expect(await analyzedTables()).toEqual(["stripe_events"]);
});

test("it leaves alone a table that has hardly changed since the database was opened again", async () => {
  await passADay(1);
  await runAutovacuum(lock);
  // As when it is closed: the counts are lost.
  await connection.execute("select pg_stat_reset()");
  await connection.execute("update funding.stripe_events set received_at = now() where id < '1-11'");
  await runAutovacuum(lock);
  expect(await analyzedTables()).toEqual([]);
  await connection.execute("update funding.stripe_events set received_at = now()");
  await runAutovacuum(lock);
  expect(await analyzedTables()).toEqual(["stripe_events"]);
});

test("it runs until it is stopped, and a failed round is logged and does not end it", async () => {
  const logged: object[] = [];
  const log = { ...silentLog, write: (level: string, fields: object) => void logged.push({ level, ...fields }) };
  await passADay(1);
  await connection.execute(
    "alter table funding.stripe_events rename to away; create view funding.stripe_events as select 1",
  );
  const run = vi.spyOn(lock, "run").mockRejectedValueOnce(new Error("the disk is full"));
  const stop = startAutovacuum(lock, log, 5);
  await vi.waitFor(async () => expect(await analyzedTables()).toContain("away"), { timeout: 20_000 });
  await stop();
  expect(logged).toEqual([{ level: "error", function: "autovacuum", error: "Error: the disk is full" }]);
  const rounds = run.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(run.mock.calls.length).toBe(rounds);
});
