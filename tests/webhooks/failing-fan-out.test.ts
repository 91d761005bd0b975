import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { fanOut } from "../../functions/dispatch/endpoint-work.ts";
import { silentLog } from "../../shared/log/log.ts";
import { ok, openReceiver, type Receiver } from "./receiver.ts";
import { grant, openWebhookService, type Subscribed, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
let receiver: Receiver;
beforeAll(async () => {
  service = await openWebhookService();
  receiver = await openReceiver();
  await service.connection.execute("truncate funding.grants, funding.contracts");
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = ok;
});
afterEach(() =>
  service.connection.execute(
    "delete from funding.webhook_endpoints; delete from funding.events; truncate funding.grants, funding.contracts",
  ),
);

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
const subscribe = (path: string, event: string) =>
  service.subscribe({ url: `${receiver.url}/${path}`, events: [event] });
const webhook = ({ accountId, webhook: { id } }: Subscribed) => service.asOwner("get_webhook", accountId, id);
const arrivals = (path: string) => receiver.received.filter((delivery) => delivery.path === `/${path}`).length;

/** Stores a filter that the API would refuse now, as one that was saved before it did. */
async function poison({ webhook: { id } }: Subscribed, parameters: object): Promise<void> {
  await service.connection.query("update funding.webhook_endpoints set filters = $2::jsonb where id = $1", [
    id,
    JSON.stringify({ grants: { query: "", parameters } }),
  ]);
}

/** An endpoint whose filter fails beside one that is well, the poisonous one first in every order. */
async function neighbours(event: string, parameters: object): Promise<{ poisoned: Subscribed; healthy: Subscribed }> {
  const poisoned = await subscribe("poisoned", event);
  const healthy = await subscribe("healthy", event);
  await poison(poisoned, parameters);
  return { poisoned, healthy };
}

const poisons: [string, object][] = [
  ["a number that is none", { min_amount: "many" }],
  ["a list that is an object", { states: { a: 1 } }],
  ["a value of another type", { include_archived: "perhaps" }],
];
const events = ["grant.created", "grant.updated", "grant.deadline_approaching"];

/** Makes an event happen. */
async function happen(event: string): Promise<void> {
  const record = grant({ source_id: "the-one", deadline_date: days(3) });
  await service.load("grants", record);
  if (event === "grant.updated") await service.load("grants", { ...record, title: `${record.title}, again` });
}

describe.each(events)("an endpoint whose filter of %s fails", (event) => {
  test.each(poisons)("is disabled alone, with its reason: %s", async (_what, parameters) => {
    const { poisoned, healthy } = await neighbours(event, parameters);
    await happen(event);
    await service.dispatch();
    expect(arrivals("healthy")).toBe(1);
    expect((await webhook(healthy)).state).toBe("active");
    expect(await webhook(poisoned)).toMatchObject({
      state: "disabled",
      disabled_reason: expect.stringMatching(/^the filter of grants cannot be evaluated: .{10,200}$/),
    });
    const { endpoints } = await service.rpc("get_metrics", {});
    expect(endpoints).toEqual({ well: 1, failing: 0, disabled: 0, set_aside: 1 });
  });
});

test("an endpoint whose search is too large for the parser is disabled, and its reason is short", async () => {
  const search = Array.from({ length: 1_100 }, (_, index) => `${"w".repeat(1_000)}${index}`).join(" ");
  const { poisoned } = await neighbours("grant.created", { search });
  await happen("grant.created");
  await service.dispatch();
  expect(arrivals("healthy")).toBe(1);
  const { disabled_reason } = await webhook(poisoned);
  expect(disabled_reason).toBe(
    "the filter of grants cannot be evaluated: cannot be read as a search: use words, phrases in quotes, -words and or",
  );
});

describe("an endpoint that was disabled", () => {
  test("is not started again with the filter that fails, and recovers what it missed with another", async () => {
    const { poisoned } = await neighbours("grant.created", { min_amount: "many" });
    const { accountId } = poisoned;
    const { id } = poisoned.webhook;
    const since = new Date(Date.now() - 60_000).toISOString();
    await happen("grant.created");
    await service.dispatch();
    const start = (changes: object) => service.asOwner("update_webhook", accountId, id, JSON.stringify(changes));
    await expect(start({ state: "active" })).rejects.toMatchObject({ code: "PT400", hint: "filters.grants" });
    const started = await start({ state: "active", filters: { grants: { query: "", parameters: {} } } });
    expect(started).toMatchObject({ state: "active", disabled_reason: null });
    await service.asOwner("recover_webhook", accountId, id, since, new Date(Date.now() + 60_000).toISOString());
    await service.dispatch();
    expect(arrivals("poisoned")).toBe(1);
    expect(arrivals("healthy")).toBe(1);
    expect((await service.rpc("get_metrics", {})).endpoints).toMatchObject({ well: 2, set_aside: 0 });
  });

  test("recovers what it missed from the very time when it stopped, and nothing of before", async () => {
    const { poisoned, healthy } = await neighbours("grant.created", { states: ["TX"] });
    const { accountId } = poisoned;
    const { id } = poisoned.webhook;
    await service.load("grants", grant());
    await service.dispatch();
    await poison(poisoned, { min_amount: "many" });
    await happen("grant.created");
    await service.dispatch();
    const { since } = await queryOne<{ since: string }>(
      service.connection,
      "select funding.exact_moment(set_aside_at) as since from funding.webhook_endpoints where id = $1",
      [id],
    );
    const changes = { state: "active", filters: { grants: { query: "", parameters: {} } } };
    await service.asOwner("update_webhook", accountId, id, JSON.stringify(changes));
    const until = new Date(Date.now() + 60_000).toISOString();
    expect(await service.asOwner("recover_webhook", accountId, id, since, until)).toEqual({ events: 1 });
    const [entry] = await service.connection.query<{ changes: { field: string; to: unknown }[] }>(
      "select changes from funding.audit_log where action = 'webhook.recovery_started' and subject_id = $1",
      [id],
    );
    const told = entry?.changes.find(({ field }) => field === "since")?.to;
    expect(Date.parse(String(told))).toBe(Date.parse(since));
    await service.dispatch();
    expect(arrivals("poisoned")).toBe(1);
    // The healthy endpoint had both events, and gets neither again.
    const range = [since, until];
    await service.asOwner("recover_webhook", healthy.accountId, healthy.webhook.id, ...range);
    await service.dispatch();
    expect(arrivals("healthy")).toBe(2);
  });

  test("has its recovery ended, while the other endpoints' recoveries go on", async () => {
    const { poisoned, healthy } = await neighbours("grant.created", {});
    await happen("grant.created");
    await service.dispatch();
    await service.connection.execute("delete from funding.webhook_deliveries");
    for (const { accountId, webhook } of [poisoned, healthy]) {
      const range = [new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 60_000).toISOString()];
      await service.asOwner("recover_webhook", accountId, webhook.id, ...range);
    }
    await poison(poisoned, { min_amount: "many" });
    receiver.received.length = 0;
    await service.dispatch();
    await service.dispatch();
    expect([arrivals("healthy"), arrivals("poisoned")]).toEqual([1, 0]);
    expect((await webhook(poisoned)).state).toBe("disabled");
    expect(await service.connection.query("select from funding.webhook_recoveries")).toHaveLength(0);
  });
});

