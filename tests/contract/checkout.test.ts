import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { account } from "../../shared/responses/account/account.ts";
import { stripePage, tierList } from "../../shared/responses/account/billing.ts";
import { invitation, membership } from "../../shared/responses/account/members.ts";
import type { Person } from "../support/people.ts";
import { type OtherAnswer, refuse, type StripeServer } from "../support/stripe-server.ts";
import { type Ask, accountClient, peopleOf, refused } from "./account-client.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("checkout");
const { askAs, read, putOnTier } = accountClient(target);
const newPerson = () => peopleOf(target).newPerson();
const sql = (text: string, values: unknown[] = []) => peopleOf(target).connection.query(text, values);
const newId = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;

let stripe: StripeServer;
/** A tier that is sold at this price, and one that is not sold. */
const [sold, unsold] = [`sold-${crypto.randomUUID().slice(0, 8)}`, `unsold-${crypto.randomUUID().slice(0, 8)}`];
const price = newId("price");

beforeAll(async () => {
  if (!canRun) return;
  stripe = await target.stripe();
  await sql("select funding.add_tier($1, true, 500, false)", [sold]);
  await sql("select funding.add_tier($1, true, 900, true)", [unsold]);
  await sql("select funding.set_price($1, $2)", [price, sold]);
});
afterEach(() => {
  if (canRun) stripe.otherAnswer = undefined;
});

const idOf = async (person: Person) => (await read(person, "", account)).id;
const tiersOf = (person: Person, given?: Ask) => read(person, "/tiers", tierList, given);
const tierNamed = async (person: Person, name: string) =>
  (await tiersOf(person)).tiers.find((tier) => tier.name === name);
const buying = (tier: string, headers: Record<string, string> = {}): Ask => ({
  method: "POST",
  body: { tier },
  headers,
});
const checkout = (person: Person, given: Ask = buying(sold)) => askAs(person, "/billing/checkout", given);
const portal = (person: Person, headers: Record<string, string> = {}) =>
  askAs(person, "/billing/portal", { method: "POST", headers });

/** Applies an event of Stripe's about a subscription of an account's, as `POST /billing` does. */
async function record(accountId: string, customer: string, status: string, subscription = newId("sub")) {
  const created = Math.floor(Date.now() / 1000);
  const event = {
    id: newId("evt"),
    created,
    customer_id: customer,
    account_id: accountId,
    is_by_operator: true,
    subscription: { id: subscription, status, price_ids: [price], current_period_end: created + 86_400 },
    failed_subscription_id: null,
  };
  await sql("select public.record_billing_event($1::jsonb)", [JSON.stringify(event)]);
}

/** Somebody new who pays for their account as a new customer. */
async function newCustomer(status: string) {
  const [person, customer] = [await newPerson(), newId("cus")];
  const id = await idOf(person);
  await record(id, customer, status);
  return { person, id, customer };
}

/** A member of an owner's account who is no owner. */
async function newMember(owner: Person): Promise<Person> {
  const person = await newPerson();
  const body = { email: person.email, role: "member" };
  const { id } = await read(owner, "/invitations", invitation, { method: "POST", body }, 201);
  await read(person, `/invitations/${id}/accept`, membership, { method: "POST" });
  return person;
}

