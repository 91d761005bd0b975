import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { handlers } from "../../functions/handlers.ts";
import type { LoggedAttempt, Webhook, WebhookDelivery } from "../../shared/responses/account/webhooks.ts";
import { eventNames } from "../../shared/webhooks/events.ts";
import { samples } from "../../shared/webhooks/samples.ts";
import type { Person } from "../support/people.ts";
import { ok, openReceiver, type Receiver, status } from "./receiver.ts";
import { grant, openWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
let receiver: Receiver;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  service = await openWebhookService();
  receiver = await openReceiver();
});
beforeEach(async () => {
  receiver.answer = ok;
  receiver.received.length = 0;
  [ada, ben] = [await subscriber(), await subscriber()];
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

/** Somebody signed in whose account has a subscription. */
async function subscriber(): Promise<Person> {
  const person = await service.people.newPerson();
  await ask(person, "", "GET", undefined, 200);
  await service.connection.query(
    `insert into funding.subscriptions (account_id, tier)
     select id, 'developer' from funding.accounts where email = $1`,
    [person.email],
  );
  return person;
}

async function ask<Body>(person: Person, path: string, method = "GET", body?: unknown, expected = 200): Promise<Body> {
  const response = await service.fetch(`/account-api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await person.token()}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  expect([response.status, response.status === expected ? undefined : answer]).toEqual([expected, undefined]);
  return answer as Body;
}

type Issued = Webhook & { secret: string };
const create = (person: Person, body: object = {}) =>
  ask<Issued>(person, "/webhooks", "POST", { url: receiver.url, events: ["grant.created"], ...body }, 201);

interface Refusal {
  detail: string;
  errors: { parameter: string; message: string }[];
}

describe("webhooks in the account API", () => {
  test("are created, listed, changed, paused, resumed and deleted", async () => {
    const { secret, ...created } = await create(ada, {
      description: "Water",
      filters: { grants: "states=OH&search=water" },
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toMatchObject({
      url: receiver.url,
      description: "Water",
      events: ["grant.created"],
      filters: { grants: "states=OH&search=water" },
      deadline_days: [7],
      expand: [],
      updated_fields: [],
      state: "active",
    });
    expect((await ask<{ webhooks: Webhook[] }>(ada, "/webhooks")).webhooks).toEqual([created]);
    const changes = {
      state: "paused",
      events: ["funder.created"],
      filters: {},
      deadline_days: [1, 30, 1],
      expand: ["details", "details"],
      updated_fields: ["deadline_at", "status"],
    };
    expect(await ask(ada, `/webhooks/${created.id}`, "PATCH", changes)).toMatchObject({
      ...changes,
      deadline_days: [30, 1],
      expand: ["details"],
      updated_fields: ["status", "deadline_at"],
    });
    expect(await ask(ada, `/webhooks/${created.id}`, "PATCH", { state: "active" })).toMatchObject({ state: "active" });
    expect(await ask(ada, `/webhooks/${created.id}`)).toMatchObject({ events: ["funder.created"] });
    await ask(ada, `/webhooks/${created.id}`, "DELETE");
    await ask(ada, `/webhooks/${created.id}`, "GET", undefined, 404);
  });

  test("show their secret once, and keep it sealed", async () => {
    const { id, secret } = await create(ada);
    expect(JSON.stringify(await ask(ada, `/webhooks/${id}`))).not.toContain(secret);
    const [row] = await service.connection.query<{ secret: string }>(
      "select secret from funding.webhook_endpoints where id = $1",
      [id],
    );
    expect(row?.secret).toMatch(/^v1\./);
    expect(row?.secret).not.toContain(secret.slice("whsec_".length));
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("of another account are as unknown as those that never existed", async () => {
    const { id } = await create(ada);
    await ask(ada, `/webhooks/${id}/test`, "POST", { event: "grant.created" });
    const { deliveries } = await ask<{ deliveries: WebhookDelivery[] }>(ada, `/webhooks/${id}/deliveries`);
    const event = deliveries[0]?.event_id;
    const since = new Date(Date.now() - 60_000).toISOString();
    const routes: [path: string, method: string, body?: object][] = [
      ["", "GET"],
      ["", "PATCH", { state: "paused" }],
      ["", "DELETE"],
      ["/rotate", "POST", {}],
      ["/deliveries", "GET"],
      [`/deliveries/${event}`, "GET"],
      [`/deliveries/${event}/resend`, "POST"],
      ["/recover", "POST", { since }],
      ["/test", "POST", { event: "grant.created" }],
    ];
    for (const [path, method, body] of routes) {
      const unknown = await ask<Refusal>(ben, `/webhooks/${crypto.randomUUID()}${path}`, method, body, 404);
      const another = await ask<Refusal>(ben, `/webhooks/${id}${path}`, method, body, 404);
      const { instance: _1, request_id: _2, ...told } = another as unknown as Record<string, unknown>;
      expect(unknown).toMatchObject(told);
    }
    expect(await ask(ada, `/webhooks/${id}`)).toMatchObject({ state: "active" });
    // One's own webhook gives no way to another's delivery.
    const own = await create(ben);
    await ask(ben, `/webhooks/${own.id}/deliveries/${event}`, "GET", undefined, 404);
    await ask(ben, `/webhooks/${own.id}`, "DELETE");
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test.each([
    [{ url: "http://receiver.example.org/" }, "url", "must be an https URL"],
    [{ url: "https://10.0.0.1/" }, "url", "addresses are not accepted"],
    [{ events: [] }, "events", "at least one"],
    [{ events: ["grant.deleted"] }, "events.0", "must be among"],
    [{ filters: { grants: "sttaes=OH" } }, "filters.grants.sttaes", "did you mean states?"],
    [{ filters: { grants: "limit=5" } }, "filters.grants.limit", "orders or pages a list"],
    [{ filters: { grants: "search=x&search_mode=semantic" } }, "filters.grants.search_mode", "must be keyword"],
    [{ filters: { prizes: "" } }, "filters.prizes", "it may be grants, contracts, funders"],
    [{ filters: "states=OH" }, "filters", "by dataset"],
    [{ deadline_days: [0] }, "deadline_days.0", ""],
    [{ expand: ["everything"] }, "expand.0", "must be details"],
    [{ updated_fields: ["deadline"] }, "updated_fields.0", "must be among title"],
    [{ color: "red" }, "color", "is not a field"],
  ])("are refused with %j", async (body, parameter, message) => {
    const given = { url: receiver.url, events: ["grant.created"], ...body };
    const { errors } = await ask<Refusal>(ada, "/webhooks", "POST", given, 400);
    expect(errors).toContainEqual({ parameter, message: expect.stringContaining(message) });
  });

  test("need a subscription, and have a maximum", async () => {
    const free = await service.people.newPerson();
    await ask(free, "/webhooks", "POST", { url: receiver.url, events: ["grant.created"] }, 409);
    for (let index = 0; index < 20; index++) await create(ada);
    await ask(ada, "/webhooks", "POST", { url: receiver.url, events: ["grant.created"] }, 409);
  });

  test("sign with both secrets while a rotation's overlap lasts", async () => {
    const { id, secret } = await create(ada);
    const rotated = await ask<Issued>(ada, `/webhooks/${id}/rotate`, "POST", { overlap_seconds: 3600 }, 201);
    expect(rotated.secret).not.toBe(secret);
    receiver.received.length = 0;
    await ask(ada, `/webhooks/${id}/test`, "POST", { event: "grant.created" });
    await service.dispatch();
    const [sent] = receiver.received;
    expect(sent?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    await ask(ada, `/webhooks/${id}/rotate`, "POST", { overlap_seconds: 0 }, 201);
    await ask(ada, `/webhooks/${id}/test`, "POST", { event: "grant.created" });
    await service.dispatch();
    expect(receiver.received[1]?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("are the same webhook by an id in capitals: after a rotation it signs with the secret that was shown", async () => {
    const { id } = await create(ada);
    const path = `/webhooks/${id.toUpperCase()}`;
    const { secret } = await ask<Issued>(ada, `${path}/rotate`, "POST", { overlap_seconds: 0 }, 201);
    await ask(ada, `${path}/test`, "POST", { event: "grant.created" });
    await service.dispatch();
    const [sent] = receiver.received;
    const signature = createHmac("sha256", secret)
      .update(sent?.body ?? "")
      .digest("hex");
    expect(sent?.headers["x-service-signature"]).toBe(`sha256=${signature}`);
    expect(await ask<Webhook>(ada, path)).toMatchObject({ id });
    expect(await ask<Webhook>(ada, path, "PATCH", { state: "paused" })).toMatchObject({ id, state: "paused" });
    const { deliveries } = await ask<{ deliveries: WebhookDelivery[] }>(ada, `${path}/deliveries`);
    expect(deliveries).toMatchObject([{ state: "succeeded" }]);
    expect(await ask<{ id: string }>(ada, path, "DELETE")).toEqual({ id });
  });

  test.each(eventNames)("send a test of %s: the sample", async (event) => {
    const { id } = await create(ada);
    receiver.received.length = 0;
    await ask(ada, `/webhooks/${id}/test`, "POST", { event });
    await service.dispatch();
    const { changes } = samples[event];
    const body = { event, data: samples[event].data, ...(changes && { changes }), test: true };
    expect(receiver.received.map(({ payload }) => payload)).toEqual([
      { id: expect.any(String), created_at: expect.any(String), ...body },
    ]);
    const { deliveries } = await ask<{ deliveries: WebhookDelivery[] }>(ada, `/webhooks/${id}/deliveries`);
    expect(deliveries).toMatchObject([{ is_test: true }]);
    const log = await ask<{ payload: object }>(ada, `/webhooks/${id}/deliveries/${deliveries[0]?.event_id}`);
    expect(log.payload).toEqual(receiver.received[0]?.payload);
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("send tests whose ids no record can have", async () => {
    const { version } = await queryOne<{ version: string }>(
      service.connection,
      "select string_agg(distinct substr(id::text, 15, 1), '') as version from (select id from funding.grants union all select id from funding.funders) as record",
    );
    expect(version).toBe("8");
    const ids = eventNames.flatMap((event) => [samples[event].data.id, samples[event].data.funder_id ?? []].flat());
    for (const id of ids) expect(id).toMatch(/^7e570000-0000-4/);
  });

  test("tell a stored test of an earlier version from an event of the demo record that has its id", async () => {
    const { id } = await create(ada, { events: ["grant.updated"] });
    const former = { ...samples["grant.updated"].data, id: "cb75c555-bd5f-891d-a251-07bba87727b9" };
    const { account_id } = await queryOne<{ account_id: string }>(
      service.connection,
      "select account_id from funding.webhook_endpoints where id = $1",
      [id],
    );
    await service.asOwner("send_test_event", account_id, id, "grant.updated", former, null, null);
    await service.connection.query(
      "insert into funding.events (event, dataset, record_id) values ('grant.updated', 'grants', $1)",
      [former.id],
    );
    receiver.received.length = 0;
    await service.dispatch();
    const { deliveries } = await ask<{ deliveries: WebhookDelivery[] }>(ada, `/webhooks/${id}/deliveries`);
    const titles = deliveries.map(({ record_id, record_title, is_test }) => [record_id, record_title, is_test]);
    expect(titles.sort()).toEqual([
      [former.id, samples["grant.updated"].data.title, true],
      [former.id, expect.not.stringContaining("Clean Water Infrastructure"), false],
    ]);
    // Neither body has the mark: those bytes are the same at every attempt.
    expect(receiver.received.map(({ payload }) => "test" in payload)).toEqual([false, false]);
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("have a log that is paged, filtered, and tells what happened", async () => {
    const { id } = await create(ada);
    receiver.answer = status(500, {}, "broken");
    for (const event of ["grant.created", "grant.updated", "funder.created"]) {
      await ask(ada, `/webhooks/${id}/test`, "POST", { event });
    }
    await service.dispatch();
    receiver.answer = ok;
    interface Page {
      deliveries: WebhookDelivery[];
      next: string | null;
    }
    const first = await ask<Page>(ada, `/webhooks/${id}/deliveries?limit=2`);
    // As it is: nothing in it has to be encoded.
    const second = await ask<Page>(ada, `/webhooks/${id}/deliveries?limit=2&page=${first.next}`);
    expect([...first.deliveries, ...second.deliveries].map(({ event }) => event).sort()).toEqual([
      "funder.created",
      "grant.created",
      "grant.updated",
    ]);
    expect(second.next).toBeNull();
    const failed = await ask<Page>(ada, `/webhooks/${id}/deliveries?state=pending&event=grant.updated`);
    expect(failed.deliveries).toMatchObject([
      {
        record_title: samples["grant.updated"].data.title,
        is_test: true,
        last_attempt: { status: 500, error: "status" },
      },
    ]);
    expect(failed.deliveries[0]?.last_attempt?.duration_ms).toBeGreaterThanOrEqual(0);
    const path = `/webhooks/${id}/deliveries/${failed.deliveries[0]?.event_id}`;
    const { log } = await ask<{ log: LoggedAttempt[] }>(ada, path);
    expect(log).toMatchObject([{ attempt: 1, status: 500, error: "status", response_body: "broken" }]);
    expect(log[0]?.request_headers?.["X-Service-Signature"]).toMatch(/^sha256=/);
    await ask(ada, `${path}/resend`, "POST", undefined);
    await service.passTime(60);
    await service.dispatch();
    expect(await ask(ada, path)).toMatchObject({ state: "succeeded", attempts: 2 });
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("recover what was missed while they were disabled, and what failed, at most 14 days back", async () => {
    const { id } = await create(ada, { filters: { grants: "states=OH" } });
    const since = new Date().toISOString();
    receiver.answer = status(410);
    const missed = grant();
    await service.load("grants", missed);
    await service.dispatch();
    receiver.answer = ok;
    expect(await ask(ada, `/webhooks/${id}/deliveries`)).toMatchObject({
      deliveries: [{ record_title: missed.title, is_test: false, last_attempt: { status: 410, error: "status" } }],
    });
    expect(await ask(ada, `/webhooks/${id}`)).toMatchObject({
      state: "disabled",
      disabled_reason: "the receiver answered 410 Gone",
    });
    await service.load("grants", grant(), grant(), grant({ states: ["TX"] }));
    await service.dispatch();
    await ask(ada, `/webhooks/${id}`, "PATCH", { state: "active" });
    receiver.received.length = 0;
    expect(await ask(ada, `/webhooks/${id}/recover`, "POST", { since })).toEqual({ events: 4 });
    await service.dispatch();
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ payload }) => payload.id)).size).toBe(3);
    const early = new Date(Date.now() - 15 * 86_400_000).toISOString();
    await ask(ada, `/webhooks/${id}/recover`, "POST", { since: early }, 400);
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("take turns in recoveries, a batch each", async () => {
    const since = new Date().toISOString();
    await service.load("grants", grant(), grant(), grant());
    await service.dispatch();
    const ids = [(await create(ada)).id, (await create(ada)).id, (await create(ben)).id];
    for (const [index, id] of ids.entries()) {
      await ask(index < 2 ? ada : ben, `/webhooks/${id}/recover`, "POST", { since });
    }
    const served: (string | null)[] = [];
    for (;;) {
      const { recovery_id, endpoint_id } = await service.rpc("next_recovery", {});
      if (recovery_id === null) break;
      served.push(endpoint_id);
      await service.rpc("continue_recoveries", { maximum: 1, recovery_id });
    }
    // Three events each, and a look that finds no more.
    expect(served).toEqual([...ids, ...ids, ...ids, ...ids]);
    for (const [index, id] of ids.entries()) await ask(index < 2 ? ada : ben, `/webhooks/${id}`, "DELETE");
  });

  test("are deleted with their attempts, some thousands of rows at a time", async () => {
    const { id } = await create(ada);
    await service.load("grants", grant());
    await service.dispatch();
    await service.connection.query(
      `insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at)
       select endpoint_id, event_id, 1 + number, 'https://hooks.example.org/', now()
       from funding.webhook_deliveries, generate_series(1, 10000) as number where endpoint_id = $1`,
      [id],
    );
    const { account_id } = await queryOne<{ account_id: string }>(
      service.connection,
      "select account_id from funding.webhook_endpoints where id = $1",
      [id],
    );
    expect(await service.asOwner("delete_webhook", account_id, id)).toEqual({ id, is_deleted: false });
    const rest = "select count(*)::int as rows from funding.webhook_attempts where endpoint_id = $1";
    expect(await queryOne(service.connection, rest, [id])).toEqual({ rows: 1 });
    expect(await ask(ada, `/webhooks/${id}`)).toMatchObject({ state: "disabled" });
    await ask(ada, `/webhooks/${id}`, "DELETE");
    expect(await queryOne(service.connection, rest, [id])).toEqual({ rows: 0 });
  });

  test("are read without a lock: whoever writes results need not wait", async () => {
    const { id } = await create(ada);
    await service.load("grants", grant());
    await service.dispatch();
    const { account_id, event_id } = await queryOne<{ account_id: string; event_id: string }>(
      service.connection,
      `select endpoint.account_id, delivery.event_id from funding.webhook_endpoints as endpoint
       join funding.webhook_deliveries as delivery on delivery.endpoint_id = endpoint.id where endpoint.id = $1`,
      [id],
    );
    const preview = { id, events: ["grant.deadline_approaching"], filters: {}, deadline_days: [7] };
    for (const [name, ...values] of [
      ["get_webhook", id],
      ["list_webhook_deliveries", id, "{}"],
      ["get_webhook_delivery", id, event_id],
      ["preview_webhook", JSON.stringify(preview)],
    ]) {
      const places = values.map((_, index) => `, $${index + 2}`).join("");
      // A transaction that locks a row has an id.
      const { transaction } = await queryOne<{ transaction: string | null }>(
        service.connection,
        `select funding.${name}($1${places}) as answer, pg_current_xact_id_if_assigned()::text as transaction`,
        [account_id, ...values],
      );
      expect(transaction, name).toBeNull();
    }
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("are deleted with more deliveries than one call deletes, one part after the other, by several requests if need be", async () => {
    const { id } = await create(ada);
    await service.connection.query(
      `with event as (
         insert into funding.events (event, dataset, record_id, endpoint_id, fanned_out_at)
         select 'grant.created', 'grants', gen_random_uuid(), $1::uuid, now() from generate_series(1, 12000) returning id
       )
       insert into funding.webhook_deliveries (endpoint_id, event_id, state, due_at, created_at, finished_at)
       select $1::uuid, id, 'succeeded', now(), now(), now() from event`,
      [id],
    );
    // As autovacuum does. Foreign keys are looked up by plans of when the tables were empty.
    await service.connection.execute("analyze funding.events, funding.webhook_deliveries, funding.webhook_attempts");
    const left = async () => {
      const { count } = await queryOne<{ count: number }>(
        service.connection,
        "select count(*)::integer as count from funding.webhook_deliveries where endpoint_id = $1",
        [id],
      );
      return count;
    };
    const { now } = performance;
    let late = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 20_000 * late++);
    try {
      const response = await service.fetch(`/account-api/webhooks/${id}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${await ada.token()}` },
      });
      expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([503, true]);
    } finally {
      vi.restoreAllMocks();
    }
    expect(await left()).toBe(2_000);
    // Nothing more comes meanwhile.
    expect(await ask(ada, `/webhooks/${id}`)).toMatchObject({
      state: "disabled",
      disabled_reason: "You deleted it, and some of its deliveries are left: delete it again.",
    });
    expect(await ask(ada, `/webhooks/${id}`, "DELETE")).toEqual({ id });
    expect(await left()).toBe(0);
    await ask(ada, `/webhooks/${id}`, "GET", undefined, 404);
    const actions = await service.connection.query<{ action: string }>(
      "select action from funding.audit_log where subject_id = $1 order by id",
      [id],
    );
    expect(actions.map(({ action }) => action)).toEqual(["webhook.created", "webhook.disabled", "webhook.deleted"]);
    const counted = await service.connection.query(
      `select used from funding.account_writes join funding.accounts on accounts.id = account_id
       where email = $1 and kind = 'webhook_deletions'`,
      [ada.email],
    );
    expect(counted).toEqual([{ used: 1 }]);
    await service.connection.query("delete from funding.events where endpoint_id = $1", [id]);
  });

  test("text that Postgres cannot hold is 400, in a description and in a URL", async () => {
    const { id } = await create(ada, {});
    for (const text of ["a\0b", "\ud800"]) {
      await ask(ada, `/webhooks/${id}`, "PATCH", { description: text }, 400);
      await ask(ada, `/webhooks/${id}`, "PATCH", { url: `https://hooks.example.org/${text}` }, 400);
    }
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("text that is not one plain line is 400, in a description and in a URL, and the field is named", async () => {
    const { id } = await create(ada, {});
    for (const text of ["a\x1b[2Jb", "a\nb", "a\tb", "a\u0085b", "a\u2028b", "a\u202eb", "a\u2066b"]) {
      for (const [field, value] of Object.entries({ description: text, url: `https://hooks.example.org/${text}` })) {
        expect(await ask(ada, `/webhooks/${id}`, "PATCH", { [field]: value }, 400)).toMatchObject({
          errors: [{ parameter: field, message: "must be one line, without control characters" }],
        });
      }
    }
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("moments that the calendar does not have are 400, in a recovery and in the page of a list", async () => {
    const { id } = await create(ada, {});
    for (const since of ["0001-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"]) {
      await ask(ada, `/webhooks/${id}/recover`, "POST", { since }, 400);
      const page = encodeURIComponent(`${since}_${id}`);
      await ask(ada, `/webhooks/${id}/deliveries?page=${page}`, "GET", undefined, 400);
    }
    await ask(ada, `/webhooks/${id}/deliveries?page=1_${id}`, "GET", undefined, 400);
    await ask(ada, `/webhooks/${id}`, "DELETE");
  });

  test("stop when the subscription ends, and go on when it is back", async () => {
    const { id } = await create(ben);
    receiver.received.length = 0;
    const setStatus = (to: string) =>
      service.connection.query(
        `update funding.subscriptions set status = $1 where account_id = (select id from funding.accounts where email = $2)`,
        [to, ben.email],
      );
    await ask(ben, `/webhooks/${id}/test`, "POST", { event: "grant.created" });
    await setStatus("canceled");
    await service.dispatch();
    expect(receiver.received).toHaveLength(0);
    await setStatus("active");
    await service.dispatch();
    expect(receiver.received).toHaveLength(1);
    await ask(ben, `/webhooks/${id}`, "DELETE");
  });
});

test("without a key for secrets, a deployment says that it has no webhooks rather than fail", async () => {
  const { runtime } = service;
  const handle = handlers["account-api"];
  if (handle === undefined) throw new Error("there is no function account-api");
  const response = await handle(
    new Request("http://localhost/account-api/webhooks", {
      method: "POST",
      headers: { authorization: `Bearer ${await ada.token()}`, "content-type": "application/json" },
      body: JSON.stringify({ url: receiver.url, events: ["grant.created"] }),
    }),
    { ...runtime, webhooks: { ...runtime.webhooks, secrets: undefined } },
  );
  expect(response.status).toBe(503);
  expect(((await response.json()) as Refusal).detail).toContain("WEBHOOK_SECRETS_KEY");
});
