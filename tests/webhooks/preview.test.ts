import { afterAll, beforeAll, expect, test } from "vitest";
import type { Webhook, WebhookPreview } from "../../shared/responses/account/webhooks.ts";
import type { Person } from "../support/people.ts";
import { ok, openReceiver, type Receiver } from "./receiver.ts";
import { contract, grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
let receiver: Receiver;
let person: Person;

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
const events = ["grant.deadline_approaching", "contract.deadline_approaching"];

beforeAll(async () => {
  service = await openWebhookService();
  receiver = await openReceiver();
  receiver.answer = ok;
  person = await service.people.newPerson();
  await ask("GET", "");
  await service.connection.query(
    `insert into funding.subscriptions (account_id, tier)
     select id, 'developer' from funding.accounts where email = $1`,
    [person.email],
  );
  // Only the records of these tests have deadlines that are near.
  await service.connection.execute("truncate funding.grants, funding.contracts");
  await service.load(
    "grants",
    ...[1, 5, 20].map((away) => grant({ deadline_date: days(away) })),
    grant({ deadline_date: days(5), states: ["TX"] }),
    grant({ deadline_date: days(5), status: "closed" }),
  );
  await service.load("contracts", contract({ deadline_date: days(3) }));
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

async function ask<Body>(method: string, path: string, body?: unknown, expected = 200): Promise<Body> {
  const response = await service.fetch(`/account-api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await person.token()}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Body;
  expect([response.status, response.status === expected ? undefined : answer]).toEqual([expected, undefined]);
  return answer;
}

const preview = (settings: object) => ask<WebhookPreview>("POST", "/webhooks/preview", { events, ...settings });

test("a preview counts exactly the deadlines that a new webhook is told of at once", async () => {
  for (const settings of [{}, { deadline_days: [30, 7] }, { deadline_days: [30], filters: { grants: "states=OH" } }]) {
    const { deadlines, is_capped } = await preview(settings);
    expect(is_capped).toBe(false);
    const { id } = await ask<Webhook>("POST", "/webhooks", { url: receiver.url, events, ...settings }, 201);
    receiver.received.length = 0;
    await service.dispatch();
    expect([settings, receiver.received.length]).toEqual([settings, deadlines]);
    expect(deadlines).toBeGreaterThan(2);
    await ask("DELETE", `/webhooks/${id}`);
  }
});

test("a preview of a change leaves out the deadlines that the webhook has been told of", async () => {
  const settings = { url: receiver.url, events, filters: { contracts: "status=closed" } };
  const { id } = await ask<Webhook>("POST", "/webhooks", settings, 201);
  await service.dispatch();
  const changed = { id, filters: {}, deadline_days: [7] };
  expect((await preview({ ...changed, id: undefined })).deadlines).toBe(4);
  expect(await preview(changed)).toEqual({ deadlines: 1, is_capped: false });
  await ask("DELETE", `/webhooks/${id}`);
});

test("a preview without the events of deadlines counts nothing", async () => {
  expect(await preview({ events: ["grant.created"] })).toEqual({ deadlines: 0, is_capped: false });
});

test("a preview refuses a wrong filter, wrong days, and a webhook of somebody else", async () => {
  const refused = async (body: object) =>
    (await ask<{ errors: { parameter: string }[] }>("POST", "/webhooks/preview", { events, ...body }, 400)).errors.map(
      ({ parameter }) => parameter,
    );
  expect(await refused({ filters: { grants: "states=Ohio" } })).toEqual(["filters.grants.states"]);
  expect(await refused({ deadline_days: [0] })).toEqual(["deadline_days.0"]);
  await ask("POST", "/webhooks/preview", { events, id: crypto.randomUUID() }, 404);
});