describe("tiers", () => {
  test("are listed with what they include, and whether they are for sale", async () => {
    const person = await newPerson();
    const { tiers, billing } = await tiersOf(person);
    expect(tiers).toContainEqual({
      name: "free",
      api_access: false,
      daily_quota: 0,
      snapshots: false,
      is_own: true,
      is_for_sale: false,
    });
    expect(tiers).toContainEqual({
      name: sold,
      api_access: true,
      daily_quota: 500,
      snapshots: false,
      is_own: false,
      is_for_sale: true,
    });
    expect(tiers.find(({ name }) => name === unsold)).toMatchObject({ snapshots: true, is_for_sale: false });
    expect(tiers[0]?.name, "what has least comes first").toBe("free");
    expect(billing).toEqual({ is_set_up: true, has_subscription: false, has_customer: false });
  });

  test("mark the account's own, for its members too", async () => {
    const owner = await newPerson();
    await putOnTier(owner, unsold);
    const id = await idOf(owner);
    const inAccount = { headers: { "x-account-id": id } };
    for (const [person, given] of [[owner, {}] as const, [await newMember(owner), inAccount] as const]) {
      const { tiers } = await tiersOf(person, given);
      expect(tiers.filter(({ is_own }) => is_own).map(({ name }) => name)).toEqual([unsold]);
    }
    await refused(await askAs(await newPerson(), "/tiers", inAccount), 404);
  });

  test("that are not listed are shown to the accounts on them alone, and sold to nobody else", async () => {
    const name = `hidden-${crypto.randomUUID().slice(0, 8)}`;
    await sql("select funding.add_tier($1, true, 7, false, false)", [name]);
    await sql("select funding.set_price($1, $2)", [newId("price"), name]);
    const [one, other] = [await newPerson(), await newPerson()];
    await putOnTier(one, name);
    expect(await tierNamed(one, name)).toMatchObject({ is_own: true, is_for_sale: true });
    expect(await tierNamed(other, name)).toBeUndefined();
    expect((await checkout(one, buying(name))).status).toBe(200);
    await refused(await checkout(other, buying(name)), 400);
  });

  test("say whether the account pays at Stripe", async () => {
    const { person, id, customer } = await newCustomer("past_due");
    expect((await tiersOf(person)).billing).toEqual({ is_set_up: true, has_subscription: true, has_customer: true });
    await record(id, customer, "canceled");
    expect((await tiersOf(person)).billing.has_subscription, "another one goes on").toBe(true);
    await sql("update funding.stripe_subscriptions set status = 'canceled' where customer_id = $1", [customer]);
    expect((await tiersOf(person)).billing).toEqual({ is_set_up: true, has_subscription: false, has_customer: true });
  });
});