describe("a filter with a run of operators, saved before it could be read", () => {
  test.each(events)("is read as its words, and hears of %s", async (event) => {
    const { poisoned } = await neighbours(event, { search: `${"-".repeat(40)}water` });
    await happen(event);
    await service.dispatch();
    expect([arrivals("healthy"), arrivals("poisoned")]).toEqual([1, 1]);
    expect((await webhook(poisoned)).state).toBe("active");
  });
});

describe("the fan-out", () => {
  test("that fails does not hold back pending deliveries", async () => {
    const subscribed = await subscribe("healthy", "grant.created");
    await happen("grant.created");
    await service.rpc("fan_out_events", { maximum: 100 });
    // Each kind of work fails, as it does where a table is damaged.
    await service.connection.execute(`
      alter table funding.webhook_recoveries rename to damaged;
      alter table funding.deadline_notices rename to damaged_notices;
      alter table funding.data_versions rename to damaged_versions;
      alter table funding.events rename column fanned_out_at to damaged_at`);
    try {
      expect(await service.dispatch()).toMatchObject({ made: 0, attempts: 1, succeeded: 1 });
    } finally {
      await service.connection.execute(`
        alter table funding.damaged rename to webhook_recoveries;
        alter table funding.damaged_notices rename to deadline_notices;
        alter table funding.damaged_versions rename to data_versions;
        alter table funding.events rename column damaged_at to fanned_out_at`);
    }
    expect(arrivals("healthy")).toBe(1);
    expect((await webhook(subscribed)).state).toBe("active");
  });
});

