import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { applyDueDates } from "../../functions/dispatch/due-dates.ts";
import type { Log, LogFields } from "../../shared/log/log.ts";
import { pruneAll } from "../retention/prune.ts";
import { bearer, testMetricsSecret } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";
import { setWallClock } from "../support/wall-clock.ts";
import { grant, openWebhookService, type WebhookService } from "../webhooks/webhook-service.ts";

let service: WebhookService;
let owner: string;
/** Time of the machine's clock. */
let machine: number;
let lines: LogFields[];
let log: Log;

const minuteS = 60;
const hourS = 3_600;
const dayS = 86_400;
/** When everything begins: noon where the publishers are, so that no test comes to a midnight unless it means to. */
const start = Date.parse("2027-03-03T17:00:00Z");

beforeAll(async () => {
  service = await openWebhookService();
  // One session, so the clock may be a setting of it. Days that requests are counted on follow from this clock, too.
  await service.connection.execute("set test.clock = '2027-03-03T17:00:00Z'");
  await setWallClock(service.connection, "current_setting('test.clock')::timestamptz");
});
afterAll(() => service.close());

beforeEach(async () => {
  machine = start;
  lines = [];
  log = { write: (_, fields) => lines.push(fields) };
  await setMachine();
  await service.connection.execute(`
    select funding.confirm_clock();
    truncate funding.grants, funding.contracts, funding.record_changes, funding.request_log, funding.audit_log, funding.stripe_events,
      funding.usage_hours, funding.idempotency_keys, funding.usage_writers;
    delete from funding.accounts;
    delete from funding.events`);
  owner = await service.newAccount();
  for (let days = 1; days <= 60; days++) {
    await service.load(
      "grants",
      grant({
        source_id: `in ${days}`,
        deadline_date: dayOf(start + days * dayS * 1_000),
        created_at: "2027-01-05T00:00:00Z",
      }),
    );
  }
  await service.subscribe(
    { url: "https://hooks.example.org/", events: ["grant.deadline_approaching"], deadline_days: [7] },
    owner,
  );
  await look();
});

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);

async function setMachine(): Promise<void> {
  await service.connection.query("select set_config('test.clock', $1, false)", [new Date(machine).toISOString()]);
}

/** The machine's clock jumps, while no time passes. */
async function jump(seconds: number): Promise<void> {
  machine += seconds * 1_000;
  await setMachine();
}

/** The dispatcher's work in each round, without sending. */
async function look(): Promise<void> {
  while ((await applyDueDates({ database: service.runtime.database, log })).found > 0);
  while ((await service.rpc("announce_deadlines", { maximum: 500 })).endpoints > 0);
  await service.rpc("next_digest", {});
  await pruneAll(service.runtime.database);
}

/** Time passes, and the dispatcher looks for work meanwhile. */
async function pass(seconds: number, everySeconds = 30): Promise<void> {
  for (let passed = 0; passed < seconds; passed += everySeconds) {
    await jump(everySeconds);
    await look();
  }
}

/** Rows that are as old, for their retention, as a service has them: of an hour ago, and of half the time that they are kept. */
async function makeRows(): Promise<void> {
  for (const age of ["1 hour", "5 days"]) {
    await service.connection.query(
      `with at as (select funding.latest_now() - $2::interval as moment), key as (select id from funding.api_keys where account_id = $1),
       requests as (
         insert into funding.request_log
           (account_id, at, request_id, api_key_id, key_name, method, endpoint, status, duration_ms, parameters, searches)
         select $1, moment, 'request', key.id, 'a key', 'GET', 'grants-api', 200, 1, '{}', '{}' from at, key
       ), audited as (
         insert into funding.audit_log (account_id, at, actor, action, subject_kind, subject_id, subject_name, changes)
         select $1, moment, 'system', 'webhook.disabled', 'webhook', gen_random_uuid(), 'a webhook', '[]' from at
       ), hours as (
         insert into funding.usage_hours select key.id, date_trunc('hour', moment, 'UTC'), 1, 0, 0, '{"50": 1}' from at, key
       ), paid as (insert into funding.stripe_events (id, received_at) select gen_random_uuid(), moment from at)
       insert into funding.events (event, dataset, record_id, created_at, fanned_out_at)
       select 'grant.created', 'grants', gen_random_uuid(), moment, moment from at
       where moment > funding.latest_now() - interval '4 days'`,
      [owner, age],
    );
  }
  await service.connection.query(
    "insert into funding.invitations (account_id, email, role) values ($1, 'guest@people.example', 'member')",
    [owner],
  );
  await service.connection.query(
    "insert into funding.idempotency_keys (account_id, key_hash, request_hash, response) values ($1, 'key', 'hash', '{}')",
    [owner],
  );
}

