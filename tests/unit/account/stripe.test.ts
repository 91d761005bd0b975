import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readBillingSettings } from "../../../functions/account-api/billing-settings.ts";
import { createStripeSession, encodeForm, stripeVersion } from "../../../functions/account-api/stripe.ts";
import { hasSecret } from "../../../shared/log/redact.ts";
import { refuse, type StripeServer, startStripeServer, testStripeKey } from "../../support/stripe-server.ts";

let server: StripeServer;
beforeAll(async () => {
  server = await startStripeServer();
});
afterEach(() => {
  server.otherAnswer = undefined;
});
afterAll(() => server.close());

const form = encodeForm({ customer: "cus_1", return_url: "https://dashboard.example/account" });
const ask = ({ timeoutMs = 5_000, secretKey = testStripeKey, apiUrl = server.url } = {}) =>
  createStripeSession(
    { apiUrl, secretKey, timeoutMs },
    { path: "billing_portal/sessions", form, idempotencyKey: crypto.randomUUID() },
  );

test("requests are for the version of Stripe's API whose types check them", () => {
  expect(stripeVersion).toBe(Stripe.API_VERSION);
});

test("parameters are encoded in Stripe's form, whatever is in them", () => {
  const fields = {
    mode: "subscription",
    line_items: [{ price: "price_1", quantity: 1 }],
    subscription_data: { metadata: { account_id: "a&b=c" } },
  };
  expect([...new URLSearchParams(encodeForm(fields))]).toEqual([
    ["mode", "subscription"],
    ["line_items[0][price]", "price_1"],
    ["line_items[0][quantity]", "1"],
    ["subscription_data[metadata][account_id]", "a&b=c"],
  ]);
});

test("a session's page is returned", async () => {
  expect(await ask()).toEqual({ ok: true, url: expect.stringMatching(/^https:\/\/billing\.stripe\.com\//) });
});

test("a refusal is told by Stripe's code and request id, without its message", async () => {
  server.otherAnswer = refuse(400, {
    code: "resource_missing",
    param: "customer",
    message: "No such customer: ada@example.org",
  });
  expect(await ask()).toEqual({
    ok: false,
    reason: "refused",
    message: "Stripe answered 400: type invalid_request_error, code resource_missing, param customer (req_OfTheTest)",
  });
  server.otherAnswer = refuse(400, { code: "no word of Stripe's\n", param: ["x"] }, "invalid_request_error");
  expect(await ask()).toMatchObject({ message: "Stripe answered 400: type invalid_request_error (req_OfTheTest)" });
});

test("a wrong key is in no message", async () => {
  const secretKey = "sk_live_thisIsNotTheKeyOfTheServer";
  const refusal = await ask({ secretKey });
  expect(refusal).toMatchObject({ ok: false, reason: "refused" });
  expect(JSON.stringify(refusal)).not.toContain(secretKey.slice(8));
  expect(hasSecret(`a message with ${secretKey}`)).toBe(true);
});

test("a redirect, to which the key would be sent, is not followed", async () => {
  server.otherAnswer = { status: 307, body: "", headers: { location: `${server.url}/elsewhere` } };
  expect(await ask()).toMatchObject({ ok: false, reason: "unanswered" });
  expect(server.requests.map(({ path }) => path)).not.toContain("/elsewhere");
});

test("silence ends at the time limit", async () => {
  server.otherAnswer = "silence";
  const began = performance.now();
  expect(await ask({ timeoutMs: 100 })).toEqual({
    ok: false,
    reason: "unanswered",
    message: "Stripe did not answer within 100 ms",
  });
  expect(performance.now() - began).toBeLessThan(2_000);
});

test("a Stripe that is not there is one that does not answer", async () => {
  expect(await ask({ apiUrl: "http://127.0.0.1:1" })).toMatchObject({ ok: false, reason: "unanswered" });
});

const complete = {
  STRIPE_SECRET_KEY: testStripeKey,
  STRIPE_WEBHOOK_SECRET: "whsec_1",
  DASHBOARD_URL: "https://dashboard.example/",
};
const settingsOf = (change: Record<string, string | undefined> = {}) => {
  const values: Record<string, string | undefined> = { ...complete, ...change };
  return readBillingSettings((name) => values[name]);
};

test("billing is on with both secrets of Stripe's and the dashboard's address", () => {
  expect(settingsOf()).toEqual({
    state: "on",
    stripe: { apiUrl: "https://api.stripe.com", secretKey: testStripeKey },
    accountPageUrl: "https://dashboard.example/account",
  });
});

test.each(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"])("billing is off without %s", (name) => {
  expect(settingsOf({ [name]: undefined })).toEqual({ state: "off" });
});

test.each([
  ["STRIPE_SECRET_KEY", "pk_live_aPublishableKey"],
  ["STRIPE_SECRET_KEY", "sk_live_a\nb"],
  ["STRIPE_API_URL", "http://api.stripe.example"],
  ["DASHBOARD_URL", undefined],
  ["DASHBOARD_URL", "http://dashboard.example"],
  ["DASHBOARD_URL", "javascript:alert(1)"],
])("%s as %j is a fault that the operator is told, without the value", (name, value) => {
  const settings = settingsOf({ [name]: value });
  expect(settings).toMatchObject({ state: "wrong", fault: expect.stringContaining(name) });
  expect(JSON.stringify(settings)).not.toContain(value ?? "undefined");
});
