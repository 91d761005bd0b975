import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import type { ClaimedDelivery } from "../../shared/database/rpc.ts";
import { createSecretBox, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
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
  subscribed = await service.subscribe({ url: receiver.url, events: ["grant.created"] });
});
afterEach(() => service.connection.execute("delete from funding.webhook_endpoints; delete from funding.events"));

const webhook = () => service.asOwner("get_webhook", subscribed.accountId, subscribed.webhook.id);
const claim = (maximum = 100, failing_maximum = 100) => service.rpc("claim_deliveries", { maximum, failing_maximum });
const grants = (count: number) => service.load("grants", ...Array.from({ length: count }, () => grant()));

describe("an endpoint", () => {
  test("is disabled after 20 failures in a row, which its backoff spreads over six hours or more", async () => {
    receiver.answer = status(500);
    await grants(30);
    let passed = 0;
    for (let look = 0; look < 40 && (await webhook()).state === "active"; look++) {
      await service.dispatch();
      const [wait] = await service.connection.query<{ seconds: number }>(
        `select extract(epoch from greatest(retry_at - funding.dispatch_now(), interval '0'))::double precision as seconds
         from funding.webhook_endpoints`,
      );
      const seconds = Math.ceil((wait?.seconds ?? 0) + 1);
      passed += seconds;
      await service.passTime(seconds);
    }
    expect(await webhook()).toMatchObject({
      state: "disabled",
      failures_in_a_row: 20,
      disabled_reason: "20 attempts in a row failed",
    });
    expect(passed).toBeGreaterThan(5 * 3600);
    // The first eight were sent together, and are one failure.
    expect(receiver.received.length).toBeLessThanOrEqual(8 + 19);
  });

  test("is disabled after five days without a success, and at once by 410", async () => {
    receiver.answer = status(500);
    await grants(1);
    await service.dispatch();
    await service.passTime(5 * 86_400);
    await service.dispatch();
    expect(await webhook()).toMatchObject({
      state: "disabled",
      disabled_reason: "every attempt has failed for 5 days",
    });
  });

  test("stays enabled when failures are sporadic: a success resets the count", async () => {
    await service.set("webhook_disable_after", { failures: 3, days: 5 });
    await service.set("webhook_retry_seconds", [86_400]);
    for (let round = 0; round < 4; round++) {
      for (const answer of [status(500), status(500), ok]) {
        receiver.answer = answer;
        await grants(1);
        await service.dispatch();
        await service.passTime(1);
      }
    }
    await service.set("webhook_disable_after", { failures: 20, days: 5 });
    await service.set("webhook_retry_seconds", [5, 300]);
    expect((await webhook()).state).toBe("active");
  });

  test("is not blamed where its secret cannot be read, which is our failure: it gets the delivery by its schedule", async () => {
    await service.set("webhook_disable_after", { failures: 2, days: 5 });
    const { webhooks } = service.runtime;
    const withoutKey = { ...webhooks, secrets: createSecretBox(generateSecretsKey()) };
    await grants(1);
    for (let time = 0; time < 2; time++) {
      const summary = await dispatch({ ...service.runtime, webhooks: withoutKey, budgetMs: 20_000 });
      expect(summary).toMatchObject({ attempts: 1, succeeded: 0 });
      await service.passTime(400);
    }
    await service.set("webhook_disable_after", { failures: 20, days: 5 });
    expect(await webhook()).toMatchObject({ state: "active", failures_in_a_row: 0, failing_since: null });
    await service.dispatch();
    expect(receiver.received).toHaveLength(1);
  });

  test("is judged by its present URL alone: results of the former one do not count, and it starts without its failures", async () => {
    const change = (changes: object) =>
      service.asOwner("update_webhook", subscribed.accountId, subscribed.webhook.id, JSON.stringify(changes));
    await grants(2);
    await service.rpc("fan_out_events", { maximum: 10 });
    const [gone, failed] = (await claim()).deliveries;
    const finish = (delivery: ClaimedDelivery | undefined, status: number) =>
      service.rpc("finish_deliveries", {
        results: [
          {
            endpoint_id: delivery?.endpoint_id ?? "",
            event_id: delivery?.event_id ?? "",
            attempt: delivery?.attempt ?? 0,
            url: delivery?.url ?? "",
            started_at: new Date().toISOString(),
            duration_ms: 5,
            status,
            error: "status",
          },
        ],
      });
    await change({ url: `${receiver.url}/moved` });
    await finish(gone, 410);
    await finish(failed, 500);
    expect(await webhook()).toMatchObject({ state: "active", failures_in_a_row: 0 });
    await service.connection.execute(`update funding.webhook_endpoints
      set failures_in_a_row = 7, failing_since = now(), last_failure_at = now(), retry_at = funding.dispatch_now() + interval '1 hour'`);
    await change({ url: `${receiver.url}/moved`, description: "The same address." });
    expect(await webhook()).toMatchObject({ failures_in_a_row: 7 });
    await change({ url: `${receiver.url}/again` });
    expect(await webhook()).toMatchObject({ failures_in_a_row: 0, failing_since: null });
    await grants(1);
    await service.dispatch();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/again"]);
    // Deliveries to the present address count.
    receiver.answer = status(500);
    await grants(1);
    await service.dispatch();
    expect(await webhook()).toMatchObject({ failures_in_a_row: 1 });
  });

  test("that fails gets one attempt at a time, and one that does well eight", async () => {
    await grants(30);
    await service.rpc("fan_out_events", { maximum: 100 });
    expect((await claim()).deliveries).toHaveLength(8);
    expect((await claim()).deliveries).toHaveLength(0);
    await service.connection.execute("update funding.webhook_endpoints set failures_in_a_row = 1");
    await service.connection.execute("update funding.webhook_deliveries set claimed_at = null, claimed_until = null");
    expect((await claim()).deliveries).toMatchObject([{ is_failing: true }]);
    expect((await claim()).deliveries).toHaveLength(0);
  });

  test("takes turns with the others, whatever waits for each", async () => {
    await grants(30);
    await service.rpc("fan_out_events", { maximum: 100 });
    const others = [
      await service.subscribe({ url: receiver.url, events: ["grant.created"] }),
      await service.subscribe({ url: receiver.url, events: ["grant.created"] }),
    ];
    await grants(1);
    await service.rpc("fan_out_events", { maximum: 100 });
    const { deliveries } = await claim(3);
    expect(deliveries.map(({ endpoint_id }) => endpoint_id).sort()).toEqual(
      [subscribed, ...others].map((each) => each.webhook.id).sort(),
    );
  });

  test("holds what comes while it is paused, and sends it when it is resumed", async () => {
    await service.asOwner("update_webhook", subscribed.accountId, subscribed.webhook.id, '{"state": "paused"}');
    await grants(2);
    await service.dispatch();
    expect(receiver.received).toHaveLength(0);
    await service.asOwner("update_webhook", subscribed.accountId, subscribed.webhook.id, '{"state": "active"}');
    await service.dispatch();
    expect(receiver.received).toHaveLength(2);
  });
});

