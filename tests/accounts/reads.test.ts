import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connection, queryOne } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { createAuthTables } from "../../local/auth/tables.ts";

const [user, session, account, key, webhook] = Array.from({ length: 5 }, () => crypto.randomUUID());
let connection: Connection;
beforeAll(async () => {
  connection = pgliteConnection(await openPGlite());
  await createAuthTables(connection);
  await migrate(connection);
  await connection.execute(`
    insert into auth.users (id, email, email_confirmed_at) values ('${user}', 'ada@example.org', now());
    insert into auth.sessions (id, user_id) values ('${session}', '${user}');
    insert into funding.accounts (id, email, auth_user_id) values ('${account}', 'ada@example.org', '${user}');
    insert into funding.api_keys (id, account_id, name, key_hash, display) values ('${key}', '${account}', 'one', repeat('a', 64), 'fo_live_a');
    insert into funding.webhook_endpoints (id, account_id, url, secret, events) values ('${webhook}', '${account}', 'https://a.example/', 'x', '{grant.created}')`);
});
afterAll(() => connection.close());

/** Rows that a call reads of a table, each counted where a scan or an index finds it, and where it is fetched. */
async function rowsRead(call: string, table: string): Promise<number> {
  const counted = `select (pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid)
      + (select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0) from pg_index where indrelid = pg_class.oid))::int as rows
    from pg_class where oid = 'funding.${table}'::regclass`;
  return connection.transaction(async (transaction) => {
    // What earlier transactions read may still be counted.
    const before = await queryOne<{ rows: number }>(transaction, counted);
    await transaction.query(`select ${call}`);
    return (await queryOne<{ rows: number }>(transaction, counted)).rows - before.rows;
  });
}

/** Adds as many requests, changes and deliveries to the account. */
async function add(count: number): Promise<void> {
  await connection.execute(`
    insert into funding.request_log (account_id, at, request_id, api_key_id, key_name, method, endpoint, status, duration_ms, parameters, searches)
    select '${account}', now() - number * interval '1 s', gen_random_uuid(), '${key}', 'one', 'GET', 'grants-api', 200, 1, '{}', '{}'
    from generate_series(1, ${count}) as number;
    insert into funding.audit_log (account_id, at, actor, action, subject_kind, subject_id, subject_name, changes)
    select '${account}', now() - number * interval '1 s', 'system', 'key.updated', 'key', '${key}', 'one', '[]'
    from generate_series(1, ${count}) as number;
    with happened as (
      insert into funding.events (event, dataset, record_id, fanned_out_at)
      select 'grant.created', 'grants', gen_random_uuid(), now() from generate_series(1, ${count}) returning id, created_at)
    insert into funding.webhook_deliveries (endpoint_id, event_id, state, due_at, created_at, finished_at)
    select '${webhook}', id, 'succeeded', now(), created_at, now() from happened;
    analyze`);
}

const own = `'${user}', '${session}'`;
const lists: [name: string, call: string, table: string][] = [
  ["the request log", `public.list_account_requests(${own}, '{}')`, "request_log"],
  ["the audit log", `public.list_audit_log(${own}, '{}')`, "audit_log"],
  ["a webhook's deliveries", `public.list_webhook_deliveries(${own}, '${webhook}', '{}')`, "webhook_deliveries"],
];

test("a page of an account's log costs the same, however long the log is", async () => {
  await add(1_000);
  const short = await Promise.all(lists.map(([, call, table]) => rowsRead(call, table)));
  await add(9_000);
  const long = await Promise.all(lists.map(([, call, table]) => rowsRead(call, table)));
  for (const [index, [name]] of lists.entries()) {
    expect(short[index], name).toBeGreaterThan(0);
    expect(long[index], name).toBeLessThanOrEqual((short[index] ?? 0) + 10);
  }
});

test("a usage page reads the rows of its range, three times at most, and no request one by one", async () => {
  const rows = 30 * 40;
  await connection.execute(`
    insert into funding.usage (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
    select '${key}', current_date - day, 'grants-api', 200 + number, 50, 1
    from generate_series(0, 399) as day, generate_series(1, 40) as number; analyze`);
  const page = `public.get_account_usage(${own}, current_date - 29, current_date)`;
  expect(await rowsRead(page, "usage")).toBeGreaterThanOrEqual(rows);
  expect(await rowsRead(page, "usage")).toBeLessThanOrEqual(3 * 3 * rows);
  expect(await rowsRead(page, "request_log")).toBe(0);
  expect(await rowsRead(`public.get_account(${own})`, "usage")).toBeLessThanOrEqual(3 * 40);
});

// Regression: six pages of half a million rows held up everybody on npm start for 5.6 s, where no statement has a time limit.
test("a usage page of too many rows is refused before they are added up, and one key or fewer days are not", async () => {
  const { rows: most } = await queryOne<{ rows: number }>(connection, "select funding.usage_page_rows() as rows");
  const other = crypto.randomUUID();
  await connection.transaction(async (transaction) => {
    await transaction.execute(`
      insert into funding.api_keys (id, account_id, name, key_hash, display) values ('${other}', '${account}', 'two', repeat('b', 64), 'fo_live_b');
      insert into funding.usage (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
      select '${other}', current_date - 50 - number % 30, 'grants-api', 200, number, 1 from generate_series(1, ${most}) as number;
      analyze funding.usage;
      savepoint refused`);
    const page = (first: number, last: number, key = "null") =>
      transaction.query(
        `select public.get_account_usage(${own}, current_date - ${first}, current_date - ${last}, ${key})`,
      );
    await expect(page(79, 0)).rejects.toMatchObject({ code: "PT400", hint: "from" });
    await transaction.execute("rollback to refused");
    expect(await page(49, 0)).toHaveLength(1);
    expect(await page(79, 0, `'${other}'`)).toHaveLength(1);
    expect(await page(79, 0, `'${key}'`)).toHaveLength(1);
    await transaction.execute("rollback to refused");
  });
});

test("every read of an account has a time limit", async () => {
  const without = await connection.query<{ name: string }>(`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and proargnames[1:2] = '{user_id,session_id}' and proname ~ '^(get|list|preview)_'
      and not exists (select from unnest(proconfig) as setting where setting like 'statement_timeout=%')`);
  expect(without).toEqual([]);
});
