import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { contract, grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
beforeAll(async () => {
  service = await openWebhookService();
});
afterAll(() => service.close());
afterEach(() => service.connection.execute("delete from funding.webhook_endpoints; delete from funding.events"));

const everything = [
  "grant.created",
  "grant.updated",
  "contract.created",
  "contract.updated",
  "funder.created",
  "funder.updated",
];
const subscribe = (events: string[] = everything) => service.subscribe({ url: "https://hooks.example.org/", events });

/** The events that there are, and how often. */
async function events(): Promise<string[]> {
  const rows = await service.connection.query<{ event: string }>("select event from funding.events order by 1");
  return rows.map(({ event }) => event);
}

describe("an event", () => {
  test("is written for each new record, also for a funder that an opportunity brought", async () => {
    await subscribe();
    await service.load("grants", grant({ funder_name: "New Funder A" }), grant({ funder_name: "New Funder A" }));
    await service.load("contracts", contract({ funder_name: "New Funder A" }));
    await service.load("funders", {
      source: "test",
      source_id: "f-1",
      name: "Fund One",
      created_at: "2026-01-01T00:00:00Z",
    });
    expect(await events()).toEqual([
      "contract.created",
      "funder.created",
      "funder.created",
      "grant.created",
      "grant.created",
    ]);
  });

  test("is written for a record that changed, and not for one that is the same or was only archived", async () => {
    const [changed, same] = [grant(), grant({ classification: "opportunity", status: "closed" })];
    await service.load("grants", changed, same);
    await subscribe();
    await service.load("grants", { ...changed, amount_max: 90_000 }, same);
    expect(await events()).toEqual(["grant.updated"]);
    await service.connection.query("select funding.archive_records('grants', 'test', $1)", [[same.source_id]]);
    expect(await events()).toEqual(["grant.updated"]);
    // It comes back as it was.
    await service.load("grants", same);
    expect(await events()).toEqual(["grant.updated"]);
  });

  test("is written for a record whose archiving closed it", async () => {
    const open = grant();
    await service.load("grants", open);
    await subscribe();
    await service.connection.query("select funding.archive_records('grants', 'test', $1)", [[open.source_id]]);
    expect(await events()).toEqual(["grant.updated"]);
  });

  test("is not written by what changes no content, such as new vectors", async () => {
    await subscribe();
    await service.connection.execute("update funding.grants set slot = null");
    expect(await events()).toEqual([]);
  });

  test("is not written when nobody is subscribed to it", async () => {
    await service.load("grants", grant());
    await subscribe(["contract.created"]);
    await service.load("grants", grant());
    expect(await events()).toEqual([]);
  });

  test("goes with its transaction", async () => {
    await subscribe();
    await service.connection
      .transaction(async (transaction) => {
        await transaction.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify([grant()])]);
        throw new Error("undone");
      })
      .catch(() => undefined);
    expect(await events()).toEqual([]);
  });

  test("is forgotten after the retention, with its delivery", async () => {
    await subscribe(["grant.created"]);
    await service.load("grants", grant(), grant());
    await service.rpc("fan_out_events", { maximum: 10 });
    await service.connection.execute("update funding.webhook_deliveries set state = 'succeeded', finished_at = now()");
    await service.connection.execute(
      "update funding.events set created_at = now() - interval '31 days' where id = (select id from funding.events limit 1)",
    );
    expect(await service.rpc("prune_table", { table_name: "events", maximum: 100 })).toEqual({ rows: 2 });
    const deliveries = await service.connection.query("select from funding.webhook_deliveries", []);
    expect([await events(), deliveries.length]).toEqual([["grant.created"], 1]);
  });
});
