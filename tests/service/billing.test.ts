import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { handle } from "../../functions/account-api/index.ts";
import { createLog } from "../../shared/log/log.ts";
import { tierList } from "../../shared/responses/account/billing.ts";
import type { Person } from "../support/people.ts";
import { openTestService, type TestService, testBaseUrl, testBillingSecret } from "../support/service.ts";
import { refuse, testStripeKey } from "../support/stripe-server.ts";
import { AccountClient } from "./account-writes.ts";

let service: TestService;
let person: Person;
let lines: string[];
beforeAll(async () => {
  const log = createLog({ variable: () => undefined, print: (_level, line) => lines.push(line) });
  lines = [];
  service = await openTestService(undefined, log);
  const client = new AccountClient(service);
  person = await client.newSubscriber();
  await client.sellTier();
  await client.attachCustomer(person);
});
afterAll(() => service.close());
beforeEach(() => {
  lines = [];
  service.calls.length = 0;
  service.stripe.requests.length = 0;
  service.stripe.otherAnswer = undefined;
});

/** Sends a request to a deployment whose environment has other values. */
async function send(path: string, method: string, environment: Record<string, string | undefined>, body?: object) {
  const runtime = {
    ...service.runtime,
    variable: (name: string) => (name in environment ? environment[name] : service.runtime.variable(name)),
  };
  const headers = { authorization: `Bearer ${await person.token()}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return handle(new Request(`${testBaseUrl}/account-api${path}`, init), runtime);
}
const pages = [
  ["/billing/checkout", { tier: "developer" }],
  ["/billing/portal", undefined],
] as const;

describe.each(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"])("without %s", (name) => {
  test.each(pages)("%s is off, and neither the database nor Stripe is asked", async (path, body) => {
    const response = await send(path, "POST", { [name]: undefined }, body);
    expect([response.status, await response.json()]).toMatchObject([404, { detail: "Billing is not set up here." }]);
    expect([service.calls, service.stripe.requests]).toEqual([[], []]);
  });

  test("tiers are told, and none is for sale", async () => {
    const { tiers, billing } = tierList.parse(await (await send("/tiers", "GET", { [name]: undefined })).json());
    expect(billing).toEqual({ is_set_up: false, has_subscription: false, has_customer: true });
    expect(tiers.map((tier) => [tier.name, tier.is_for_sale])).toEqual([
      ["free", false],
      ["developer", false],
    ]);
  });
});

test.each(pages)("%s is 503 where the dashboard's address is not set, and the log says so", async (path, body) => {
  const response = await send(path, "POST", { DASHBOARD_URL: undefined }, body);
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "3600"]);
  expect(lines.join()).toContain("DASHBOARD_URL is not set to an https address");
  expect(service.stripe.requests).toEqual([]);
  const { billing } = tierList.parse(await (await send("/tiers", "GET", { DASHBOARD_URL: undefined })).json());
  expect(billing.is_set_up).toBe(false);
});

test.each(pages)("what Stripe refuses %s for is logged by code and request id, without the key", async (path, body) => {
  service.stripe.otherAnswer = refuse(401, { code: "api_key_expired", message: `Expired API Key: ${testStripeKey}` });
  const response = await send(path, "POST", {}, body);
  expect(response.status).toBe(503);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "warning",
    status: 503,
    error: "stripe-refused Stripe answered 401: type invalid_request_error, code api_key_expired (req_OfTheTest)",
  });
  expect(lines.join() + (await response.text())).not.toContain(testStripeKey);
});

test("an event that names another account than its customer's is applied to the customer's, and the log says so", async () => {
  const { connection } = service;
  const [{ customer, account } = { customer: "", account: "" }] = await connection.query<Record<string, string>>(
    "select id as customer, account_id as account from funding.stripe_customers where account_id = funding.account_id($1)",
    [person.email],
  );
  const warningOf = async (named: string) => {
    lines = [];
    const object = { customer, client_reference_id: named, mode: "subscription", metadata: {} };
    const event = { created: Math.floor(Date.now() / 1000), type: "checkout.session.completed", data: { object } };
    const body = JSON.stringify({ id: `evt_${crypto.randomUUID()}`, ...event });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: testBillingSecret });
    const headers = { "stripe-signature": signature };
    const response = await service.fetch("/billing", { method: "POST", body, headers });
    expect(await response.json()).toEqual({ outcome: "applied" });
    return (JSON.parse(lines[0] ?? "{}") as { warning?: string }).warning;
  };
  const other = crypto.randomUUID();
  expect(await warningOf(other)).toContain(
    `it names the account ${other}, but the customer ${customer} pays for ${account}, which it was applied to`,
  );
  expect(await warningOf(account ?? "")).toBeUndefined();
});

test("a page that Stripe did not open is asked for again with the same Idempotency-Key, and counted once", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const client = new AccountClient(service);
  const request = { method: "POST", path: "/billing/portal" };
  service.stripe.otherAnswer = refuse(500, {}, "api_error");
  expect((await client.send(person, request, key)).status).toBe(503);
  service.stripe.otherAnswer = undefined;
  const opened = await client.send(person, request, key);
  const again = await client.send(person, request, key);
  expect([opened.status, await again.json()]).toEqual([200, await opened.json()]);
  const keys = new Set(service.stripe.requests.map(({ idempotencyKey }) => idempotencyKey));
  expect([service.stripe.requests.length, keys.size]).toEqual([3, 1]);
  expect(again.headers.get("x-ratelimit-remaining")).toBe(opened.headers.get("x-ratelimit-remaining"));
});