test("an endpoint whose scan of deadlines takes too long three times is disabled, whatever is fanned out between", async () => {
  const slow = await subscribe("slow", "grant.deadline_approaching");
  const fine = await subscribe("fine", "grant.created");
  const failing = [slow.webhook.id, fine.webhook.id];
  for (let time = 0; time < 3; time++) {
    expect(await service.rpc("next_deadlines", {})).toEqual({ endpoint_id: slow.webhook.id });
    // Of the other, what ran into the limit was its fan-out, which succeeds the next time.
    for (const endpoint_id of failing) {
      await service.rpc("report_endpoint_failure", { endpoint_id, code: "57014", message: "too slow" });
    }
    await service.load("grants", grant());
    await service.rpc("fan_out_events", { maximum: 100 });
    await service.passTime(11);
  }
  expect(await webhook(slow)).toMatchObject({
    state: "disabled",
    disabled_reason: "making its deliveries took too long, 3 times in a row: narrow its filters",
  });
  expect((await webhook(fine)).state).toBe("active");
});

/**
 * Lets statements that write deliveries fail with an SQLSTATE where a condition on `written`, all rows of the statement, holds. The embedded database
 * has no time limits: 57014 stands for one that ran out. proofs/failing-fan-out.test.ts has real ones.
 */
async function failWrites(
  statement: "insert" | "update",
  condition: string,
  code: string,
): Promise<() => Promise<void>> {
  await service.connection.execute(`
    create function funding.fail_write() returns trigger language plpgsql as $$
    begin
      if (select ${condition} from written) then raise 'more than can be written' using errcode = '${code}'; end if;
      return null;
    end $$;
    create trigger fail_write after ${statement} on funding.webhook_deliveries referencing new table as written
      for each statement execute function funding.fail_write()`);
  return () => service.connection.execute("drop function funding.fail_write() cascade");
}

