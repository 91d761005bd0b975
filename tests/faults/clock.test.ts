import { existsSync, readdirSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { createCallers, createLimitedCaller } from "../load/callers.ts";
import { Ledger, settledUsage } from "../load/ledger.ts";
import { prepareMix } from "../load/mix.ts";
import { type NativeStack, openNativeStack } from "./native-stack.ts";

/** Path of Debian's libfaketime on any architecture. */
const library = readdirSync("/usr/lib")
  .map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));

/** The clock on the wall that a program sees, so far from the true one. How long things take stays as it is. */
function clockOff(offset: string): Record<string, string> {
  return { LD_PRELOAD: library ?? "", FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
}

let stack: NativeStack;
afterEach(() => stack.stop());

const requests = 300;

describe.skipIf(library === undefined)("the functions' clock", () => {
  test.each(["+26h", "-26h"])(
    "is %s off: answers, quotas and counts are right, and no day is counted before it has begun",
    async (offset) => {
      stack = await openNativeStack(clockOff(offset));
      const { connection, baseUrl } = stack;
      const callers = await createCallers(connection);
      const limited = await createLimitedCaller(connection, 10);
      const everybody = [...callers.developers, callers.free, limited];
      const mix = await prepareMix(baseUrl, connection, callers, () => limited);
      const before = await settledUsage(connection, everybody);
      const ledger = new Ledger();
      for (let sent = 0; sent < requests; sent += 4) {
        await Promise.all([0, 1, 2, 3].map(() => ledger.send(baseUrl, mix.next(), [])));
      }
      await ledger.holdAgainstUsage(connection, everybody, before);
      expect(ledger.holdAgainstQuota(limited).served).toBe(10);
      expect([...ledger.faults]).toEqual([]);
      const days = await connection.query<{ ahead: number }>(
        `select distinct sign(day - (now() at time zone 'UTC')::date)::integer as ahead
       from funding.usage where api_key_id = any($1::uuid[])`,
        [everybody.map(({ keyId }) => keyId)],
      );
      // A count may be late, so what a slow clock dates in the past stays there.
      expect(days).toEqual([{ ahead: offset.startsWith("-") ? -1 : 0 }]);
    },
  );
});

describe.skipIf(library === undefined)("the database's clock", () => {
  test("jumps a day ahead and back: a key that expires is refused and let in again, a quota is never exceeded on a day", async () => {
    stack = await openNativeStack();
    const { connection, baseUrl } = stack;
    const limited = await createLimitedCaller(connection, 5);
    const { developers } = await createCallers(connection);
    await connection.query("update funding.api_keys set expires_at = now() + interval '1 hour' where id = $1", [
      developers[0].keyId,
    ]);
    const ask = async (key: string) => {
      const response = await fetch(`${baseUrl}/grants-api?limit=1`, { headers: { authorization: `Bearer ${key}` } });
      await response.text();
      return response.status;
    };
    const day = async () => {
      const statuses = [];
      for (let request = 0; request < 7; request++) statuses.push(await ask(limited.key));
      return { expiring: await ask(developers[0].key), served: statuses.filter((status) => status === 200).length };
    };
    expect(await day()).toEqual({ expiring: 200, served: 5 });
    await stack.restartImmediately(clockOff("+26h"));
    await untilAnswered(() => ask(developers[1].key));
    expect(await day()).toEqual({ expiring: 401, served: 5 });
    await stack.restartImmediately();
    await untilAnswered(() => ask(developers[1].key));
    // The counts of the half second before an immediate stop may be forgotten: see funding.admit.
    const { expiring, served } = await day();
    expect(expiring).toBe(200);
    expect(served).toBeLessThanOrEqual(5);
  });
});

/** The dispatcher's work on rows that are old or due. */
async function look(): Promise<void> {
  const { connection } = stack;
  await connection.query("select public.apply_due_dates(10000)");
  await connection.query("select public.prune_table(table_name, 10000) from funding.retention()");
  for (let round = 0; round < 3; round++) await connection.query("select public.announce_deadlines(500)");
}

/** Numbers of rows of tables with a retention, and of records by status. */
function census(): Promise<unknown[]> {
  const tables = [
    "audit_log",
    "invitations",
    "stripe_events",
    "events",
    "deadline_notices",
    "record_changes",
    "usage_hours",
  ];
  return stack.connection.query(
    `${tables.map((table) => `select '${table}' as name, count(*)::integer from funding.${table}`).join(" union all ")}
     union all select status, count(*)::integer from funding.grants group by 1
     union all select status, count(*)::integer from funding.contracts group by 1 order by 1, 2`,
  );
}

describe.skipIf(library === undefined)("the bounded clock", () => {
  test.each(["+450d", "-20000d"])(
    "a database whose clock is %s off for a while deletes, closes and announces nothing, then or later",
    async (offset) => {
      stack = await openNativeStack();
      const { connection } = stack;
      const { developers } = await createCallers(connection);
      await connection.query(
        `with owner as (select account_id from funding.api_keys where id = $1), endpoint as (
           insert into funding.webhook_endpoints (id, account_id, url, events, secret, deadline_days)
           select gen_random_uuid(), account_id, 'https://hooks.example.org/', '{grant.deadline_approaching}', 'sealed', '{60}' from owner
         ), paid as (
           insert into funding.stripe_events (id, received_at)
           select gen_random_uuid(), now() - days * interval '1 day' from generate_series(0, 20) as days)
         insert into funding.invitations (account_id, email, role)
         select account_id, gen_random_uuid() || '@people.example', 'member' from owner`,
        [developers[0].keyId],
      );
      await connection.query("select funding.confirm_clock()");
      await look();
      const before = await census();
      await stack.restartImmediately(clockOff(offset));
      await untilAnswered(async () => ((await isUp()) ? 200 : 503));
      const [{ years } = { years: 0 }] = await connection.query<{ years: number }>(
        "select abs(extract(epoch from now() - $1::timestamptz))::float8 / 31557600 as years",
        [new Date().toISOString()],
      );
      expect(years).toBeGreaterThan(1);
      for (let looks = 0; looks < 3; looks++) {
        await look();
        await new Promise((resolve) => setTimeout(resolve, 1_100));
      }
      expect(await census()).toEqual(before);
      await stack.restartImmediately();
      await untilAnswered(async () => ((await isUp()) ? 200 : 503));
      await look();
      expect(await census()).toEqual(before);
      await connection.query("select funding.confirm_clock()");
    },
  );
});

async function isUp(): Promise<boolean> {
  return stack.connection.query("select 1").then(
    () => true,
    () => false,
  );
}

async function untilAnswered(ask: () => Promise<number>): Promise<void> {
  while ((await ask()) !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
}
