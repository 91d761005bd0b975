import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { changeableFields } from "../../shared/catalogue/fields.generated.ts";
import { bearer } from "../support/service.ts";
import { contract, grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
beforeAll(async () => {
  service = await openWebhookService();
});
afterAll(() => service.close());
afterEach(() => service.connection.execute("delete from funding.webhook_endpoints; delete from funding.events"));

const url = "https://hooks.example.org/";
const details = { opportunity_number: "N-1", cost_sharing: false, agency: ["Department of Energy"] };

interface Sent {
  endpoint_id: string;
  event: string;
  data: Record<string, unknown>;
  changes: { field: string; from: unknown; to: unknown }[] | null;
}

/** Deliveries that the next attempts would send, after everything was fanned out. */
async function sent(endpointId?: string): Promise<Sent[]> {
  await service.rpc("fan_out_events", { maximum: 100 });
  const { deliveries } = await service.rpc("claim_deliveries", { maximum: 100, failing_maximum: 100 });
  return deliveries.filter(({ endpoint_id }) => endpointId === undefined || endpoint_id === endpointId) as Sent[];
}

/** Subscribes to updates of grants; returns the endpoint's id. */
async function subscribe(request: { expand?: string[]; updated_fields?: string[]; filters?: Record<string, string> }) {
  const { webhook } = await service.subscribe({ url, events: ["grant.updated"], ...request });
  return webhook.id;
}

describe("an update", () => {
  test("says what changed, each field with its value before and since, in the order in which records have them", async () => {
    const known = grant();
    await service.load("grants", known);
    await subscribe({});
    await service.load("grants", { ...known, deadline_date: "2031-09-30", amount_max: null, title: "Other" });
    expect((await sent()).map(({ changes }) => changes)).toEqual([
      [
        { field: "title", from: known.title, to: "Other" },
        { field: "amount_max", from: 80_000, to: null },
        { field: "deadline_date", from: "2031-07-01", to: "2031-09-30" },
      ],
    ]);
  });

  test("says what it changed itself, though the record has changed again", async () => {
    const known = grant();
    await service.load("grants", known);
    await subscribe({});
    await service.load("grants", { ...known, amount_max: 90_000 });
    await service.load("grants", { ...known, amount_max: 95_000 });
    expect((await sent()).map(({ changes, data }) => [changes, data.amount_max])).toEqual([
      [[{ field: "amount_max", from: 80_000, to: 90_000 }], 95_000],
      [[{ field: "amount_max", from: 90_000, to: 95_000 }], 95_000],
    ]);
  });

  test("says the same as the record's changes", async () => {
    const known = grant({ details });
    await service.load("grants", known);
    await subscribe({});
    await service.load("grants", {
      ...known,
      status: "closed",
      description: "New.",
      details: { ...details, cost_sharing: true, expected_awards: 4 },
    });
    const [{ changes, data }] = (await sent()) as [Sent];
    const { body } = await queryOne<{ body: { results: { changes: unknown }[] } }>(
      service.connection,
      "select funding.changes_of('grants', $1, 10, null) as body",
      [data.id],
    );
    expect(changes).toEqual(body.results[0]?.changes);
    expect(changes?.map(({ field }) => field)).toEqual(["description", "status", "cost_sharing", "expected_awards"]);
  });

  test("of what the API does not show has no changes; other events have none at all", async () => {
    const known = grant();
    await service.load("grants", known);
    await service.subscribe({ url, events: ["grant.updated", "grant.created"] });
    await service.load("grants", { ...known, states: ["OH", "PA"] }, grant());
    expect((await sent()).map(({ event, changes }) => [event, changes]).sort()).toEqual([
      ["grant.created", null],
      ["grant.updated", []],
    ]);
  });

  test("whose archiving closed the record says both", async () => {
    const known = grant();
    await service.load("grants", known);
    await subscribe({});
    await service.connection.query("select funding.archive_records('grants', 'test', $1)", [[known.source_id]]);
    expect((await sent())[0]?.changes).toEqual([
      { field: "status", from: "open", to: "closed" },
      { field: "archived_at", from: null, to: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) },
    ]);
  });

  test("is sent when an open record is withdrawn and when it returns; a filter has to include archived records to match the first", async () => {
    const known = grant();
    await service.load("grants", known);
    const names = new Map<string, string>();
    names.set(await subscribe({}), "no filter");
    names.set(await subscribe({ updated_fields: ["archived_at"] }), "updated_fields");
    names.set(await subscribe({ filters: { grants: "" } }), "empty filter");
    names.set(await subscribe({ filters: { grants: "include_archived=true" } }), "with archived");
    names.set(await subscribe({ filters: { grants: "include_archived=true&status=open" } }), "open, with archived");
    const informed = async () => (await sent()).map(({ endpoint_id }) => names.get(endpoint_id)).sort();
    await service.connection.query("select funding.archive_records('grants', 'test', $1)", [[known.source_id]]);
    expect(await informed()).toEqual(["no filter", "updated_fields", "with archived"]);
    await service.load("grants", known);
    expect(await informed()).toEqual([...names.values()].sort());
  });

  test("from before changes were noted is sent, to those as well that ask for a field", async () => {
    const known = grant();
    await service.load("grants", known);
    await subscribe({ updated_fields: ["status"] });
    await service.load("grants", { ...known, amount_max: 70_000 });
    await service.connection.execute("update funding.events set changes = null, changed_fields = null");
    expect((await sent()).map(({ changes }) => changes)).toEqual([[]]);
  });
});