describe("where the fan-out to all endpoints together fails", () => {
  let mend: () => Promise<void>;
  beforeEach(async () => {
    mend = await failWrites("insert", "count(distinct endpoint_id) > 1", "57014");
  });
  afterEach(() => mend());

  test("each endpoint gets its deliveries by itself, once", async () => {
    const subscribed = [await subscribe("one", "grant.created"), await subscribe("two", "grant.created")];
    await happen("grant.created");
    await expect(service.rpc("fan_out_events", { maximum: 100 })).rejects.toThrow("57014");
    await service.dispatch();
    await service.dispatch();
    expect([arrivals("one"), arrivals("two")]).toEqual([1, 1]);
    for (const endpoint of subscribed) expect((await webhook(endpoint)).state).toBe("active");
    expect((await service.rpc("pending_fan_out", { maximum: 10 })).events).toEqual([]);
  });

  test("fewer events are tried the next time where the time is over before each endpoint had its turn", async () => {
    await subscribe("one", "grant.created");
    await subscribe("two", "grant.created");
    for (const source_id of ["a", "b"]) await service.load("grants", grant({ source_id }));
    let turns = 0;
    await fanOut({ database: service.runtime.database, log: silentLog, isOver: () => turns++ > 0 });
    const waiting = await service.connection.query(
      "select fan_out_failures as failures from funding.events where fanned_out_at is null",
    );
    expect(waiting).toEqual([{ failures: 1 }, { failures: 1 }]);
    await service.dispatch();
    await service.dispatch();
    expect([arrivals("one"), arrivals("two")]).toEqual([2, 2]);
  });

  /** Dispatches while making a delivery takes too long, where a condition on the new row holds. */
  function dispatchWhileSlow(condition: string, times: number): Promise<void> {
    return whileSlow(condition, async () => {
      for (let time = 0; time < times; time++) await service.dispatch();
    });
  }

  async function whileSlow(condition: string, work: () => Promise<void>): Promise<void> {
    await service.connection.execute(`
      create sequence funding.slow_calls;
      create function funding.be_slow() returns trigger language plpgsql as $$
      begin
        if ${condition} then raise 'too slow' using errcode = '57014'; end if;
        return new;
      end $$;
      create trigger be_slow before insert on funding.webhook_deliveries for each row execute function funding.be_slow()`);
    try {
      await work();
    } finally {
      await service.connection.execute("drop function funding.be_slow() cascade; drop sequence funding.slow_calls");
    }
  }

  test("the events wait for an endpoint that fails alone, until it has them", async () => {
    const [slow, other] = [await subscribe("slow", "grant.created"), await subscribe("other", "grant.created")];
    await happen("grant.created");
    // Twice: the third time in a row would disable it. (What nextval gives is not rolled back.)
    const condition = `new.endpoint_id = '${slow.webhook.id}' and nextval('funding.slow_calls') <= 2`;
    await dispatchWhileSlow(condition, 1);
    expect([arrivals("slow"), arrivals("other")]).toEqual([0, 1]);
    for (let time = 0; time < 2; time++) {
      await service.passTime(120);
      await service.dispatch();
    }
    expect([arrivals("slow"), arrivals("other")]).toEqual([1, 1]);
    expect([(await webhook(slow)).state, (await webhook(other)).state]).toEqual(["active", "active"]);
  });

  test("a slow endpoint that comes first does not keep the others from several events", async () => {
    const slow = await subscribe("slow", "grant.created");
    const others = [await subscribe("one", "grant.created"), await subscribe("two", "grant.created")];
    await service.connection.query("update funding.webhook_endpoints set work_timeouts = 1 where id <> $1", [
      slow.webhook.id,
    ]);
    for (const source_id of ["a", "b"]) await service.load("grants", grant({ source_id }));
    const { database, log } = service.runtime;
    await whileSlow(`new.endpoint_id = '${slow.webhook.id}'`, async () => {
      await fanOut({ database, log, isOver: () => false });
    });
    const made = await service.connection.query<{ endpoint_id: string; deliveries: number }>(
      "select endpoint_id, count(*)::integer as deliveries from funding.webhook_deliveries group by 1",
    );
    expect(new Map(made.map(({ endpoint_id, deliveries }) => [endpoint_id, deliveries]))).toEqual(
      new Map(others.map(({ webhook: { id } }) => [id, 2])),
    );
  });

  test("no endpoint is blamed where each alone fails too, and the events wait", async () => {
    const subscribed = [await subscribe("one", "grant.created"), await subscribe("two", "grant.created")];
    await happen("grant.created");
    await dispatchWhileSlow("true", 4);
    expect([arrivals("one"), arrivals("two")]).toEqual([0, 0]);
    for (const endpoint of subscribed) expect((await webhook(endpoint)).state).toBe("active");
    await service.passTime(3_600);
    await service.dispatch();
    expect([arrivals("one"), arrivals("two")]).toEqual([1, 1]);
  });

  test("an event that fails for every endpoint lets the others pass, is tried again, and is parked the tenth time", async () => {
    const subscribed = [await subscribe("one", "grant.created"), await subscribe("two", "grant.created")];
    for (const source_id of ["a", "poison", "b", "c", "d"]) await service.load("grants", grant({ source_id }));
    const poisonous = `exists (select from funding.events join funding.grants on grants.id = record_id
      where events.id = new.event_id and source_id = 'poison')`;
    await dispatchWhileSlow(poisonous, 1);
    await dispatchWhileSlow(poisonous, 1);
    expect([arrivals("one"), arrivals("two")]).toEqual([4, 4]);
    const state = () =>
      queryOne(
        service.connection,
        `select fan_out_failures as failures, fanned_out_at is not null as is_done, undeliverable
         from funding.events join funding.grants on grants.id = record_id where source_id = 'poison'`,
      );
    const { failures: first } = (await state()) as { failures: number };
    expect(first).toBeLessThan(8);
    for (let failures = first + 1; failures <= 10; failures++) {
      await service.passTime(60 * 2 ** failures);
      await dispatchWhileSlow(poisonous, 1);
      expect(await state()).toMatchObject({ failures, is_done: failures === 10 });
    }
    expect(await state()).toMatchObject({ undeliverable: "its deliveries could not be made (57014)" });
    expect((await service.rpc("get_metrics", {})).events).toMatchObject({ waiting: 0, undeliverable: 1 });
    for (const endpoint of subscribed) expect((await webhook(endpoint)).state).toBe("active");
    // A recovery goes around it, and an operator can have it tried again.
    const range = [new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 60_000).toISOString()];
    for (const {
      accountId,
      webhook: { id },
    } of subscribed)
      await service.asOwner("recover_webhook", accountId, id, ...range);
    await dispatchWhileSlow(poisonous, 1);
    expect((await webhook(subscribed[0] as Subscribed)).state).toBe("active");
    await service.connection.query("select funding.retry_undeliverable()");
    await service.dispatch();
    expect([arrivals("one"), arrivals("two")]).toEqual([5, 5]);
    expect((await service.rpc("get_metrics", {})).events).toMatchObject({ waiting: 0, undeliverable: 0 });
  });

  test("the only webhook is not disabled by one event, and is by three in a row", async () => {
    const only = await subscribe("one", "grant.created");
    for (const source_id of ["poison", "a", "b"]) await service.load("grants", grant({ source_id }));
    const poisonous = `exists (select from funding.events join funding.grants on grants.id = record_id
      where events.id = new.event_id and source_id = 'poison')`;
    for (let time = 0; time < 6; time++) {
      await dispatchWhileSlow(poisonous, 1);
      await service.load("grants", grant());
      await service.passTime(60 * 2 ** time);
    }
    expect((await webhook(only)).state).toBe("active");
    for (let time = 0; time < 8; time++) {
      await dispatchWhileSlow("true", 1);
      await service.passTime(60 * 2 ** time);
    }
    expect(await webhook(only)).toMatchObject({
      state: "disabled",
      disabled_reason: expect.stringContaining("took too long, 3 times in a row"),
    });
  });
});

