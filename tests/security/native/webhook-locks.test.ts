import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newSession } from "./sessions.ts";

let holder: pg.Client;
let first: pg.Client;
let second: pg.Client;
beforeAll(async () => {
  [holder, first, second] = [await newSession(), await newSession(), await newSession()];
});
afterAll(async () => {
  await first.query("delete from funding.accounts where email like '%@webhook-locks.example'");
  await Promise.all([holder.end(), first.end(), second.end()]);
});

let account: string;
let webhook: string;
let search: string;
beforeEach(async () => {
  const id = async (session: pg.Client, text: string, values: unknown[] = []) =>
    (await session.query<{ id: string }>(text, values)).rows[0]?.id ?? "";
  account = await id(
    first,
    `insert into funding.accounts (email) values (gen_random_uuid() || '@webhook-locks.example') returning id`,
  );
  await first.query(
    "insert into funding.subscriptions (account_id, tier, status) values ($1, (select name from funding.tiers where api_access limit 1), 'active')",
    [account],
  );
  webhook = await id(
    first,
    `insert into funding.webhook_endpoints (id, account_id, url, events, deadline_days, secret)
     values (gen_random_uuid(), $1, 'https://hooks.example.org/', '{grant.deadline_approaching}', '{7}', 'sealed') returning id`,
    [account],
  );
  search = await id(
    first,
    `insert into funding.saved_searches (account_id, name, dataset, query, filter_query, filter, seen_until)
     values ($1, 'Water', 'grants', '', '', '{}', now()) returning id`,
    [account],
  );
});

/** SQLSTATE with which a statement fails, or undefined. */
async function failure(session: pg.Client, text: string, values: unknown[]): Promise<string | undefined> {
  try {
    await session.query(text, values);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test("a saved search is read while another transaction changes it; a second change gives up after two seconds", async () => {
  await holder.query("begin");
  await holder.query("select funding.update_saved_search($1, $2, $3)", [account, search, '{"name": "Rivers"}']);
  const read = "select funding.counted_saved_search(funding.saved_search_of($1, $2))";
  expect(await failure(first, read, [account, search])).toBeUndefined();
  const change = "select funding.update_saved_search($1, $2, $3)";
  expect(await failure(first, change, [account, search, '{"name": "Lakes"}'])).toBe("55P03");
  await holder.query("rollback");
  expect(await failure(first, change, [account, search, '{"name": "Lakes"}'])).toBeUndefined();
});

test("a change of a webhook gives up after two seconds where another transaction holds it", async () => {
  await holder.query("begin");
  await holder.query("select funding.lock_webhook($1, $2)", [account, webhook]);
  const change = "select funding.update_webhook($1, $2, $3)";
  expect(await failure(first, change, [account, webhook, '{"description": "ours"}'])).toBe("55P03");
  await holder.query("rollback");
});

test("results are written, and the owner changes a webhook, while its deadlines are scanned; then it is scanned again", async () => {
  // The scan waits for this table.
  await holder.query("begin; lock table funding.deadline_notices in access exclusive mode");
  const scan = first.query("select public.announce_deadlines(500, $1)", [webhook]);
  const isWaiting = async () =>
    (
      await second.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%announce_deadlines(500%' and pid <> pg_backend_pid()",
      )
    ).rowCount === 1;
  while (!(await isWaiting()));
  // Another scan of the same webhook does not wait.
  expect((await second.query("select public.announce_deadlines(500, $1) as made", [webhook])).rows).toEqual([
    { made: { endpoints: 0, events: 0 } },
  ]);
  const results = JSON.stringify([{ endpoint_id: webhook, event_id: crypto.randomUUID(), attempt: 1, status: 200 }]);
  await second.query("set statement_timeout = '5s'");
  expect(await failure(second, "select public.finish_deliveries($1)", [results])).toBeUndefined();
  const change = "select funding.update_webhook($1, $2, $3)";
  expect(await failure(second, change, [account, webhook, '{"deadline_days": [30]}'])).toBeUndefined();
  await holder.query("rollback");
  expect((await scan).rows).toEqual([{ announce_deadlines: { endpoints: 1, events: expect.any(Number) } }]);
  expect(
    (await second.query("select deadlines_scanned_since from funding.webhook_endpoints where id = $1", [webhook])).rows,
  ).toEqual([{ deadlines_scanned_since: null }]);
  await second.query("select public.announce_deadlines(500, $1)", [webhook]);
  expect(
    (
      await second.query(
        "select deadlines_scanned_since is not null as is_scanned from funding.webhook_endpoints where id = $1",
        [webhook],
      )
    ).rows,
  ).toEqual([{ is_scanned: true }]);
  await second.query("reset statement_timeout");
});