describe("a webhook that asks for fields", () => {
  test("gets the updates in which one of them changed, and no others", async () => {
    const known = grant({ details });
    await service.load("grants", known);
    const deadlines = await subscribe({ updated_fields: ["deadline_date", "deadline_at"] });
    const anything = await subscribe({});
    await service.load("grants", { ...known, amount_max: 70_000 });
    await service.load("grants", { ...known, amount_max: 70_000, deadline_date: "2031-08-01" });
    const moved = { ...details, deadline_at: "2031-08-01T17:00:00-04:00" };
    await service.load("grants", { ...known, amount_max: 70_000, deadline_date: "2031-08-01", details: moved });
    const got = (await sent()).map(({ endpoint_id, changes }) => [endpoint_id, changes?.map(({ field }) => field)]);
    expect(got.filter(([id]) => id === deadlines)).toEqual([
      [deadlines, ["deadline_date"]],
      [deadlines, ["deadline_at"]],
    ]);
    expect(got.filter(([id]) => id === anything)).toEqual([
      [anything, ["amount_max"]],
      [anything, ["deadline_date"]],
    ]);
  });

  test("gets what is new, and recovers the updates that it asks for", async () => {
    const { webhook, accountId } = await service.subscribe({
      url,
      events: ["grant.created", "grant.updated"],
      updated_fields: ["status"],
    });
    const known = grant();
    await service.load("grants", known);
    await service.load("grants", { ...known, amount_max: 70_000 });
    await service.load("grants", { ...known, amount_max: 70_000, status: "closed" });
    await service.connection.execute(
      "update funding.webhook_endpoints set state = 'disabled', disabled_reason = 'gone'",
    );
    expect(await sent()).toEqual([]);
    await service.asOwner("update_webhook", accountId, webhook.id, '{"state": "active"}');
    await service.asOwner("recover_webhook", accountId, webhook.id, new Date(Date.now() - 60_000), new Date());
    await service.rpc("continue_recoveries", { maximum: 100 });
    expect((await sent()).map(({ event, changes }) => [event, changes?.length ?? null])).toEqual([
      ["grant.created", null],
      ["grant.updated", 1],
    ]);
  });
});

describe("a webhook that asks for details", () => {
  test("gets them with its records, and changes of them alone; another gets neither", async () => {
    const known = grant({ details });
    await service.load("grants", known);
    const plain = await subscribe({});
    const detailed = await subscribe({ expand: ["details"] });
    await service.load("grants", { ...known, details: { ...details, cost_sharing: true } });
    await service.load("grants", { ...known, amount_max: 70_000, details: { ...details, cost_sharing: true } });
    const got = await sent();
    expect(got.filter(({ endpoint_id }) => endpoint_id === plain).map(({ data }) => "details" in data)).toEqual([
      false,
    ]);
    const withDetails = got.filter(({ endpoint_id }) => endpoint_id === detailed);
    expect(withDetails.map(({ changes }) => changes)).toEqual([
      [{ field: "cost_sharing", from: false, to: true }],
      [{ field: "amount_max", from: 80_000, to: 70_000 }],
    ]);
    const { key } = await service.newKey();
    const id = String(withDetails[0]?.data.id);
    const response = await service.fetch(`/grants-api/${id}?expand=details`, { headers: bearer(key) });
    for (const { data } of withDetails) expect(data).toEqual(await response.clone().json());
  });

  test("gets none for details that are known for the first time", async () => {
    const known = grant();
    await service.load("grants", known);
    await subscribe({ expand: ["details"] });
    await service.load("grants", { ...known, details });
    expect(await sent()).toEqual([]);
  });

  test("no event is written of details while none does", async () => {
    const known = contract({ details });
    await service.load("contracts", known);
    await service.subscribe({ url, events: ["contract.updated"], updated_fields: ["psc"] });
    await service.load("contracts", { ...known, details: { ...details, cost_sharing: true } });
    expect(await service.connection.query("select from funding.events", [])).toEqual([]);
    await service.load("contracts", { ...known, details: { ...details, cost_sharing: true, psc: "Z2AA" } });
    expect((await sent()).map(({ changes }) => changes?.map(({ field }) => field))).toEqual([["psc"]]);
  });

  test("gets them with deadlines, tests and recoveries, and every attempt has the same, whatever becomes of the webhook", async () => {
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const known = grant({ details, deadline_date: soon, title: "Zyzzyva" });
    const { webhook, accountId } = await service.subscribe({
      url,
      events: ["grant.created", "grant.deadline_approaching"],
      filters: { grants: "search=zyzzyva" },
      expand: ["details"],
    });
    await service.load("grants", known);
    await service.rpc("announce_deadlines", { maximum: 100, only_endpoint: webhook.id });
    const sample = { id: crypto.randomUUID() };
    await service.asOwner("send_test_event", accountId, webhook.id, "grant.created", sample, { psc: "R" }, null);
    await service.rpc("fan_out_events", { maximum: 100 });
    await service.asOwner("update_webhook", accountId, webhook.id, '{"expand": []}');
    const got = await sent(webhook.id);
    const own = got.filter(({ data }) => data.id !== sample.id);
    expect(own.map(({ event }) => event).sort()).toEqual(["grant.created", "grant.deadline_approaching"]);
    for (const { data } of own) expect(data.details).toMatchObject({ ...details, source: "test" });
    expect(got.find(({ data }) => data.id === sample.id)?.data).toEqual({ ...sample, details: { psc: "R" } });
    await service.asOwner("send_test_event", accountId, webhook.id, "grant.created", sample, { psc: "R" }, null);
    expect((await sent(webhook.id)).map(({ data }) => data)).toEqual([sample]);
  });
});

test("the fields that may be asked for are those whose changes the database notes", async () => {
  const { fields } = await queryOne<{ fields: string[] }>(
    service.connection,
    "select funding.api_fields() as fields",
    [],
  );
  expect(fields).toEqual([...changeableFields]);
});