describe("a record that fails alone", () => {
  const poisonedFunder = "Poisoned Office";

  /**
   * Runs `work` while the poisonous record cannot be shown: its funder is there twice, as where an index is damaged, and a record names one. Neither
   * index nor trigger knows the second row.
   */
  async function whileUnshowable(work: () => Promise<void>): Promise<void> {
    const setIndexes = (state: boolean) =>
      service.connection.execute(`
        set session_replication_role = ${state ? "origin" : "replica"};
        update pg_index set indisready = ${state}, indisvalid = ${state} where indrelid = 'funding.funders'::regclass`);
    await setIndexes(false);
    const { place } = await queryOne<{ place: string }>(
      service.connection,
      `insert into funding.funders select funder.* from funding.funders as funder where name = '${poisonedFunder}'
       returning ctid::text as place`,
    );
    await service.connection.execute("set session_replication_role = origin");
    try {
      await work();
    } finally {
      await service.connection.execute(`
        set session_replication_role = replica;
        delete from funding.funders where ctid = '${place}'`);
      await setIndexes(true);
    }
  }

  const lastAttempt = async ({ accountId, webhook: { id } }: Subscribed) => {
    const { deliveries } = await service.asOwner("list_webhook_deliveries", accountId, id, '{"state": "failed"}');
    const [failed] = deliveries;
    if (failed === undefined) return undefined;
    const { log, payload } = await service.asOwner("get_webhook_delivery", accountId, id, failed.event_id);
    return { event_id: failed.event_id, failed: deliveries.length, log, payload };
  };

  const loadThree = async () => {
    const deadline_date = days(3);
    const details = { total_funding: 50_000 };
    await service.load(
      "grants",
      grant({ source_id: "before", deadline_date, details }),
      grant({ source_id: "poison", deadline_date, funder_name: poisonedFunder, details: { total_funding: "much" } }),
      grant({ source_id: "after", deadline_date, details }),
    );
  };
  /** Dispatches as after the data have changed: deadlines are looked at again. */
  const scanAgain = async () => {
    await service.connection.execute("update funding.webhook_endpoints set deadlines_scanned_since = null");
    await service.dispatch();
  };
  const subscribeTwo = async (event: string) => {
    const filtered = await service.subscribe({
      url: `${receiver.url}/filtered`,
      events: [event],
      filters: { grants: "min_amount=1" },
    });
    return { filtered, all: await subscribe("all", event) };
  };

  test.each(["grant.created", "grant.deadline_approaching"])(
    "because it cannot be shown does not hold up the others, and its owner sees why: %s",
    async (event) => {
      const { filtered, all } = await subscribeTwo(event);
      await loadThree();
      await whileUnshowable(async () => {
        await service.dispatch();
        expect([arrivals("filtered"), arrivals("all")]).toEqual([2, 2]);
        for (const endpoint of [filtered, all]) {
          expect((await webhook(endpoint)).state).toBe("active");
          expect(await lastAttempt(endpoint)).toMatchObject({
            failed: 1,
            log: [
              {
                error: "record",
                message: expect.stringMatching(/^Not sent: the record cannot be shown: more than one row/),
              },
            ],
          });
        }
        expect((await service.rpc("get_metrics", {})).events.undeliverable).toBeGreaterThan(0);
        await scanAgain();
        expect([arrivals("filtered"), arrivals("all")]).toEqual([2, 2]);
        // Nobody is sent a part of a record.
        const range = [new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 60_000).toISOString()];
        await service.asOwner("recover_webhook", all.accountId, all.webhook.id, ...range);
        await service.dispatch();
        expect([arrivals("filtered"), arrivals("all")]).toEqual([2, 2]);
        const { event_id } = (await lastAttempt(all)) ?? {};
        await expect(
          service.asOwner("resend_webhook_delivery", all.accountId, all.webhook.id, event_id),
        ).rejects.toMatchObject({ code: "PT409" });
      });
      const { event_id } = (await lastAttempt(all)) ?? {};
      await service.asOwner("resend_webhook_delivery", all.accountId, all.webhook.id, event_id);
      await service.dispatch();
      expect(arrivals("all")).toBe(3);
      expect(await lastAttempt(all)).toBeUndefined();
    },
  );

  test("that is deleted before an operator tries again is not sent, and not counted", async () => {
    const { all } = await subscribeTwo("grant.created");
    await loadThree();
    await whileUnshowable(async () => {
      await service.dispatch();
    });
    await service.connection.query("delete from funding.grants where source_id = 'poison'");
    const { retried } = await queryOne<{ retried: number }>(
      service.connection,
      "select funding.retry_undeliverable()::int as retried",
    );
    expect(retried).toBe(0);
    await service.dispatch();
    expect(arrivals("all")).toBe(2);
    expect(await lastAttempt(all)).toMatchObject({ failed: 1 });
    expect((await service.rpc("get_metrics", {})).events.undeliverable).toBe(0);
  });

  test.each(["grant.created", "grant.deadline_approaching"])(
    "in a filter does not disable the webhook, and its owner sees why: %s",
    async (event) => {
      const { filtered, all } = await subscribeTwo(event);
      // A sum in words, stored before imports refused it.
      await poison(filtered, { total_funding_range: { operator: "between", min: "1", max: "1000000" } });
      await loadThree();
      await service.dispatch();
      await scanAgain();
      expect([arrivals("filtered"), arrivals("all")]).toEqual([2, 3]);
      for (const endpoint of [filtered, all]) expect((await webhook(endpoint)).state).toBe("active");
      expect(await lastAttempt(filtered)).toMatchObject({
        failed: 1,
        log: [
          {
            error: "record",
            message:
              'Not sent: the filter of grants cannot be evaluated on this record: invalid input syntax for type double precision: "much"',
          },
        ],
      });
      expect(await lastAttempt(all)).toBeUndefined();
    },
  );
});

