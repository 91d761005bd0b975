import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

/** A new version of a known opportunity is an update of it, for whoever does not ask for versions. */

let service: WebhookService;
beforeAll(async () => {
  service = await openWebhookService();
});
afterAll(() => service.close());
afterEach(() => service.connection.execute("delete from funding.webhook_endpoints; delete from funding.events"));

let numbers = 0;
/** Notices of a solicitation of their own, from old to new. */
function notices() {
  numbers += 1;
  const details = { opportunity_number: `VERSION-26-00${numbers}`, agency: ["Department of Versions"] };
  const title = "Restoration of the Windmill";
  return [1, 2, 3].map((month) => {
    const created_at = `2026-0${month}-01T00:00:00Z`;
    const title_ = month === 1 ? `Presolicitation: ${title}` : title;
    return { ...grant({ details, created_at, deadline_date: `2031-0${month}-01` }), title: title_ };
  }) as [Notice, Notice, Notice];
}
type Notice = ReturnType<typeof grant> & { title: string };

const events = ["grant.created", "grant.updated"];

/** Subscribes to both events; returns the endpoint's id. */
async function subscribe(grants?: string): Promise<string> {
  const filters = grants === undefined ? {} : { filters: { grants } };
  return (await service.subscribe({ url: "https://hooks.example.org/", events, ...filters })).webhook.id;
}

/** Events that an endpoint gets, each with the notice that it has. */
async function sentTo(endpointId: string, ...of: Notice[]) {
  await service.rpc("fan_out_events", { maximum: 100 });
  const rows = await service.connection.query<{ event: string; title: string; source_id: string; changes: unknown }>(
    `select event.event, record.source_id, event.changes
     from funding.webhook_deliveries as delivery join funding.events as event on event.id = delivery.event_id
     join funding.grants as record on record.id = event.record_id
     where delivery.endpoint_id = $1 order by event.created_at, event.event, record.created_at`,
    [endpointId],
  );
  return rows.map(({ event, source_id, changes }) => ({
    event,
    notice: of.findIndex((one) => one.source_id === source_id),
    changes,
  }));
}

test("a later version is an update, with the new id and what changed; one who asks for versions gets it as created", async () => {
  const [first, second] = notices();
  await service.load("grants", first);
  const [all, filtered, versions] = [await subscribe(), await subscribe(""), await subscribe("include_versions=true")];
  await service.load("grants", second);
  const changes = [
    { field: "id", from: expect.any(String), to: expect.any(String) },
    { field: "title", from: first.title, to: second.title },
    { field: "deadline_date", from: "2031-01-01", to: "2031-02-01" },
    { field: "created_at", from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" },
  ];
  for (const endpoint of [all, filtered]) {
    expect(await sentTo(endpoint, first, second)).toEqual([{ event: "grant.updated", notice: 1, changes }]);
  }
  expect(await sentTo(versions, first, second)).toEqual([{ event: "grant.created", notice: 1, changes: null }]);
});

test("versions that come together are created once; one that is older than what is known tells nothing", async () => {
  const [first, second, third] = notices();
  const [all, filtered, versions] = [await subscribe(), await subscribe(""), await subscribe("include_versions=true")];
  await service.load("grants", second, third);
  await service.load("grants", first);
  for (const endpoint of [all, filtered]) {
    expect(await sentTo(endpoint, first, second, third)).toEqual([
      { event: "grant.created", notice: 2, changes: null },
    ]);
  }
  expect((await sentTo(versions, first, second, third)).map(({ notice }) => notice).sort()).toEqual([0, 1, 2]);
});

test("a change of the version that lists show is an update, one of the others is for those who ask for versions", async () => {
  const [first, second] = notices();
  await service.load("grants", first, second);
  const [filtered, versions] = [await subscribe(""), await subscribe("include_versions=true")];
  await service.load("grants", { ...first, amount_max: 90_000 });
  expect(await sentTo(filtered, first, second)).toEqual([]);
  expect(await sentTo(versions, first, second)).toMatchObject([{ event: "grant.updated", notice: 0 }]);
  await service.load("grants", { ...second, amount_max: 95_000 });
  expect(await sentTo(filtered, first, second)).toMatchObject([{ event: "grant.updated", notice: 1 }]);
});

test("a near deadline is told of the version that lists show alone", async () => {
  const [first, second] = notices();
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  await service.load("grants", { ...first, deadline_date: day }, { ...second, deadline_date: day });
  const { webhook } = await service.subscribe({
    url: "https://hooks.example.org/",
    events: ["grant.deadline_approaching"],
    filters: { grants: "agency=Department of Versions" },
  });
  await service.dispatch();
  expect(await sentTo(webhook.id, first, second)).toEqual([
    { event: "grant.deadline_approaching", notice: 1, changes: null },
  ]);
});