describe("a claim", () => {
  test("that nobody finished ends with its lease: the attempt is noted as lost, and made again as after a failure", async () => {
    await grants(1);
    await service.rpc("fan_out_events", { maximum: 10 });
    const [lost] = (await claim()).deliveries;
    expect((await claim()).deliveries).toEqual([]);
    await service.passTime(61);
    expect((await claim()).deliveries).toEqual([]);
    await service.passTime(7);
    const [again] = (await claim()).deliveries;
    expect([lost?.attempt, again?.attempt, again?.event_id]).toEqual([1, 2, lost?.event_id]);
    const { log } = await service.asOwner(
      "get_webhook_delivery",
      subscribed.accountId,
      subscribed.webhook.id,
      lost?.event_id,
    );
    expect(log).toMatchObject([{ attempt: 1, error: "lost" }]);
  });

  test("decides nothing after its lease, unless the event has arrived", async () => {
    await grants(1);
    await service.rpc("fan_out_events", { maximum: 10 });
    const [late] = (await claim()).deliveries;
    for (const seconds of [61, 7]) {
      await service.passTime(seconds);
      await claim();
    }
    const result = {
      endpoint_id: late?.endpoint_id,
      event_id: late?.event_id,
      attempt: 1,
      url: receiver.url,
      started_at: new Date().toISOString(),
      duration_ms: 5,
    };
    const delivery = () =>
      service.asOwner("get_webhook_delivery", subscribed.accountId, subscribed.webhook.id, late?.event_id);
    await service.rpc("finish_deliveries", { results: [{ ...result, status: 500, error: "status" }] });
    expect(await delivery()).toMatchObject({ state: "pending", attempts: 2, log: [{ attempt: 1, error: "status" }] });
    expect((await webhook()).failures_in_a_row).toBe(0);
    await service.rpc("finish_deliveries", { results: [{ ...result, status: 200 }] });
    expect(await delivery()).toMatchObject({ state: "succeeded", next_attempt_in_seconds: null });
    await service.passTime(200);
    expect((await claim()).deliveries).toEqual([]);
  });
});

describe("the function dispatch", () => {
  const call = (method: string, authorization?: string) =>
    service.fetch("/dispatch", { method, ...(authorization === undefined ? {} : { headers: { authorization } }) });

  test("runs for the scheduler that shows the secret, and for nobody else", async () => {
    await grants(1);
    for (const authorization of [undefined, "Bearer wrong", "dispatch-secret-of-the-tests"]) {
      expect((await call("POST", authorization)).status).toBe(401);
    }
    expect((await call("GET", "Bearer dispatch-secret-of-the-tests")).status).toBe(405);
    expect(receiver.received).toHaveLength(0);
    const response = await call("POST", "Bearer dispatch-secret-of-the-tests");
    expect([response.status, await response.json()]).toEqual([200, { made: 1, attempts: 1, succeeded: 1 }]);
  });
});

describe("a sealed secret", () => {
  test("opens for its owner by any of the keys, and for nothing else", async () => {
    const [old, fresh] = [generateSecretsKey(), generateSecretsKey()];
    const sealed = await createSecretBox(old).seal("whsec_x", "owner");
    expect(await createSecretBox(`${fresh},${old}`).open(sealed, "owner")).toBe("whsec_x");
    await expect(createSecretBox(fresh).open(sealed, "owner")).rejects.toThrow("no key opens");
    await expect(createSecretBox(old).open(sealed, "another")).rejects.toThrow("no key opens");
    await expect(createSecretBox("c2hvcnQ=").seal("whsec_x", "owner")).rejects.toThrow("32 bytes");
    expect(await createSecretBox(old).seal("whsec_x", "owner")).not.toBe(sealed);
  });
});
