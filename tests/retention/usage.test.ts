import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createRpcBridge } from "../../local/embedded/rpc-bridge.ts";
import { hashKey } from "../../shared/auth/key.ts";
import { silentLog } from "../../shared/log/log.ts";
import type { AccountUsage } from "../../shared/responses/account/usage.ts";
import { everyRpc, rightArguments } from "../security/arguments.ts";
import { rpcCaller } from "../security/target.ts";
import type { Person } from "../support/people.ts";
import { runs } from "../support/properties.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { pruneAll, pruneBatch } from "./prune.ts";

let service: TestService;
let ada: Person;
/** Ada's two keys. */
let keyIds: string[];

beforeAll(async () => {
  service = await openTestService(undefined, silentLog);
  ada = await service.people.newPerson();
  await service.fetch("/account-api", { headers: bearer(await ada.token()) });
  await service.connection.query("select funding.set_tier($1, 'developer')", [ada.email]);
  keyIds = [];
  for (const name of ["one", "two"]) {
    const response = await service.fetch("/account-api/keys", {
      method: "POST",
      headers: { ...bearer(await ada.token()), "content-type": "application/json" },
      body: JSON.stringify({ name }),
    });
    keyIds.push(((await response.json()) as { id: string }).id);
  }
});
beforeEach(() => service.connection.execute("truncate funding.usage, funding.usage_months"));
afterAll(() => service.close());

const dayMs = 86_400_000;
const today = () => new Date().toISOString().slice(0, 10);
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const monthAt = (monthsAgo: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)).toISOString().slice(0, 7);
};
const lastDay = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);

interface Row {
  key: number;
  daysAgo: number;
  endpoint: string;
  status: number;
  bucket: number;
  requests: number;
}

const rowOf = (daysAgoAtMost: number) =>
  fc.record<Row>({
    key: fc.constantFrom(0, 1),
    daysAgo: fc.integer({ min: 0, max: daysAgoAtMost }),
    endpoint: fc.constantFrom("grants-api", "grants-api/{id}", "mcp tools"),
    status: fc.constantFrom(200, 404, 503),
    bucket: fc.constantFrom(5, 50, 2_147_483_647),
    requests: fc.integer({ min: 1, max: 1e12 }),
  });

async function store(rows: readonly Row[]): Promise<void> {
  await service.connection.query(
    `insert into funding.usage (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
     select api_key_id, day, endpoint, status, bucket, sum(requests)
     from jsonb_to_recordset($1) as row(api_key_id uuid, day date, endpoint text, status smallint, bucket integer, requests bigint)
     group by 1, 2, 3, 4, 5`,
    [JSON.stringify(rows.map((row) => ({ ...row, api_key_id: keyIds[row.key], day: daysAgo(row.daysAgo) })))],
  );
}

async function usageOf(from: string, to: string, keyId?: string): Promise<AccountUsage> {
  const query = new URLSearchParams({ from, to, include: "requests_by_day", ...(keyId && { key_id: keyId }) });
  const response = await service.fetch(`/account-api/usage?${query}`, { headers: bearer(await ada.token()) });
  expect(response.status).toBe(200);
  return (await response.json()) as AccountUsage;
}

/** Ranges of whole months, old and new: their first and last, in months ago. */
const ranges: readonly [number, number][] = [
  [25, 25],
  [20, 20],
  [16, 15],
  [15, 14],
  [14, 13],
  [13, 13],
  [12, 12],
  [1, 0],
];

/** The account's usage of each range, of all keys or of one, but for its days. */
async function byMonth() {
  const found: object[] = [];
  for (const [index, [first, last]] of ranges.entries()) {
    const { days, months, keys, ...sums } = await usageOf(
      `${monthAt(first)}-01`,
      lastDay(monthAt(last)),
      keyIds[index % 3],
    );
    const requests = [...days, ...months].reduce((sum, counted) => sum + counted.requests, 0);
    expect(requests).toBe(sums.totals.requests);
    for (const [position, { requests }] of days.entries()) {
      expect(keys.reduce((sum, { requests_by_day }) => sum + (requests_by_day?.[position] ?? 0), 0)).toBe(requests);
    }
    expect(keys.every(({ requests_by_day }) => requests_by_day?.length === days.length)).toBe(true);
    found.push({ ...sums, keys: keys.map(({ requests_by_day, ...key }) => key) });
  }
  return found;
}

