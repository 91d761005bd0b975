import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { silentLog } from "../../shared/log/log.ts";
import type { Person } from "../support/people.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { AccountClient, type AccountRequest, accountWrites } from "./account-writes.ts";

let service: TestService;
let client: AccountClient;
let ada: Person;

beforeAll(async () => {
  service = await openTestService(undefined, silentLog);
  client = new AccountClient(service);
});
beforeEach(async () => {
  ada = await client.newSubscriber();
});
afterAll(() => service.close());

const posts = Object.entries(accountWrites).filter(([route]) => route.startsWith("POST"));
const newKey = { method: "POST", path: "/keys", body: { name: "laptop" } };
const anyKey = () => crypto.randomUUID();

async function sendOnce(person: Person, request: AccountRequest, key: string) {
  const response = await client.send(person, request, { "idempotency-key": key });
  return {
    status: response.status,
    replayed: response.headers.get("idempotent-replayed"),
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** Row counts of everything that a write could create, and what is counted against limits. */
const everything = () =>
  queryOne(
    service.connection,
    `select (select count(*) from funding.api_keys) as keys, (select count(*) from funding.webhook_endpoints) as webhooks,
            (select count(*) from funding.webhook_former_secrets) as secrets, (select count(*) from funding.events) as events,
            (select json_agg(d order by event_id) from funding.webhook_deliveries as d) as deliveries,
            (select count(*) from funding.webhook_recoveries) as recoveries,
            (select json_agg(w order by account_id, kind) from funding.account_writes as w) as counted`,
  );

/** Makes all remembered answers older. */
const age = (by: string) =>
  service.connection.query("update funding.idempotency_keys set created_at = created_at - $1::interval", [by]);

describe("a write with an Idempotency-Key", () => {
  test.each(posts)("%s is made once, and a repetition gets the first answer", async (_, { prepare }) => {
    const request = await prepare(client, ada);
    const key = anyKey();
    const first = await sendOnce(ada, request, key);
    expect(first.status).toBeLessThan(300);
    expect(first.replayed).toBeNull();
    const made = await everything();
    expect(await sendOnce(ada, request, key)).toEqual({ ...first, replayed: "true" });
    expect(await everything()).toEqual(made);
    const another = await sendOnce(ada, { method: "POST", path: "/keys", body: { name: "another" } }, key);
    expect(another).toMatchObject({ status: 409, body: { detail: expect.stringContaining("Idempotency-Key") } });
    expect(await everything()).toEqual(made);
  });

  test("sent many times at once makes one key, which all of them are told", async () => {
    const key = anyKey();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendOnce(ada, newKey, key)));
    expect(new Set(answers.map(({ body }) => body.key)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    const { keys } = (await (await client.send(ada, { method: "GET", path: "/keys" })).json()) as { keys: object[] };
    expect(keys).toHaveLength(1);
  });

  test("is another's where another account sends the same key", async () => {
    const ben = await client.newSubscriber();
    const key = anyKey();
    const [ofAda, ofBen] = [await sendOnce(ada, newKey, key), await sendOnce(ben, newKey, key)];
    expect([ofAda.replayed, ofBen.replayed]).toEqual([null, null]);
    expect(ofAda.body.id).not.toBe(ofBen.body.id);
  });

  test("that failed is made by the next request", async () => {
    const [key, id] = [anyKey(), await client.newKey(ada)];
    const rotate = { method: "POST", path: `/keys/${id}/rotate`, body: {} };
    await service.connection.query("update funding.api_keys set expires_at = now() where id = $1", [id]);
    expect((await sendOnce(ada, rotate, key)).status).toBe(409);
    await service.connection.query("update funding.api_keys set expires_at = null where id = $1", [id]);
    expect(await sendOnce(ada, rotate, key)).toMatchObject({ status: 201, replayed: null });
    expect(await sendOnce(ada, rotate, key)).toMatchObject({ status: 201, replayed: "true" });
  });

  test("is forgotten after a day", async () => {
    const key = anyKey();
    const first = await sendOnce(ada, newKey, key);
    await age("23 hours");
    expect((await sendOnce(ada, newKey, key)).body.id).toBe(first.body.id);
    await age("61 minutes");
    const next = await sendOnce(ada, newKey, key);
    expect(next.replayed).toBeNull();
    expect(next.body.id).not.toBe(first.body.id);
    expect(await sendOnce(ada, newKey, key)).toEqual({ ...next, replayed: "true" });
  });

  test("has a secret that is given out again for ten minutes, and an API key until it is used", async () => {
    const [unused, used, hook] = [anyKey(), anyKey(), anyKey()];
    const newWebhook = await (accountWrites["POST /webhooks"]?.prepare(client, ada) ?? Promise.reject());
    const first = await sendOnce(ada, newKey, unused);
    const webhook = await sendOnce(ada, newWebhook, hook);
    const { body: key } = await sendOnce(ada, newKey, used);
    await service.connection.query("update funding.api_keys set last_used_at = now() where id = $1", [key.id]);
    expect((await sendOnce(ada, newKey, used)).body).toEqual({ ...key, key: null });
    await age("9 minutes");
    expect((await sendOnce(ada, newKey, unused)).body).toEqual(first.body);
    expect((await sendOnce(ada, newWebhook, hook)).body).toEqual(webhook.body);
    await age("2 minutes");
    expect((await sendOnce(ada, newKey, unused)).body).toEqual({ ...first.body, key: null });
    expect((await sendOnce(ada, newWebhook, hook)).body).toEqual({ ...webhook.body, secret: null });
  });

  test("leaves neither its Idempotency-Key nor the secret in the database", async () => {
    const key = anyKey();
    const { body } = await sendOnce(ada, newKey, key);
    const { rows } = await queryOne<{ rows: string }>(
      service.connection,
      "select json_agg(known)::text as rows from funding.idempotency_keys as known",
    );
    expect(rows).toContain(String(body.id));
    expect(rows).not.toContain(key);
    expect(rows).not.toContain(String(body.key));
  });
});

test.each(["", "short", "a b c d e f g h i", "ü".repeat(20), "x".repeat(256)])(
  "the Idempotency-Key %j is refused",
  async (key) => {
    const before = await everything();
    const { status, body } = await sendOnce(ada, newKey, key).catch(() => ({ status: 400, body: { errors: [] } }));
    expect(status).toBe(400);
    expect(await everything()).toEqual(before);
    if (/^[\x20-\x7e]*$/.test(key)) expect(body.errors).toMatchObject([{ parameter: "Idempotency-Key" }]);
  },
);

test("an Idempotency-Key on other methods changes nothing", async () => {
  const id = await client.newWebhook(ada);
  const change = { method: "PATCH", path: `/webhooks/${id}`, body: { description: "x" } };
  const key = anyKey();
  const [one, two] = [await sendOnce(ada, change, key), await sendOnce(ada, change, key)];
  expect([one.status, two.status, two.replayed]).toEqual([200, 200, null]);
});