test("a delivery that ends its dispatcher each time comes back as seldom as one that fails, and then not at all", async () => {
  const subscribed = await subscribe("deadly", "grant.created");
  await happen("grant.created");
  await service.rpc("fan_out_events", { maximum: 10 });
  const claims: number[] = [];
  for (let minute = 0; minute < 5_000; minute++) {
    const { deliveries } = await service.rpc("claim_deliveries", { maximum: 5, failing_maximum: 5 });
    if (deliveries.length > 0) claims.push(minute);
    await service.passTime(minute < 60 ? 61 : 3_600);
    if (claims.length === 10 && minute > (claims.at(-1) ?? 0) + 30) break;
  }
  // As often as the schedule has attempts.
  expect(claims).toHaveLength(10);
  const {
    accountId,
    webhook: { id },
  } = subscribed;
  const { deliveries } = await service.asOwner("list_webhook_deliveries", accountId, id, "{}");
  expect(deliveries).toMatchObject([{ state: "failed", attempts: 10 }]);
  const [{ event_id } = { event_id: "" }] = deliveries;
  // Its last answer comes late: the event has arrived.
  const result = {
    endpoint_id: id,
    event_id,
    attempt: 10,
    url: receiver.url,
    started_at: new Date().toISOString(),
    duration_ms: 5,
  };
  await service.rpc("finish_deliveries", { results: [{ ...result, status: 200 }] });
  const { deliveries: finished } = await service.asOwner("list_webhook_deliveries", accountId, id, "{}");
  expect(finished).toMatchObject([{ state: "succeeded" }]);
  expect(await webhook(subscribed)).toMatchObject({ state: "active", failures_in_a_row: 0 });
  expect((await service.rpc("get_metrics", {})).attempts).toContainEqual({ outcome: "lost", attempts: 10 });
});