describe("a checkout", () => {
  test("is Stripe's page, made for the account and the tier's price", async () => {
    const person = await newPerson();
    const id = await idOf(person);
    const { url } = await read(person, "/billing/checkout", stripePage, buying(sold));
    expect(url).toMatch(/^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_\d+$/);
    const [request, ...others] = stripe.requestsOf(id);
    expect(others).toEqual([]);
    const { expires_at, ...form } = request?.form ?? {};
    expect(form).toEqual({
      mode: "subscription",
      "line_items[0][price]": price,
      "line_items[0][quantity]": "1",
      client_reference_id: id,
      "metadata[account_id]": id,
      "metadata[user_id]": person.userId,
      "subscription_data[metadata][account_id]": id,
      "subscription_data[metadata][user_id]": person.userId,
      customer_email: person.email,
      success_url: `${target.dashboardUrl()}/account?checkout=done`,
      cancel_url: `${target.dashboardUrl()}/account`,
    });
    expect(Math.abs(Number(expires_at) - Date.now() / 1000 - 3600)).toBeLessThan(60);
    expect(request?.idempotencyKey).toMatch(/^[0-9a-f]{64}$/);
  });

  test("leads back to the deployment's dashboard, whatever the request's headers say", async () => {
    const person = await newPerson();
    const id = await idOf(person);
    const headers = {
      origin: "https://evil.example",
      referer: "https://evil.example/account",
      "x-forwarded-host": "evil.example",
    };
    expect((await checkout(person, buying(sold, headers))).status).toBe(200);
    expect(JSON.stringify(stripe.requestsOf(id))).not.toContain("evil");
  });

  test("is made once for an Idempotency-Key, here and at Stripe, and anew for another", async () => {
    const person = await newPerson();
    const id = await idOf(person);
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await checkout(person, buying(sold, key));
    const again = await checkout(person, buying(sold, key));
    expect([first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(await again.json()).toEqual(await first.json());
    await read(person, "/billing/checkout", stripePage, buying(sold));
    const keys = stripe.requestsOf(id).map(({ idempotencyKey }) => idempotencyKey);
    expect([keys.length, new Set(keys).size, keys[0] === keys[1]]).toEqual([3, 2, true]);
    expect(keys).not.toContain(key["idempotency-key"]);
    await refused(await checkout(person, buying(unsold, key)), 409);
  });

  test("names the account's customer, where it has one", async () => {
    const { person, id, customer } = await newCustomer("canceled");
    await read(person, "/billing/checkout", stripePage, buying(sold));
    expect(stripe.requestsOf(id)[0]?.form).toMatchObject({ customer });
    expect(stripe.requestsOf(id)[0]?.form).not.toHaveProperty("customer_email");
  });

  test("is at the price that was set last", async () => {
    const [person, name] = [await newPerson(), `priced-${crypto.randomUUID().slice(0, 8)}`];
    const [one, two] = [newId("price"), newId("price")];
    await sql("select funding.add_tier($1, true, 9, false)", [name]);
    for (const set of [one, two, one]) {
      await sql("select funding.set_price($1, $2)", [set, name]);
      await read(person, "/billing/checkout", stripePage, buying(name));
      expect(stripe.requests.at(-1)?.form["line_items[0][price]"]).toBe(set);
    }
    await sql("select funding.set_price($1, null)", [one]);
    await read(person, "/billing/checkout", stripePage, buying(name));
    expect(stripe.requests.at(-1)?.form["line_items[0][price]"]).toBe(two);
  });

  test.each(["active", "trialing", "past_due", "unpaid", "paused"])(
    "is refused beside a subscription that is %s, also after its period's end",
    async (status) => {
      const { person, id } = await newCustomer(status);
      const problem = await refused(await checkout(person), 409);
      expect(problem.detail).toContain("would pay twice");
      expect(problem.detail).toContain("POST /account-api/billing/portal");
      await sql(
        `update funding.stripe_subscriptions set current_period_end = now() - interval '3 days'
         where customer_id in (select customer.id from funding.stripe_customers as customer where customer.account_id = $1)`,
        [id],
      );
      await refused(await checkout(person), 409);
      expect(stripe.requestsOf(id)).toEqual([]);
    },
  );

  test.each(["canceled", "incomplete", "incomplete_expired"])("is opened after one that is %s", async (status) => {
    const { person } = await newCustomer(status);
    expect((await checkout(person)).status).toBe(200);
  });

  test("is opened where an operator set the subscription, which Stripe does not charge for", async () => {
    const person = await newPerson();
    await putOnTier(person, unsold);
    expect((await checkout(person)).status).toBe(200);
  });

  test.each([unsold, "no-such-tier", "free"])(
    "of %s, which is not for sale, is refused, and Stripe is not asked",
    async (tier) => {
      const person = await newPerson();
      const problem = await refused(await checkout(person, buying(tier)), 400);
      expect(problem.errors).toEqual([
        { parameter: "tier", message: "must be a tier that is for sale: GET /account-api/tiers lists them" },
      ]);
      expect(stripe.requestsOf(await idOf(person))).toEqual([]);
    },
  );

  test.each([
    ["tier", {}],
    ["tier", { tier: null }],
    ["tier", { tier: "a\u0000b" }],
    ["tier", { tier: "a".repeat(41) }],
    ["success_url", { tier: "developer", success_url: "https://evil.example" }],
  ])("with a wrong %s is refused: %j", async (parameter, body) => {
    const problem = await refused(await checkout(await newPerson(), { method: "POST", body }), 400);
    expect(problem.errors?.map((error) => error.parameter)).toEqual([parameter]);
  });
});

describe("the portal", () => {
  test("is Stripe's page of the account's customer, and leads back to the dashboard", async () => {
    const { person, customer } = await newCustomer("active");
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await portal(person, key);
    const { url } = stripePage.parse(await first.json());
    expect(url).toMatch(/^https:\/\/billing\.stripe\.com\/p\/session\/test_\d+$/);
    expect(stripePage.parse(await (await portal(person, key)).json()).url).toBe(url);
    const [request, again] = stripe.requestsOf(customer);
    expect(request?.path).toBe("/v1/billing_portal/sessions");
    expect(request?.form).toEqual({ customer, return_url: `${target.dashboardUrl()}/account` });
    expect(again?.idempotencyKey).toBe(request?.idempotencyKey);
  });

  test("is that of the customer whose subscription goes on, of several", async () => {
    const { person, id, customer } = await newCustomer("active");
    const later = newId("cus");
    await record(id, later, "canceled");
    await portal(person);
    expect([stripe.requestsOf(customer).length, stripe.requestsOf(later).length]).toEqual([1, 0]);
  });

  test("is not there for an account that has paid nothing", async () => {
    const problem = await refused(await portal(await newPerson()), 404);
    expect(problem.detail).toContain("has paid nothing at Stripe yet");
  });
});

test("members who are not owners, and strangers, open neither, and Stripe is not asked", async () => {
  const { person: owner, id, customer } = await newCustomer("canceled");
  const [member, stranger] = [await newMember(owner), await newPerson()];
  const inAccount = { "x-account-id": id };
  for (const open of [() => checkout(member, buying(sold, inAccount)), () => portal(member, inAccount)]) {
    expect((await refused(await open(), 403)).type).toMatch(/:role-required$/);
  }
  for (const open of [() => checkout(stranger, buying(sold, inAccount)), () => portal(stranger, inAccount)]) {
    await refused(await open(), 404);
  }
  expect([...stripe.requestsOf(id), ...stripe.requestsOf(customer)]).toEqual([]);
});

test("an owner who is one no more does not get the page of an earlier request again", async () => {
  const owner = await newPerson();
  const id = await idOf(owner);
  const key = { "idempotency-key": crypto.randomUUID() };
  expect((await checkout(owner, buying(sold, key))).status).toBe(200);
  await sql("update funding.members set role = 'member' where account_id = $1", [id]);
  await refused(await checkout(owner, buying(sold, key)), 403);
});

describe("where Stripe", () => {
  const page = (url: string) => ({ status: 200, body: JSON.stringify({ id: "cs_1", url }) });
  const rows: { what: string; answer: OtherAnswer; retryAfter: string }[] = [
    { what: "refuses the key", answer: refuse(401, { message: "Invalid API Key" }), retryAfter: "60" },
    { what: "does not know the price", answer: refuse(400, { code: "resource_missing" }), retryAfter: "60" },
    { what: "has too much to do", answer: refuse(429, { code: "rate_limit" }), retryAfter: "5" },
    { what: "fails", answer: refuse(500, {}, "api_error"), retryAfter: "5" },
    { what: "answers garbage", answer: { status: 200, body: "<html>" }, retryAfter: "5" },
    { what: "answers no address", answer: { status: 200, body: '{"url":null}' }, retryAfter: "5" },
    { what: "leads elsewhere", answer: page("https://stripe.com.evil.example/c/pay"), retryAfter: "5" },
    { what: "leads to a page without TLS", answer: page("http://checkout.stripe.com/c/pay"), retryAfter: "5" },
    { what: "leads to a script", answer: page("javascript:alert(1)//checkout.stripe.com"), retryAfter: "5" },
    {
      what: "redirects the request",
      answer: { status: 307, body: "", headers: { location: "https://evil.example/" } },
      retryAfter: "5",
    },
  ];

  test.each(rows)("$what, the answer is 503, and it can be tried again", async ({ answer, retryAfter }) => {
    const { person } = await newCustomer("canceled");
    for (const open of [checkout, portal]) {
      stripe.otherAnswer = answer;
      const response = await open(person);
      const problem = await refused(response, 503);
      expect([response.headers.get("retry-after"), problem.type]).toEqual([
        retryAfter,
        "urn:funding-opportunities:problem:unavailable",
      ]);
      expect(problem.detail).toContain("Nothing was charged");
      stripe.otherAnswer = undefined;
      expect((await open(person)).status).toBe(200);
    }
  });

  // Ten seconds: in this process tests/unit/account/stripe.test.ts has a shorter limit.
  test.runIf(process.env.API_BASE_URL !== undefined)("says nothing, the answer is 503 after ten seconds", async () => {
    const person = await newPerson();
    stripe.otherAnswer = "silence";
    const began = performance.now();
    const response = await checkout(person);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(performance.now() - began).toBeGreaterThan(9_000);
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});
