import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { startDispatcher } from "./dispatcher.ts";
import { type NativeDatabase, openNative } from "./native.ts";

const emails = "retention-%@example.org";
const days = 40;
const keys = 20;

let database: NativeDatabase;
beforeAll(async () => {
  database = await openNative();
});
afterAll(async () => {
  await database.query("delete from funding.accounts where email like $1", [emails]);
  await database.close();
});
beforeEach(async () => {
  await database.clear();
  await database.query("delete from funding.accounts where email like $1", [emails]);
  await database.query("delete from funding.stripe_events");
  await database.query(
    `with account as (
       insert into funding.accounts (email) select 'retention-' || number || '@example.org' from generate_series(1, $1) as number returning id
     ), key as (
       insert into funding.api_keys (account_id, name, key_hash, display)
       select id, 'key', encode(sha256(id::text::bytea), 'hex'), 'k' from account returning id
     )
     insert into funding.usage
     select key.id, (now() at time zone 'UTC')::date - 450 - day, endpoint, 200, bucket, 3
     from key, generate_series(1, $2) as day, unnest(array['grants-api', 'funders-api']) as endpoint, unnest(array[5, 10, 15]) as bucket`,
    [keys, days],
  );
});

/** Requests of the accounts that there are, wherever they are counted: in one statement, so at one moment. */
const counted = () =>
  database.value<number>(
    `select (coalesce((select sum(requests) from funding.usage), 0)
       + coalesce((select sum(counter.requests) from funding.usage_months, funding.month_counters(counts) as counter), 0))::integer`,
  );

/** Rolls up batches until there are none. @returns how many rows. */
async function rollUp(session: pg.Client): Promise<number> {
  let rows = 0;
  for (let empty = 0; empty < 3; ) {
    const { rows: answers } = await session.query("select public.prune_table('usage', 97)->>'rows' as rows");
    const pruned = Number(answers[0].rows);
    rows += pruned;
    empty = pruned === 0 ? empty + 1 : 0;
  }
  return rows;
}

test("dispatchers at once roll up each row once, and every count in between is exact", async () => {
  const before = await counted();
  const stored = await database.value<number>(
    "select count(*)::integer from funding.usage where day < now() - interval '450 days'",
  );
  const sessions = await Promise.all([1, 2, 3].map(() => database.session()));
  let isDone = false;
  const seen = new Set<number>();
  const watching = (async () => {
    while (!isDone) seen.add(await counted());
  })();
  const rows = await Promise.all(sessions.map(rollUp));
  isDone = true;
  await watching;
  await Promise.all(sessions.map((session) => session.end()));
  expect([...seen]).toEqual([before]);
  expect(rows.reduce((sum, each) => sum + each, 0)).toBe(stored);
  expect(stored).toBe(keys * days * 6);
  expect(rows.filter((each) => each > 0).length).toBeGreaterThan(1);
});

test("a batch that is killed in the middle leaves every count as it was", async () => {
  const before = await counted();
  for (let kill = 0; kill < 5; kill++) {
    const session = await database.session();
    session.on("error", () => undefined);
    const { rows } = await session.query("select pg_backend_pid() as pid");
    await session.query("begin");
    await session.query("select public.prune_table('usage', 500)");
    await database.query("select pg_terminate_backend($1)", [rows[0].pid]);
    await session.end().catch(() => undefined);
    expect(await counted()).toBe(before);
  }
});

