import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bearer } from "../support/service.ts";
import { ok, openReceiver, type Receiver, status } from "./receiver.ts";
import { grant, openWebhookService, type Subscribed, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
let receiver: Receiver;
let subscribed: Subscribed;

beforeAll(async () => {
  service = await openWebhookService();
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer = ok;
  subscribed = await service.subscribe({ url: `${receiver.url}/hook`, events: ["grant.created", "grant.updated"] });
});
afterEach(async () => {
  await service.asOwner("delete_webhook", subscribed.accountId, subscribed.webhook.id);
});

/** The log of the one delivery that there is. */
async function log() {
  const { accountId, webhook } = subscribed;
  const { deliveries } = await service.asOwner("list_webhook_deliveries", accountId, webhook.id, "{}");
  expect(deliveries).toHaveLength(1);
  return service.asOwner("get_webhook_delivery", accountId, webhook.id, deliveries[0]?.event_id ?? "");
}

describe("a delivery", () => {
  test("has the event, and the record exactly as the API shows it", async () => {
    await service.load("grants", grant());
    await service.dispatch();
    const [delivered] = receiver.received;
    expect(delivered?.payload).toMatchObject({ event: "grant.created", id: delivered?.headers["webhook-id"] });
    const { key } = await service.newKey();
    const shown = await service.fetch(`/grants-api/${delivered?.payload.data.id}`, { headers: bearer(key) });
    expect(JSON.stringify(delivered?.payload.data)).toBe(await shown.text());
    expect(Object.keys(delivered?.payload ?? {})).toEqual(["id", "event", "created_at", "data"]);
  });

  test("is signed over the raw body with the secret's text", async () => {
    await service.load("grants", grant());
    await service.dispatch();
    const [delivered] = receiver.received;
    const expected = createHmac("sha256", subscribed.secret)
      .update(delivered?.body ?? "")
      .digest("hex");
    expect(delivered?.headers["x-service-signature"]).toBe(`sha256=${expected}`);
    expect(JSON.stringify(JSON.parse(delivered?.body ?? ""))).toBe(delivered?.body);
  });

  test("is signed as Standard Webhooks asks", async () => {
    await service.load("grants", grant());
    await service.dispatch();
    const { headers, body } = receiver.received[0] ?? { headers: {} as Record<string, string>, body: "" };
    const key = Buffer.from(subscribed.secret.slice("whsec_".length), "base64");
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
  });

  test("is signed with the present secret where a former one cannot be opened any more", async () => {
    await service.connection.query(
      "insert into funding.webhook_former_secrets (endpoint_id, secret, expires_at) values ($1, 'sealed by a key that is lost', now() + interval '1 day')",
      [subscribed.webhook.id],
    );
    await service.load("grants", grant());
    await service.dispatch();
    const [delivered] = receiver.received;
    const expected = createHmac("sha256", subscribed.secret)
      .update(delivered?.body ?? "")
      .digest("hex");
    expect(delivered?.headers["x-service-signature"]).toBe(`sha256=${expected}`);
  });

  test("carries the signature in the header that the setting names", async () => {
    await service.set("webhook_signature_header", "X-Funding-Signature");
    await service.load("grants", grant());
    await service.dispatch();
    await service.set("webhook_signature_header", "X-Service-Signature");
    expect(receiver.received[0]?.headers["x-funding-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(receiver.received[0]?.headers["x-service-signature"]).toBeUndefined();
  });

  test("that succeeds is not made again, and its log has the request and the answer", async () => {
    receiver.answer = status(202, { "x-receipt": "17" }, "thanks");
    await service.load("grants", grant());
    await service.dispatch();
    await service.passTime(100_000);
    await service.dispatch();
    expect(receiver.received).toHaveLength(1);
    const delivery = await log();
    expect(delivery).toMatchObject({ state: "succeeded", attempts: 1, next_attempt_in_seconds: null });
    expect(delivery.payload).toEqual(receiver.received[0]?.payload);
    expect(delivery.log).toMatchObject([
      { attempt: 1, url: `${receiver.url}/hook`, status: 202, error: null, response_body: "thanks" },
    ]);
    expect(delivery.log[0]?.response_headers?.["x-receipt"]).toBe("17");
    expect(delivery.log[0]?.request_headers?.["webhook-id"]).toBe(delivery.event_id);
  });
});

describe("a failed delivery", () => {
  test("is made again at 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, give or take a fifth, and then no more", async () => {
    await service.set("webhook_backoff_after", 100);
    receiver.answer = status(500);
    await service.load("grants", grant());
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      await service.dispatch();
      expect(receiver.received).toHaveLength(attempt);
      const { next_attempt_in_seconds: wait } = await log();
      if (wait === null) break;
      waits.push(wait);
      await service.passTime(wait + 1);
    }
    const scheduled = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits).toHaveLength(scheduled.length);
    for (const [index, wait] of waits.entries()) {
      expect(wait / (scheduled[index] ?? 0)).toBeGreaterThan(0.6);
      expect(wait / (scheduled[index] ?? 0)).toBeLessThan(1.25);
    }
    await service.set("webhook_backoff_after", 5);
    expect(await log()).toMatchObject({ state: "failed", attempts: 10 });
    expect(new Set(receiver.received.map(({ payload }) => payload.id)).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  test("does not follow a redirect", async () => {
    receiver.answer = status(302, { location: `${receiver.url}/elsewhere` });
    await service.load("grants", grant());
    await service.dispatch();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
    expect((await log()).log).toMatchObject([{ status: 302, error: "redirect" }]);
  });

  test.each([304, 300, 302, 308])("is no redirect where the receiver answers %i without an address", async (code) => {
    receiver.answer = status(code);
    await service.load("grants", grant());
    await service.dispatch();
    expect((await log()).log).toMatchObject([
      { status: code, error: "status", message: `The receiver answered ${code}.` },
    ]);
  });

  test("is no redirect where the receiver answers 304, which leads nowhere", async () => {
    receiver.answer = status(304, { location: `${receiver.url}/elsewhere` });
    await service.load("grants", grant());
    await service.dispatch();
    expect((await log()).log).toMatchObject([{ status: 304, error: "status" }]);
  });

  test("waits as long as Retry-After says, to twice the schedule at most", async () => {
    receiver.answer = status(503, { "retry-after": "8" });
    await service.load("grants", grant());
    await service.dispatch();
    const { next_attempt_in_seconds: wait } = await log();
    expect(wait).toBeGreaterThanOrEqual(7);
    expect(wait).toBeLessThanOrEqual(8);
    receiver.answer = status(429, { "retry-after": "99999" });
    await service.passTime(9);
    await service.dispatch();
    expect(Math.round(((await log()).next_attempt_in_seconds ?? 0) / 10)).toBe(60);
  });

  test("that was the last attempt is not made again, whatever Retry-After says, and holds up nothing", async () => {
    receiver.answer = status(503, { "retry-after": "99999999" });
    await service.load("grants", grant());
    await service.dispatch();
    await service.connection.execute("update funding.webhook_deliveries set failures = 9");
    await service.passTime(100_000);
    await service.dispatch();
    expect(await log()).toMatchObject({ state: "failed", next_attempt_in_seconds: null });
    receiver.answer = ok;
    receiver.received.length = 0;
    await service.load("grants", grant());
    await service.dispatch();
    expect(receiver.received).toHaveLength(1);
  });

  test("holds up the endpoint for as long as Retry-After says, to twice the schedule at most", async () => {
    receiver.answer = status(503, { "retry-after": "99999" });
    await service.load("grants", grant());
    await service.dispatch();
    await service.passTime(100);
    await service.dispatch();
    const [{ seconds } = { seconds: 0 }] = await service.connection.query<{ seconds: number }>(
      "select extract(epoch from retry_at - funding.dispatch_now())::integer as seconds from funding.webhook_endpoints",
    );
    expect(seconds).toBeGreaterThan(590);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  test("that is sent again by hand during its last attempt goes on", async () => {
    const { accountId, webhook } = subscribed;
    receiver.answer = async ({ payload }, response) => {
      await service.asOwner("resend_webhook_delivery", accountId, webhook.id, payload.id);
      response.writeHead(500).end();
    };
    await service.load("grants", grant());
    await service.rpc("fan_out_events", { maximum: 100 });
    await service.connection.execute("update funding.webhook_deliveries set failures = 9");
    await service.dispatch();
    expect(await log()).toMatchObject({ state: "pending", attempts: 1 });
  });

  test("times out, and says so", async () => {
    await service.set("webhook_timeout_seconds", 0.3);
    receiver.answer = () => undefined;
    await service.load("grants", grant());
    await service.dispatch();
    await service.set("webhook_timeout_seconds", 15);
    expect((await log()).log).toMatchObject([{ status: null, error: "timeout" }]);
  });

  test("that times out on a connection kept from before is sent once", async () => {
    await service.load("grants", grant());
    await service.dispatch();
    await service.set("webhook_timeout_seconds", 0.3);
    receiver.answer = () => undefined;
    await service.load("grants", grant());
    await service.dispatch();
    const timedOut = receiver.received.at(-1)?.payload.id ?? "";
    await service.set("webhook_timeout_seconds", 15);
    // A request made again on a new connection would have been on its way before this one.
    receiver.answer = ok;
    await service.load("grants", grant());
    await service.dispatch();
    const { accountId, webhook } = subscribed;
    const { attempts } = await service.asOwner("get_webhook_delivery", accountId, webhook.id, timedOut);
    expect(receiver.received.filter(({ payload }) => payload.id === timedOut)).toHaveLength(attempts);
    expect(new Set(receiver.received.map(({ payload }) => payload.id)).size).toBe(3);
  });

  test("stores the first 16 KiB of the receiver's answer, without characters that Postgres cannot hold", async () => {
    receiver.answer = status(500, {}, `\0${"x".repeat(100_000)}`);
    await service.load("grants", grant());
    await service.dispatch();
    const body = (await log()).log[0]?.response_body ?? "";
    expect(body).toHaveLength(16 * 1024);
    expect(body.startsWith("\u{FFFD}xxx")).toBe(true);
  });

  test("stores a kilobyte of the headers, and of the body, of an answer that says it arrived", async () => {
    const long = "y".repeat(900);
    receiver.answer = status(200, { "x-first": long, "x-second": long }, `${"z".repeat(1023)}\u{1F600}`);
    await service.load("grants", grant());
    await service.dispatch();
    const [attempt] = (await log()).log;
    expect(attempt).toMatchObject({ status: 200, error: null, response_body: `${"z".repeat(1023)}\u{FFFD}` });
    expect(attempt?.response_headers).toMatchObject({ "x-first": long });
    expect(attempt?.response_headers).not.toHaveProperty("x-second");
  });

  test("is kept from a receiver that answers garbage", async () => {
    receiver.answer = (_request, response) => {
      response.socket?.end("\u0001\u0002 this is not HTTP\r\n\r\n");
    };
    await service.load("grants", grant());
    await service.dispatch();
    expect((await log()).log).toMatchObject([{ status: null, error: "connection" }]);
  });
});
