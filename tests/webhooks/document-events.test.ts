import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { documentOf, type GivenFile, loadFiles } from "../support/documents.ts";
import { contract, grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

/** Events of opportunities whose documents change. */

let service: WebhookService;
/** Ids of grants and of one contract. */
let grants: string[];
let contractId: string;

beforeAll(async () => {
  service = await openWebhookService();
  await service.connection.execute("truncate funding.grants, funding.contracts, funding.funders");
  const titles = ["Harbor works", "Lantern makers", "Bridges", "Meadows", "Orchards", "Ferries"];
  await service.load("grants", ...titles.map((title) => grant({ title, description: "Public works." })));
  await service.load("contracts", contract({ title: "Roof", description: "A roof." }));
  const rows = await service.connection.query<{ id: string }>(
    "select id from funding.grants order by array_position($1, title)",
    [titles],
  );
  grants = rows.map(({ id }) => id);
  ({ id: contractId } = await queryOne<{ id: string }>(service.connection, "select id from funding.contracts"));
});
beforeEach(async () => {
  await load();
  await service.connection.execute("delete from funding.webhook_endpoints; delete from funding.events");
});
afterAll(() => service.close());

const load = (...given: GivenFile[]) => loadFiles(service.connection, ...given);
const file = (name: string, of: string[], ...texts: string[]): GivenFile => ({
  ...{ url: `https://documents.example.gov/${name}.pdf`, of },
  documents: [documentOf(...texts)],
});
const grantAt = (index: number) => grants[index] ?? "";

/** Events that there are, each as its name and its record's id. */
async function events(): Promise<string[]> {
  const rows = await service.connection.query<{ event: string; record_id: string }>(
    "select event, record_id from funding.events order by event, record_id",
  );
  return rows.map(({ event, record_id }) => `${event} ${record_id}`);
}
const forget = () => service.connection.execute("delete from funding.events");

describe("documents_changed", () => {
  const subscribe = (...names: string[]) => service.subscribe({ url: "https://h.example.org/", events: names });
  const changed = (...indexes: number[]) =>
    indexes
      .map(grantAt)
      .sort()
      .map((id) => `grant.documents_changed ${id}`);

  test("is written once for a record that gets documents, has one replaced, or loses one", async () => {
    await subscribe("grant.documents_changed");
    const kept = file("kept", [grantAt(3)], "The jetty stays.");
    await load(file("a", [grantAt(0), grantAt(1)], "A quay."), file("b", [grantAt(0)], "A pier."), kept);
    expect(await events()).toEqual(changed(0, 1, 3));
    await forget();
    await load(file("a", [grantAt(0), grantAt(1)], "A quay and a mole."), file("b", [grantAt(0)], "Two piers."), kept);
    expect(await events()).toEqual(changed(0, 1));
    await forget();
    await load(file("a", [grantAt(0)], "A quay and a mole."), file("b", [grantAt(0)], "Two piers."), kept);
    expect(await events()).toEqual(changed(1));
    await forget();
    await load(file("a", [grantAt(0)], "A quay and a mole."), kept);
    expect(await events()).toEqual(changed(0));
  });

  test("is not written where nothing changed, or a file cannot be read", async () => {
    await subscribe("grant.documents_changed");
    const same = file("same", [grantAt(0)], "A quay.", "A pier.");
    await load(same);
    await forget();
    await load(same);
    expect(await events()).toEqual([]);
    const unread = { ...documentOf(), reason: "The PDF needs a password.", pages: null, media_type: null };
    const locked = { url: "https://documents.example.gov/locked.pdf", of: [grantAt(2)], documents: [unread] };
    await load(same, locked);
    expect(await events()).toEqual([]);
    await load(same, { ...locked, documents: [documentOf("A mole.")] });
    expect(await events()).toEqual(changed(2));
    await forget();
    await load(same, locked);
    expect(await events()).toEqual(changed(2));
  });

  test("is written for current opportunities alone, and where somebody subscribes to it", async () => {
    const files = [
      file("grant", [grantAt(0)], "A quay."),
      { ...file("contract", [contractId], "A gutter."), dataset: "contracts" as const },
    ];
    await subscribe("grant.created", "grant.updated", "contract.created");
    await load(...files);
    expect(await events()).toEqual([]);
    await load();
    await subscribe("contract.documents_changed");
    await load(...files);
    expect(await events()).toEqual([`contract.documents_changed ${contractId}`]);
    await forget();
    await service.connection.query("update funding.contracts set archived_at = now()");
    await forget();
    await load(...files);
    expect(await events()).toEqual([]);
    await service.connection.query("update funding.contracts set archived_at = null, status = 'awarded'");
    await forget();
    await load();
    expect(await events()).toEqual([]);
    await service.connection.query("update funding.contracts set status = 'open'");
  });

  test("has the record, and is sent where the documents match by then", async () => {
    const { webhook } = await service.subscribe({
      ...{ url: "https://h.example.org/", events: ["grant.documents_changed"], updated_fields: ["deadline_date"] },
      filters: { grants: "search=breakwater&search_in=documents" },
    });
    await load(file("a", [grantAt(0)], "A breakwater."), file("b", [grantAt(1)], "A garden."));
    await service.rpc("fan_out_events", { maximum: 100 });
    const rows = await service.connection.query<{ event: string; data: { id: string; title: string }; changes: null }>(
      `select event.event, event.data, event.changes from funding.webhook_deliveries as delivery
       join funding.events as event on event.id = delivery.event_id where delivery.endpoint_id = $1`,
      [webhook.id],
    );
    expect(rows).toEqual([
      {
        event: "grant.documents_changed",
        data: expect.objectContaining({ id: grantAt(0), title: "Harbor works" }),
        changes: null,
      },
    ]);
  });
});
