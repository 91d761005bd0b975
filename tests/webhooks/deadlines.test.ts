import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { publisherDay } from "../../shared/publisher-day.ts";
import { contract, grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
beforeAll(async () => {
  service = await openWebhookService();
  // Only the records of these tests have deadlines that are near.
  await service.connection.execute("truncate funding.grants, funding.contracts");
});
afterAll(() => service.close());
afterEach(async () => {
  await service.setClock(0);
  await service.connection.execute(
    "truncate funding.grants, funding.contracts; delete from funding.webhook_endpoints; delete from funding.events",
  );
});

const days = (count: number) => publisherDay(new Date(Date.now() + count * 86_400_000));
const subscribe = (deadline_days: number[], filters: Record<string, string> = {}) =>
  service.subscribe({
    url: "https://hooks.example.org/",
    events: ["grant.deadline_approaching", "contract.deadline_approaching"],
    deadline_days,
    filters,
  });

/** Looks through the deadlines of all endpoints, however lately that was done; gives how many events came of it. */
async function announce(): Promise<number> {
  let events = 0;
  await service.connection.execute("update funding.webhook_endpoints set deadlines_scanned_since = null");
  for (;;) {
    const step = await service.rpc("announce_deadlines", { maximum: 2 });
    events += step.events;
    if (step.endpoints === 0) return events;
  }
}

describe("deadline_approaching", () => {
  test("is sent when the deadline is as many days away as the endpoint says, or fewer, and never again", async () => {
    await service.load(
      "grants",
      grant({ deadline_date: days(8) }),
      grant({ deadline_date: days(7) }),
      grant({ deadline_date: days(1) }),
    );
    await service.load("contracts", contract({ deadline_date: days(3) }));
    await subscribe([7]);
    expect(await announce()).toBe(3);
    expect(await announce()).toBe(0);
    await service.setClock(86_400);
    expect(await announce()).toBe(1);
    await service.setClock(0);
    expect(await announce()).toBe(0);
  });

  test("is sent once for each number of days, and once for several that passed at the same time", async () => {
    await service.load("grants", grant({ deadline_date: days(20) }), grant({ deadline_date: days(2) }));
    await subscribe([30, 7, 1]);
    expect(await announce()).toBe(2);
    await service.setClock(14 * 86_400);
    expect(await announce()).toBe(1);
    await service.setClock(19 * 86_400);
    expect(await announce()).toBe(1);
    expect(await announce()).toBe(0);
  });

  test("is not sent again for a deadline that moves away and comes near again", async () => {
    const moving = grant({ deadline_date: days(5) });
    await service.load("grants", moving);
    await subscribe([7]);
    expect(await announce()).toBe(1);
    await service.load("grants", { ...moving, deadline_date: days(60) });
    expect(await announce()).toBe(0);
    await service.load("grants", { ...moving, deadline_date: days(6) });
    expect(await announce()).toBe(0);
  });

  test("is the same in every time zone that a session may have", async () => {
    await service.load("grants", grant({ deadline_date: days(7) }), grant({ deadline_date: days(8) }));
    await subscribe([7]);
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"]) {
      await service.connection.execute(`set time zone '${zone}'`);
      await announce();
    }
    await service.connection.execute("reset time zone");
    const [sent] = await service.connection.query<{ events: number }>(
      "select count(*)::integer as events from funding.events",
    );
    expect(sent?.events).toBe(1);
  });

  // Between midnight in UTC and midnight of the publisher, a deadline of the publisher's day was left out; and east of UTC, one at the far end.
  test.each([
    ["America/New_York", 2],
    ["Pacific/Guam", 20],
  ])(
    "counts days where the publisher is, and as many are sent as the form says: %s at %i h UTC",
    async (zone, hour) => {
      const moment = new Date();
      moment.setUTCDate(moment.getUTCDate() + 1);
      moment.setUTCHours(hour, 0, 0, 0);
      const day = (count: number) =>
        new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(new Date(moment.getTime() + count * 86_400_000));
      await service.connection.query("insert into funding.source_time_zones (source, time_zone) values ('test', $1)", [
        zone,
      ]);
      await service.setClock(Math.round((moment.getTime() - Date.now()) / 1000));
      await service.load("grants", ...[-1, 0, 7, 8].map((count) => grant({ deadline_date: day(count) })));
      const webhook = { events: ["grant.deadline_approaching"], deadline_days: [7] };
      const previewed = await service.connection.query<{ preview: { deadlines: number } }>(
        "select funding.preview_webhook(null, $1::jsonb) as preview",
        [JSON.stringify(webhook)],
      );
      await subscribe([7]);
      expect([previewed[0]?.preview.deadlines, await announce()]).toEqual([2, 2]);
      await service.connection.execute("delete from funding.source_time_zones where source = 'test'");
    },
  );

  test("is for what a filter of days from today lists on the day", async () => {
    await service.load("grants", grant({ deadline_date: days(2) }), grant({ deadline_date: days(6) }));
    await subscribe([30], { grants: "deadline_before=today+3d" });
    expect(await announce()).toBe(1);
    await service.setClock(4 * 86_400);
    expect(await announce()).toBe(1);
  });

  test("is for the agency that a filter names by its abbreviation, and as many are sent as the form says", async () => {
    const agency = (name: string) => grant({ deadline_date: days(4), details: { agency: [name] } });
    await service.load("grants", agency("Department of Energy"), agency("Department of State"));
    await subscribe([7], { grants: "agency=DOE" });
    const previewed = await service.connection.query<{ preview: { deadlines: number } }>(
      `select funding.preview_webhook(null, jsonb_build_object('events', array['grant.deadline_approaching'], 'deadline_days', array[7],
         'filters', (select filters from funding.webhook_endpoints))) as preview`,
    );
    expect([previewed[0]?.preview.deadlines, await announce()]).toEqual([1, 1]);
  });

  test("is for each endpoint by itself, and for what its filter lists", async () => {
    await service.load("grants", grant({ deadline_date: days(4) }), grant({ deadline_date: days(4), states: ["TX"] }));
    const all = await subscribe([7]);
    const ohio = await subscribe([7], { grants: "states=OH" });
    expect(await announce()).toBe(3);
    const sent = await service.connection.query<{ endpoint_id: string }>("select endpoint_id from funding.events");
    expect(sent.map(({ endpoint_id }) => endpoint_id).sort()).toEqual(
      [all.webhook.id, all.webhook.id, ohio.webhook.id].sort(),
    );
  });

  test("is not sent for what is closed, cancelled, archived, awarded or past", async () => {
    await service.load(
      "grants",
      grant({ deadline_date: days(4), status: "closed" }),
      grant({ deadline_date: days(4), archived_at: "2026-01-01T00:00:00Z" }),
      grant({ deadline_date: null, classification: "awarded_project" }),
      grant({ deadline_date: days(-1) }),
    );
    await service.load(
      "contracts",
      ...["closed", "cancelled", "awarded"].map((status) => contract({ deadline_date: days(4), status })),
    );
    await subscribe([7]);
    expect(await announce()).toBe(0);
  });

  test("looks again when the data moved, a minute later at the soonest, and otherwise once a day", async () => {
    await service.load("grants", grant({ deadline_date: days(4) }));
    await subscribe([7]);
    const step = () => service.rpc("announce_deadlines", { maximum: 500 });
    expect(await step()).toEqual({ endpoints: 1, events: 1 });
    expect(await step()).toEqual({ endpoints: 0, events: 0 });
    await service.load("grants", grant({ deadline_date: days(4) }));
    expect(await step()).toEqual({ endpoints: 0, events: 0 });
    await service.passTime(61);
    expect(await step()).toEqual({ endpoints: 1, events: 1 });
    expect(await step()).toEqual({ endpoints: 0, events: 0 });
  });

  test("looks again for changes of the datasets alone whose deadlines it is told of", async () => {
    await service.subscribe({ url: "https://hooks.example.org/", events: ["grant.deadline_approaching"] });
    const step = () => service.rpc("announce_deadlines", { maximum: 500 });
    expect(await step()).toEqual({ endpoints: 1, events: 0 });
    await service.load("contracts", contract({ deadline_date: days(4) }));
    await service.load("funders", { source: "test", source_id: "looks-again", name: "Looks Again Fund" });
    await service.passTime(61);
    expect(await step()).toEqual({ endpoints: 0, events: 0 });
    await service.load("grants", grant({ deadline_date: days(4) }));
    expect(await step()).toEqual({ endpoints: 1, events: 1 });
  });
});
