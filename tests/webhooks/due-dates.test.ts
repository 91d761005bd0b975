import { afterAll, beforeAll, expect, test } from "vitest";
import { publisherDay } from "../../shared/publisher-day.ts";
import { bearer } from "../support/service.ts";
import { grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
let key: string;
beforeAll(async () => {
  service = await openWebhookService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

async function get(path: string, etag?: string) {
  const headers = { ...bearer(key), ...(etag === undefined ? {} : { "If-None-Match": etag }) };
  const response = await service.fetch(path, { headers });
  const body = response.status === 200 ? await response.json() : undefined;
  return { status: response.status, etag: response.headers.get("etag") ?? "", body };
}

test("a record that time closes is closed for every reader within a run of the dispatcher, and is announced once", async () => {
  const today = publisherDay(new Date());
  const closing = grant({ title: "Zymurgy for lakeside towns", status: "posted", deadline_date: today });
  await service.load("grants", closing);
  await service.subscribe({
    url: "https://hooks.example.org/",
    events: ["grant.updated"],
    filters: { grants: "search=zymurgy" },
  });
  const list = "/grants-api?search=zymurgy&status=open&facets=status";
  const before = await get(list);
  expect(before.body).toMatchObject({ pagination: { total: 1 } });
  const [{ id }] = before.body.results;
  const since = new Date().toISOString();

  await service.setClock(25 * 3600);
  await service.dispatch();
  await service.dispatch();
  const after = await get(list, before.etag);
  expect(after.status).toBe(200);
  expect(after.body).toMatchObject({ pagination: { total: 0 }, results: [] });
  expect((await get(`/grants-api/${id}`)).body).toMatchObject({ status: "closed", deadline_date: today });
  expect(
    (await get(`/grants-api?updated_after=${encodeURIComponent(since)}&search=zymurgy`)).body.results,
  ).toMatchObject([{ id }]);
  expect((await get(`/grants-api/${id}/changes`)).body.results).toMatchObject([
    { changes: [{ field: "status", from: "posted", to: "closed" }] },
  ]);
  const events = await service.connection.query(
    "select event, changed_fields from funding.events where record_id = $1 and event = 'grant.updated'",
    [id],
  );
  expect(events).toEqual([{ event: "grant.updated", changed_fields: ["status"] }]);
  const opportunity = await get(`/common-grants/opportunities/${id}`);
  expect(opportunity.body.data.status).toMatchObject({ value: "closed" });
});