describe("usage that is rolled up", () => {
  test("is the same in every sum of an account, before, in the middle, after a batch that failed, and after", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowOf(780), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        async (rows, maximum) => {
          await service.connection.execute("truncate funding.usage, funding.usage_months");
          await store(rows);
          const before = await byMonth();
          const killed = service.connection.transaction(async (transaction) => {
            await pruneBatch(transaction, "usage", maximum);
            throw new Error("killed");
          });
          await expect(killed).rejects.toThrow("killed");
          expect(await byMonth()).toEqual(before);
          expect(await pruneBatch(service.connection, "usage", maximum)).toBeLessThanOrEqual(maximum);
          expect(await byMonth()).toEqual(before);
          while ((await pruneBatch(service.connection, "usage", maximum)) > 0);
          expect(await byMonth()).toEqual(before);
          await pruneAll(service.runtime.database);
          expect(await byMonth()).toEqual(before);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test("is a row for each key and month of a model, and what is younger stays by day", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowOf(780), { maxLength: 60 }), async (rows) => {
        await service.connection.execute("truncate funding.usage, funding.usage_months");
        await store(rows);
        await pruneAll(service.runtime.database);
        // A month goes when its last day is 400 days old.
        const isOld = (month: string) => lastDay(month) < daysAgo(400);
        const model = new Map<string, number>();
        for (const row of rows) {
          const month = daysAgo(row.daysAgo).slice(0, 7);
          const name = `${keyIds[row.key]} ${isOld(month) ? month : daysAgo(row.daysAgo)}`;
          model.set(name, (model.get(name) ?? 0) + row.requests);
        }
        const stored = await service.connection.query<{ name: string; requests: string }>(
          `select api_key_id || ' ' || day as name, sum(requests)::text as requests from funding.usage group by 1
           union all
           select api_key_id || ' ' || to_char(month, 'YYYY-MM'), sum(counter.requests)::text
           from funding.usage_months, funding.month_counters(counts) as counter group by 1`,
        );
        expect(new Map(stored.map(({ name, requests }) => [name, Number(requests)]))).toEqual(model);
      }),
      { numRuns: runs(60) },
    );
  });

  test("counts where all of its month is asked for, and has no days", async () => {
    const month = monthAt(20);
    await store(
      [1, 2].map((key) => ({
        key: key - 1,
        daysAgo: Math.round((Date.parse(today()) - Date.parse(`${month}-0${key}`)) / dayMs),
        endpoint: "grants-api",
        status: 404,
        bucket: 50,
        requests: key,
      })),
    );
    const before = await usageOf(`${month}-01`, lastDay(month));
    await pruneAll(service.runtime.database);
    const whole = await usageOf(`${month}-01`, lastDay(month));
    const keys = before.keys.map((key) => ({ ...key, requests_by_day: [] }));
    expect(whole).toEqual({ ...before, days: [], months: [{ month, ...before.totals }], keys });
    const half = await usageOf(`${month}-02`, lastDay(month));
    expect([half.totals.requests, half.days, half.months]).toEqual([0, [], []]);
    const next = await usageOf(`${month}-02`, `${monthAt(19)}-01`);
    expect(next.days).toMatchObject([{ day: `${monthAt(19)}-01`, requests: 0 }]);
  });
});

describe("usage older than a day", () => {
  beforeEach(() =>
    service.connection.execute(`
      create or replace function pg_temp.guard() returns trigger language plpgsql as $guard$
      begin
        if least(new.day, old.day) < (now() at time zone 'UTC')::date - 1 then
          raise exception 'a request touched usage of %', least(new.day, old.day);
        end if;
        return coalesce(new, old);
      end $guard$;
      create trigger guard before insert or update or delete on funding.usage for each row execute function pg_temp.guard()`),
  );
  const unguard = () => service.connection.execute("drop trigger guard on funding.usage");

  test("is touched by no request, whatever it asks for and whenever it says that it was", async () => {
    try {
      await service.connection.execute("alter table funding.usage disable trigger guard");
      await store(
        [400, 40, 2].map((daysAgo) => ({
          key: 0,
          daysAgo,
          endpoint: "grants-api",
          status: 200,
          bucket: 5,
          requests: 1,
        })),
      );
      await service.connection.execute("alter table funding.usage enable trigger guard");
      const { key } = await service.newKey();
      for (const path of [
        "/grants-api?limit=1",
        "/funders-api?limit=1",
        "/contracts-api?limit=x",
        "/grants-api/none",
        "/account-api",
      ]) {
        await service.fetch(path, { headers: bearer(key) });
      }
      await usageOf(daysAgo(80), today());
      await service.settled();
      await service.runtime.usage.flush();

      await fc.assert(
        fc.asyncProperty(
          fc.date({ min: new Date("1990-01-01"), max: new Date("2200-01-01"), noInvalidDate: true }),
          async (at) => {
            await service.connection.query("select public.record_usage($1::jsonb)", [
              JSON.stringify([
                { api_key_id: keyIds[0], at, endpoint: "x", status: 200, latency_bucket_ms: 5, requests: 1 },
              ]),
            ]);
          },
        ),
        { numRuns: runs(200) },
      );
      const days = await service.connection.query<{ day: string; requests: number }>(
        "select day::text, sum(requests)::integer as requests from funding.usage where endpoint = 'x' group by 1 order by 1",
      );
      expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(runs(200));
      for (const { day } of days) expect([daysAgo(1), today()]).toContain(day);
    } finally {
      await unguard();
    }
  });

  test("is touched by no RPC with arguments that are right", async () => {
    await unguard();
    const { key } = await service.newKey();
    await service.connection.execute(`
      insert into funding.usage select id, current_date - 400, 'x', 200, 5, 1 from funding.api_keys;
      create trigger guard before insert or update or delete on funding.usage for each row execute function pg_temp.guard()`);
    try {
      const call = rpcCaller(createRpcBridge(service.lock), "http://embedded.invalid", {});
      const target = { call, connection: service.connection, key, person: ada, close: service.close };
      const rpcs = await everyRpc(target);
      expect(rpcs.length).toBeGreaterThan(30);
      const right = await rightArguments(target);
      const touching = [];
      for (const rpc of rpcs) {
        const { text } = await call(rpc.name, JSON.stringify(right(rpc)));
        if (text.includes("touched usage")) touching.push(rpc.name);
      }
      expect(touching).toEqual([]);
    } finally {
      await unguard();
    }
  });

  test("a request that began before midnight is counted on its own day", async () => {
    await unguard();
    const { key, keyId } = await service.newKey();
    await service.connection.query("select public.record_usage($1::jsonb)", [
      JSON.stringify([
        {
          key_hash: await hashKey(key),
          at: `${daysAgo(1)}T23:59:59.999Z`,
          endpoint: "x",
          status: 200,
          latency_bucket_ms: 5,
          requests: 1,
        },
      ]),
    ]);
    expect(
      await service.connection.query("select day::text from funding.usage where api_key_id = $1", [keyId]),
    ).toEqual([{ day: daysAgo(1) }]);
  });
});
