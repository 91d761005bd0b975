import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
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
  test.each(poisons)("is set aside alone, with its reason: %s", async (_what, parameters) => {
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

test("an endpoint whose search is too large for the parser is set aside, and its reason is short", async () => {
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

describe("an endpoint that was set aside", () => {
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

describe("where the fan-out to all endpoints together fails", () => {
  beforeEach(() =>
    service.connection.execute(`
      alter function public.fan_out_events(integer) rename to fan_out_events_away;
      create function public.fan_out_events(maximum integer) returns json language plpgsql as $$
      begin
        raise 'too slow' using errcode = '57014';
      end $$`),
  );
  afterEach(() =>
    service.connection.execute(`
      drop function public.fan_out_events(integer);
      alter function public.fan_out_events_away(integer) rename to fan_out_events`),
  );

  test("each endpoint gets its deliveries by itself, once", async () => {
    const subscribed = [await subscribe("one", "grant.created"), await subscribe("two", "grant.created")];
    await happen("grant.created");
    await service.dispatch();
    await service.dispatch();
    expect([arrivals("one"), arrivals("two")]).toEqual([1, 1]);
    for (const endpoint of subscribed) expect((await webhook(endpoint)).state).toBe("active");
    expect((await service.rpc("pending_fan_out", { maximum: 10 })).events).toEqual([]);
  });

  /** Dispatches while making a delivery takes too long, where a condition on the new row holds. */
  async function dispatchWhileSlow(condition: string, times: number): Promise<void> {
    await service.connection.execute(`
      create sequence funding.slow_calls;
      create function funding.be_slow() returns trigger language plpgsql as $$
      begin
        if ${condition} then raise 'too slow' using errcode = '57014'; end if;
        return new;
      end $$;
      create trigger be_slow before insert on funding.webhook_deliveries for each row execute function funding.be_slow()`);
    try {
      for (let time = 0; time < times; time++) await service.dispatch();
    } finally {
      await service.connection.execute("drop function funding.be_slow() cascade; drop sequence funding.slow_calls");
    }
  }

  test("the events wait for an endpoint that fails alone, until it has them", async () => {
    const [slow, other] = [await subscribe("slow", "grant.created"), await subscribe("other", "grant.created")];
    await happen("grant.created");
    // Twice: the third time in a row would set it aside. (What nextval gives is not rolled back.)
    await dispatchWhileSlow(`new.endpoint_id = '${slow.webhook.id}' and nextval('funding.slow_calls') <= 2`, 1);
    expect([arrivals("slow"), arrivals("other")]).toEqual([1, 1]);
    expect([(await webhook(slow)).state, (await webhook(other)).state]).toEqual(["active", "active"]);
  });

  test("no endpoint is blamed where each alone fails too, and the events wait", async () => {
    const subscribed = [await subscribe("one", "grant.created"), await subscribe("two", "grant.created")];
    await happen("grant.created");
    await dispatchWhileSlow("true", 4);
    expect([arrivals("one"), arrivals("two")]).toEqual([0, 0]);
    for (const endpoint of subscribed) expect((await webhook(endpoint)).state).toBe("active");
    await service.dispatch();
    expect([arrivals("one"), arrivals("two")]).toEqual([1, 1]);
  });
});

describe("a time limit", () => {
  const report = (endpoint_id: string, code: string) =>
    service.rpc("report_endpoint_failure", {
      endpoint_id,
      code,
      message: "canceling statement due to statement timeout",
    });

  test("sets an endpoint aside the third time in a row, and a success resets the count", async () => {
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