/** Numbers of rows of each table, and of records by state. */
async function census(): Promise<object> {
  const tables = [
    "events",
    "deadline_notices",
    "webhook_deliveries",
    "request_log",
    "audit_log",
    "usage_hours",
    "invitations",
    "idempotency_keys",
    "stripe_events",
    "record_changes",
    "daily_quota",
    "api_keys",
    "webhook_endpoints",
  ];
  const counts = await service.connection.query<{ name: string; rows: number }>(
    tables
      .map((table) => `select '${table}' as name, count(*)::integer as rows from funding.${table}`)
      .join(" union all "),
  );
  const states = await service.connection.query<{ name: string; rows: number }>(
    "select 'grants ' || status as name, count(*)::integer as rows from funding.grants group by 1",
  );
  return Object.fromEntries([...counts, ...states].map(({ name, rows }) => [name, rows]));
}

/** Time by which the bounded clock is ahead of the machine's, in seconds. */
async function ahead(): Promise<number> {
  const { seconds } = await queryOne<{ seconds: number }>(
    service.connection,
    "select extract(epoch from funding.bounded_now() - funding.wall_clock())::float8 as seconds",
  );
  return seconds;
}

const announced = () =>
  service.connection.query<{ record_id: string; events: number }>(
    "select record_id, count(*)::integer as events from funding.events where event = 'grant.deadline_approaching' group by 1",
  );