test("where no record can be shown, events wait for the repair, and none is parked", async () => {
  const subscribed = await subscribe("healthy", "grant.created");
  await service.load("grants", grant(), grant());
  await service.connection.execute("alter table funding.funders rename to damaged");
  try {
    await service.dispatch().catch(() => undefined);
  } finally {
    await service.connection.execute("alter table funding.damaged rename to funders");
  }
  await service.passTime(3_600);
  await service.dispatch();
  expect(arrivals("healthy")).toBe(2);
  expect(await webhook(subscribed)).toMatchObject({ state: "active", failures_in_a_row: 0 });
});

test("where many deliveries cannot be claimed at once, fewer are", async () => {
  await subscribe("healthy", "grant.created");
  await service.load("grants", ...Array.from({ length: 9 }, () => grant()));
  const mend = await failWrites("update", "count(*) filter (where claimed_until is not null) > 2", "54000");
  try {
    expect(await service.dispatch()).toMatchObject({ made: 9, succeeded: 9 });
  } finally {
    await mend();
  }
});

describe("a time limit", () => {
  const report = (endpoint_id: string, code: string) =>
    service.rpc("report_endpoint_failure", {
      endpoint_id,
      code,
      message: "canceling statement due to statement timeout",
    });

  test("disables an endpoint the third time in a row, and a success resets the count", async () => {
    const subscribed = await subscribe("healthy", "grant.created");
    const { id } = subscribed.webhook;
    for (let time = 0; time < 2; time++) expect(await report(id, "57014")).toMatchObject({ state: "active" });
    await happen("grant.created");
    const { events: waiting } = await service.rpc("pending_fan_out", { maximum: 10 });
    expect(await service.rpc("fan_out_to", { endpoint_id: id, events: waiting })).toEqual({ deliveries: 1 });
    for (let time = 0; time < 2; time++) expect(await report(id, "57014")).toMatchObject({ state: "active" });
    expect(await report(id, "57014")).toMatchObject({
      state: "disabled",
      disabled_reason: "making its deliveries took too long, 3 times in a row: narrow its filters",
    });
    expect(await webhook(subscribed)).toMatchObject({ state: "disabled" });
  });

  test("moves the endpoint to the end of the queue", async () => {
    const [first, second] = [await subscribe("one", "grant.created"), await subscribe("two", "grant.created")];
    await happen("grant.created");
    const order = async () => (await service.rpc("pending_fan_out", { maximum: 10 })).endpoints;
    const [one, two] = [first.webhook.id, second.webhook.id];
    expect((await order()).sort()).toEqual([one, two].sort());
    await report(one, "57014");
    expect(await order()).toEqual([two, one]);
  });
});