test("a batch waits neither for a request nor for a key that is being deleted, and they not for it beyond its end", async () => {
  const deadlocks = () =>
    database.value<number>("select deadlocks::integer from pg_stat_database where datname = current_database()");
  const before = await deadlocks();
  const locked = await database.value<string>("select api_key_id from funding.usage order by day limit 1");
  const deleting = await database.session();
  onTestFinished(() => deleting.end().catch(() => undefined));
  await deleting.query("begin");
  await deleting.query("delete from funding.api_keys where id = $1", [locked]);
  const pruning = await database.session();
  const started = performance.now();
  const rows = await rollUp(pruning);
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(rows).toBe((keys - 1) * days * 6);
  await deleting.query("commit");

  // Deletions, requests and batches at once.
  const account = await database.value<string>(
    "select account_id from funding.api_keys join funding.accounts on accounts.id = account_id where email like $1 limit 1",
    [emails],
  );
  const ids = await database.query<{ id: string }>("select id from funding.api_keys where account_id <> $1", [account]);
  await database.query("update funding.settings set value = '90' where name = 'usage_days'");
  await database.query(
    `insert into funding.usage select id, current_date - 200 - day, 'x', 200, 5, 1 from funding.api_keys, generate_series(1, 100) as day`,
  );
  await Promise.all([
    rollUp(pruning),
    rollUp(deleting),
    (async () => {
      for (const { id } of ids) {
        await database.query("select public.record_usage($1::jsonb)", [
          JSON.stringify([
            {
              api_key_id: id,
              at: new Date(),
              endpoint: "x",
              status: 200,
              latency_bucket_ms: 5,
              requests: 1,
              duration_ms: 1,
            },
          ]),
        ]);
      }
    })(),
    (async () => {
      for (const { id } of ids.slice(0, 10)) await database.query("delete from funding.api_keys where id = $1", [id]);
    })(),
  ]);
  await database.query("update funding.settings set value = default_value where name = 'usage_days'");
  await Promise.all([deleting.end(), pruning.end()]);
  expect(await deadlocks()).toBe(before);
});

// Before, the whole batch was refused by the foreign key, and sent again.
test("of a batch, the requests of a key that is being deleted are left out, and the others counted", async () => {
  const [gone, kept] = await database.query<{ id: string }>(
    "select id from funding.api_keys where name = 'key' order by id limit 2",
  );
  const requests = () =>
    database.query<{ requests: number; deleted: number }>(
      `select (select coalesce(sum(requests), 0)::integer from funding.usage where api_key_id = $1 and endpoint = 'left out') as requests,
              (select count(*)::integer from funding.usage where api_key_id = $2) as deleted`,
      [kept?.id, gone?.id],
    );
  const deleting = await database.session();
  onTestFinished(() => deleting.end().catch(() => undefined));
  await deleting.query("begin");
  await deleting.query("delete from funding.api_keys where id = $1", [gone?.id]);
  const event = {
    at: new Date(),
    endpoint: "left out",
    status: 200,
    latency_bucket_ms: 5,
    requests: 1,
    duration_ms: 1,
  };
  const events = [gone, kept].map((key) => ({ ...event, api_key_id: key?.id }));
  const recorded = database.query("select public.record_usage($1::jsonb)", [JSON.stringify(events)]);
  await waitUntil(
    () => database.value<boolean>("select exists (select from pg_locks where not granted)"),
    "the batch waits for the deletion",
  );
  await deleting.query("commit");
  await recorded;
  expect(await requests()).toEqual([{ requests: 1, deleted: 0 }]);
});

test("two dispatcher processes leave nothing overdue, and lose nothing that is not", async () => {
  const before = await counted();
  await database.query(
    "insert into funding.stripe_events (id, received_at) select number::text, now() - interval '31 days' from generate_series(1, 5000) as number",
  );
  await database.query("insert into funding.stripe_events (id) values ('new')");
  const running = [startDispatcher(database.secretsKey), startDispatcher(database.secretsKey)];
  try {
    await waitUntil(
      () => database.value<boolean>("select not exists (select from funding.overdue() where seconds > 0)"),
      "nothing is overdue",
    );
  } finally {
    await Promise.all(running.map((dispatcher) => dispatcher.kill()));
  }
  expect(await database.query("select id from funding.stripe_events")).toEqual([{ id: "new" }]);
  expect(await counted()).toBe(before);
  expect(
    await database.value("select count(*)::integer from funding.usage where day < now() - interval '450 days'"),
  ).toBe(0);
});