describe("a clock that is ahead for minutes", () => {
  test.each([
    ["450 days", 450 * dayS],
    ["a day", dayS],
    ["20 years", 20 * 365 * dayS],
  ])("%s: nothing is deleted, closed or announced, then or when it comes back", async (_, seconds) => {
    await makeRows();
    const before = await census();
    expect(before).toMatchObject({ audit_log: expect.any(Number), "grants open": 60 });
    await jump(seconds);
    await pass(150, 10);
    expect(await census()).toEqual(before);
    await jump(-seconds);
    await pass(20 * minuteS);
    expect(await census()).toEqual(before);
    expect(await ahead()).toBe(0);
  });

  test("a key that expires is refused for the time, and works again", async () => {
    const { key, keyId } = await service.newKey();
    await service.connection.query(
      "update funding.api_keys set expires_at = funding.wall_clock() + interval '10 days' where id = $1",
      [keyId],
    );
    const ask = async () => (await service.fetch("/grants-api?limit=1", { headers: bearer(key) })).status;
    expect(await ask()).toBe(200);
    await jump(450 * dayS);
    await pass(150, 10);
    expect(await ask()).toBe(401);
    await jump(-450 * dayS);
    expect(await ask()).toBe(200);
  });

  // Regression: an invitation that nobody could accept, and no list had, still refused another one to the same address.
  test("an invitation that expires is refused for the time, and gives way to another one to the same address alone", async () => {
    const invite = async (address: string) =>
      (
        await queryOne<{ id: string }>(service.connection, "select (funding.invite($1, $2, 'member', null)).id", [
          owner,
          address,
        ])
      ).id;
    const kept = async () =>
      (await service.connection.query<{ id: string }>("select id from funding.invitations order by created_at")).map(
        ({ id }) => id,
      );
    const [ada, ben] = [await invite("ada@people.example"), await invite("ben@people.example")];
    await jump(8 * dayS);
    const again = await invite("ada@people.example");
    expect(await kept()).toEqual([ben, again]);
    await expect(invite("ada@people.example")).rejects.toThrow("is invited already");
    await jump(-8 * dayS);
    expect(await kept()).toEqual([ben, again]);
    expect(ada).not.toBe(again);
  });

  test("an event is made for the webhooks of an account whose subscription has not ended", async () => {
    await service.connection.query(
      "update funding.subscriptions set current_period_end = funding.wall_clock() + interval '20 days' where account_id = $1",
      [owner],
    );
    await service.subscribe({ url: "https://hooks.example.org/", events: ["grant.created"] }, owner);
    await jump(450 * dayS);
    await look();
    await service.load("grants", grant());
    await service.rpc("fan_out_events", { maximum: 10 });
    const { deliveries } = await queryOne<{ deliveries: number }>(
      service.connection,
      `select count(*)::integer as deliveries from funding.webhook_deliveries as delivery
       join funding.events as event on event.id = delivery.event_id where event.event = 'grant.created'`,
    );
    expect(deliveries).toBe(1);
    await jump(-450 * dayS);
  });

  test("jumps that come one after the other gain five minutes each at most", async () => {
    for (let times = 0; times < 10; times++) {
      await jump(450 * dayS);
      await look();
      await jump(-450 * dayS);
      await look();
    }
    expect(await ahead()).toBeLessThanOrEqual(10 * 5 * minuteS);
  });

  // Regression: without a dispatcher the bounded clock stood still for ever, and no import closed a grant any more.
  test("where nobody else looks at the clock, an import follows it, by a week at most", async () => {
    const bounded = async () =>
      Date.parse(
        (await queryOne<{ now: string }>(service.connection, "select funding.bounded_now()::text as now")).now,
      );
    const beginImport = () =>
      service.connection.query("select funding.start_import('daily', 'csv', '{grants}', 'grants.csv', true, null)");
    for (const days of [1, 3, 7]) {
      await jump(days * dayS);
      await beginImport();
      expect(await bounded()).toBe(machine);
      await service.load("grants", grant({ source_id: "passed", deadline_date: dayOf(machine - 2 * dayS * 1_000) }));
      expect(await service.connection.query("select status from funding.grants where source_id = 'passed'")).toEqual([
        { status: "closed" },
      ]);
    }
    const before = machine;
    await jump(450 * dayS);
    await beginImport();
    expect(await bounded()).toBe(before + 7 * dayS * 1_000);
    // A dispatcher that looks at the clock decides by itself.
    await look();
    await beginImport();
    expect(await bounded()).toBe(before + 7 * dayS * 1_000);
  });

  test("what is imported meanwhile is as open as it was", async () => {
    await jump(450 * dayS);
    await look();
    await service.load("grants", grant({ source_id: "meanwhile", deadline_date: "2027-06-01" }));
    expect(
      await queryOne(service.connection, "select status from funding.grants where source_id = 'meanwhile'"),
    ).toEqual({
      status: "open",
    });
  });
});

describe("a clock that is set back", () => {
  test("announces no deadline twice, and tomorrow's once", async () => {
    await pass(13 * hourS, 240);
    const before = await announced();
    expect(before.map(({ events }) => events)).toEqual(Array(8).fill(1));
    await jump(-13 * hourS);
    await pass(hourS, 240);
    expect(await announced()).toEqual(before);
    await pass(12 * hourS + 10 * minuteS, 240);
    expect(await announced()).toEqual(before);
  });

  test.each([
    ["1970", -start / 1_000],
    ["a month ago", -30 * dayS],
  ])(
    "to %s: what is written then is there when it is right, quotas go on, and no expired key works",
    async (_, seconds) => {
      const { key } = await service.newKey("three", 3);
      const expired = await service.newKey();
      await service.connection.query(
        "update funding.api_keys set expires_at = funding.wall_clock() - interval '1 minute' where id = $1",
        [expired.keyId],
      );
      const ask = async (text: string) =>
        (await service.fetch("/grants-api?limit=1", { headers: bearer(text) })).status;
      expect(await ask(key)).toBe(200);
      await jump(seconds);
      await look();
      await makeRows();
      expect([await ask(key), await ask(key), await ask(key)]).toEqual([200, 200, 429]);
      expect(await ask(expired.key)).toBe(401);
      await service.settled();
      await pass(10 * minuteS);
      const before = await census();
      expect(before).toMatchObject({
        audit_log: expect.any(Number),
        invitations: 1,
        idempotency_keys: 1,
        "grants open": 60,
      });
      await jump(-seconds);
      await pass(30 * minuteS);
      expect(await census()).toEqual(before);
      expect(await ahead()).toBe(0);
      expect(await ask(key)).toBe(429);
      const quotas = await service.connection.query(
        "select day::text, used::integer from funding.daily_quota order by account_id = $1, used",
        [owner],
      );
      expect(quotas).toEqual([{ day: "2027-03-03", used: 3 }]);
    },
  );
});

describe("a service that stood still for three weeks", () => {
  test("catches up by itself in less than two hours: dates act and are announced once, old rows go", async () => {
    await makeRows();
    await jump(21 * dayS);
    await pass(9 * minuteS, 60);
    expect(await census()).toMatchObject({ "grants open": 60 });
    await pass(105 * minuteS, 240);
    expect(await ahead()).toBe(0);
    expect(await census()).toMatchObject({ "grants open": 40, "grants closed": 20, request_log: 0 });
    expect(new Set((await announced()).map(({ events }) => events))).toEqual(new Set([1]));
  });

  test("catches up at once when an operator confirms the clock", async () => {
    await jump(21 * dayS);
    await look();
    expect(await census()).toMatchObject({ "grants open": 60 });
    await service.connection.execute("select funding.confirm_clock()");
    await look();
    expect(await census()).toMatchObject({ "grants open": 40, "grants closed": 20 });
  });

  test("and for minutes: nothing has to catch up", async () => {
    await jump(4 * minuteS);
    await look();
    expect(await ahead()).toBe(0);
  });
});

describe("a clock that disagrees", () => {
  test("is told in the log once, in the metrics and by /health/ready, until it agrees again", async () => {
    const warned = async () => {
      const { warnings = [] } = (await (await service.fetch("/health/ready")).json()) as { warnings?: string[] };
      return warnings.some((warning) => warning.startsWith("the machine's clock is 449 days ahead"));
    };
    const offset = async () => {
      const text = await (await service.fetch("/metrics", { headers: bearer(testMetricsSecret) })).text();
      return Number(/^funding_clock_offset_seconds (\S+)$/m.exec(text)?.[1]);
    };
    expect(await offset()).toBe(0);
    await jump(450 * dayS);
    await pass(60, 10);
    expect(await offset()).toBe(450 * dayS + 10 - 5 * minuteS);
    expect(lines.filter(({ clock }) => clock !== undefined)).toEqual([
      {
        function: "dispatch",
        clock: expect.stringMatching(/^the machine's clock is 449 days ahead of what the database has seen/),
      },
    ]);
    expect(await warned()).toBe(true);
    await jump(-450 * dayS);
    await pass(10 * minuteS);
    expect(await offset()).toBe(0);
    expect(lines.at(-1)?.clock).toBe("the machine's clock and the database's agree again");
    await waitUntil(async () => !(await warned()), "the next check of readiness");
  });
});
