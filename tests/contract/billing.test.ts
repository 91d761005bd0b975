import Stripe from "stripe";
import { beforeAll, describe, expect, test } from "vitest";
import { account as accountSchema } from "../../shared/responses/account/account.ts";
import { auditLog } from "../../shared/responses/account/audit-log.ts";
import { decidedOffer, offerList } from "../../shared/responses/account/billing.ts";
import { issuedKey } from "../../shared/responses/account/keys.ts";
import type { People, Person } from "../support/people.ts";
import { parse, readJson } from "./client.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("billing");
let people: People;
/** The prices that buy the tiers developer and limited. */
const prices = { developer: newId("price"), limited: newId("price") };

function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

beforeAll(async () => {
  if (!canRun) return;
  const known = target.people();
  if (known === undefined) throw new Error("nobody can be signed in");
  people = known;
  for (const [tier, price] of Object.entries(prices)) {
    await people.connection.query("select funding.set_price($1, $2)", [price, tier]);
  }
});

const now = () => Math.floor(Date.now() / 1000);
const inAMonth = () => now() + 30 * 86_400;

interface Event {
  id?: string;
  created?: number;
  type: string;
  data: { object: object };
}

/** Sends an event as Stripe does. */
async function send(event: Event, options: { secret?: string; timestamp?: number } = {}) {
  return sendText(JSON.stringify({ id: newId("evt"), object: "event", created: now(), ...event }), options);
}

async function sendText(payload: string, { secret = target.billingSecret(), timestamp = now() } = {}) {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
  return target.send("/billing", { method: "POST", body: payload, headers }, "nobody");
}

async function outcomeOf(event: Event): Promise<string> {
  const { outcome } = (await readJson(await send(event), 200, event.type)) as { outcome: string };
  return outcome;
}

/** A person, and what Stripe knows of a purchase of theirs. */
interface Purchase {
  person: Person;
  key: string;
  accountId: string;
  customer: string;
  subscription: string;
}

async function newPurchase(): Promise<Purchase> {
  const person = await people.newPerson();
  const headers = { authorization: `Bearer ${await person.token()}`, "content-type": "application/json" };
  const init = { method: "POST", body: '{"name":"bought"}', headers };
  const { key } = parse(
    issuedKey,
    await readJson(await target.send("/account-api/keys", init, "nobody"), 201, "key"),
    "key",
  );
  return { person, key, accountId: (await accountOf(person)).id, customer: newId("cus"), subscription: newId("sub") };
}

async function accountOf(person: Person) {
  const headers = { authorization: `Bearer ${await person.token()}` };
  return parse(
    accountSchema,
    await readJson(await target.send("/account-api", { headers }, "nobody"), 200, "account"),
    "account",
  );
}

const statusWith = async (key: string) => (await target.send("/funders-api?limit=1", {}, { key })).status;

/** A checkout that the person opened, as an owner of their account. */
const checkout = ({ person, accountId, customer, subscription }: Purchase, more: object = {}): Event => ({
  type: "checkout.session.completed",
  data: {
    object: {
      id: newId("cs"),
      object: "checkout.session",
      mode: "subscription",
      client_reference_id: accountId,
      metadata: { account_id: accountId, user_id: person.userId },
      customer,
      subscription,
      ...more,
    },
  },
});

/** A checkout by a payment link, which names any account. */
const fromLink = (purchase: Purchase) => checkout(purchase, { metadata: {} });

/** Accounts as operators' commands name them: one without an e-mail address by its id. */
const setTier = ({ accountId }: Purchase, tier: string) =>
  people.connection.query("select funding.set_tier($1, $2)", [accountId, tier]);
const setPrice = (price: string, tier: string | null) =>
  people.connection.query("select funding.set_price($1, $2)", [price, tier]);

interface Change {
  status?: string;
  price?: string;
  end?: number;
  metadata?: Record<string, string>;
}

const subscriptionEvent = (
  what: "created" | "updated" | "deleted",
  { customer, subscription }: Pick<Purchase, "customer" | "subscription">,
  { status = "active", price = prices.developer, end = inAMonth(), metadata = {} }: Change = {},
): Event => ({
  type: `customer.subscription.${what}`,
  data: {
    object: {
      id: subscription,
      object: "subscription",
      customer,
      status,
      metadata,
      items: { object: "list", data: [{ id: newId("si"), price: { id: price }, current_period_end: end }] },
    },
  },
});

const paymentFailed = ({ customer, subscription }: Purchase): Event => ({
  type: "invoice.payment_failed",
  data: {
    object: {
      id: newId("in"),
      object: "invoice",
      customer,
      parent: { type: "subscription_details", subscription_details: { subscription } },
    },
  },
});

describe("a purchase", () => {
  test("gives its account the tier of the price until the period's end, at once", async () => {
    const purchase = await newPurchase();
    expect(await statusWith(purchase.key)).toBe(403);
    const end = inAMonth();
    expect(await outcomeOf(checkout(purchase))).toBe("applied");
    expect(await outcomeOf(subscriptionEvent("created", purchase, { end }))).toBe("applied");
    expect(await accountOf(purchase.person)).toMatchObject({
      api_access: true,
      tier: { name: "developer" },
      subscription: { status: "active", current_period_end: new Date(end * 1000).toISOString(), in_force: true },
    });
    expect(await statusWith(purchase.key)).toBe(200);
  });

  test("may arrive before its checkout, and waits for it", async () => {
    const purchase = await newPurchase();
    expect(await outcomeOf(subscriptionEvent("created", purchase))).toBe("unknown-customer");
    expect(await statusWith(purchase.key)).toBe(403);
    expect(await outcomeOf(checkout(purchase))).toBe("applied");
    expect(await statusWith(purchase.key)).toBe(200);
  });

  test("finds its account by the subscription's metadata too", async () => {
    const purchase = await newPurchase();
    const metadata = { account_id: purchase.accountId };
    expect(await outcomeOf(subscriptionEvent("created", purchase, { metadata }))).toBe("applied");
    expect(await statusWith(purchase.key)).toBe(200);
  });

  test("of another tier changes the tier", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    await outcomeOf(subscriptionEvent("created", purchase));
    await outcomeOf(subscriptionEvent("updated", purchase, { price: prices.limited }));
    expect((await accountOf(purchase.person)).tier.name).toBe("limited");
  });

  test("is in the account's audit log once, as a change by the system", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    const bought = { ...subscriptionEvent("created", purchase), id: newId("evt") };
    expect([await outcomeOf(bought), await outcomeOf(bought)]).toEqual(["applied", "duplicate"]);
    await outcomeOf(subscriptionEvent("updated", purchase, { status: "past_due" }));
    const headers = { authorization: `Bearer ${await purchase.person.token()}` };
    const path = "/account-api/audit-log?kind=subscription";
    const { entries } = parse(
      auditLog,
      await readJson(await target.send(path, { headers }, "nobody"), 200, path),
      path,
    );
    expect(entries.map(({ action, actor }) => [action, actor.kind])).toEqual([
      ["subscription.updated", "system"],
      ["subscription.created", "system"],
    ]);
    expect(entries[0]?.changes).toContainEqual({ field: "status", from: "active", to: "past_due" });
  });

  test("of something that buys no tier changes nothing", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    await outcomeOf(subscriptionEvent("created", purchase, { price: newId("price") }));
    expect(await accountOf(purchase.person)).toMatchObject({ tier: { name: "free" }, subscription: null });
  });

  test("of a price that comes to buy a tier later counts from then on", async () => {
    const purchase = await newPurchase();
    const price = newId("price");
    await outcomeOf(checkout(purchase));
    await outcomeOf(subscriptionEvent("created", purchase, { price }));
    await people.connection.query("select funding.set_price($1, 'developer')", [price]);
    expect(await statusWith(purchase.key)).toBe(200);
  });

  test.each([
    ["canceled", 403],
    ["unpaid", 403],
    ["paused", 403],
    ["incomplete_expired", 403],
    ["past_due", 200],
    ["trialing", 200],
  ])("that becomes %s has its requests answered %i at once", async (status, expected) => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    await outcomeOf({ ...subscriptionEvent("created", purchase), created: now() - 10 });
    expect(await statusWith(purchase.key)).toBe(200);
    await outcomeOf(subscriptionEvent("updated", purchase, { status }));
    expect(await statusWith(purchase.key)).toBe(expected);
  });

  test("that is deleted ends access, whatever its status said", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    await outcomeOf(subscriptionEvent("created", purchase));
    await outcomeOf(subscriptionEvent("deleted", purchase));
    expect(await statusWith(purchase.key)).toBe(403);
    expect((await accountOf(purchase.person)).subscription?.status).toBe("canceled");
  });

  test("whose payment fails is past due, and goes on until Stripe gives up", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    await outcomeOf({ ...subscriptionEvent("created", purchase), created: now() - 100 });
    await outcomeOf(paymentFailed(purchase));
    expect(await accountOf(purchase.person)).toMatchObject({ api_access: true, subscription: { status: "past_due" } });
    await outcomeOf({ ...subscriptionEvent("updated", purchase), created: now() + 1 });
    expect((await accountOf(purchase.person)).subscription?.status).toBe("active");
  });

  test("whose payment fails takes an event that was made before and comes after, and is past due all the same", async () => {
    const purchase = await newPurchase();
    const end = inAMonth();
    await outcomeOf(checkout(purchase));
    await outcomeOf({ ...subscriptionEvent("created", purchase, { end: now() + 60 }), created: now() - 100 });
    await outcomeOf({ ...paymentFailed(purchase), created: now() - 10 });
    const renewal = subscriptionEvent("updated", purchase, { price: prices.limited, end });
    await outcomeOf({ ...renewal, created: now() - 20 });
    expect(await accountOf(purchase.person)).toMatchObject({
      tier: { name: "limited" },
      subscription: { status: "past_due", current_period_end: new Date(end * 1000).toISOString() },
    });
  });

  test("outlives its period by a day at most, while the renewal may still be announced", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    await outcomeOf({ ...subscriptionEvent("created", purchase, { end: now() - 3600 }), created: now() - 20 });
    expect(await statusWith(purchase.key)).toBe(200);
    await outcomeOf(subscriptionEvent("updated", purchase, { end: now() - 25 * 3600 }));
    expect(await statusWith(purchase.key)).toBe(403);
  });
});

describe("a subscription that no longer buys a tier", () => {
  async function newSubscriber(price = prices.developer) {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    await outcomeOf({ ...subscriptionEvent("created", purchase, { price }), created: now() - 10 });
    expect(await statusWith(purchase.key)).toBe(200);
    return purchase;
  }
  const isFree = { tier: { name: "free" }, subscription: null };

  test("of another price ends access at once, and comes back with a price of a tier", async () => {
    const purchase = await newSubscriber();
    await outcomeOf({ ...subscriptionEvent("updated", purchase, { price: newId("price") }), created: now() - 5 });
    expect(await statusWith(purchase.key)).toBe(403);
    expect(await accountOf(purchase.person)).toMatchObject(isFree);
    await outcomeOf(subscriptionEvent("updated", purchase));
    expect(await statusWith(purchase.key)).toBe(200);
  });

  test("leaves the account another one of its own", async () => {
    const purchase = await newSubscriber();
    const other = { ...purchase, subscription: newId("sub") };
    await outcomeOf(subscriptionEvent("created", other, { price: prices.limited, end: now() + 86_400 }));
    await outcomeOf(subscriptionEvent("updated", purchase, { price: newId("price") }));
    expect(await accountOf(purchase.person)).toMatchObject({ api_access: true, tier: { name: "limited" } });
  });

  test("since its price was taken from the tier, ends access at once", async () => {
    const price = newId("price");
    await setPrice(price, "developer");
    const purchase = await newSubscriber(price);
    await setPrice(price, null);
    expect(await statusWith(purchase.key)).toBe(403);
    expect(await accountOf(purchase.person)).toMatchObject(isFree);
  });

  test("since its customer pays for another account, ends access of the first", async () => {
    const [former, present] = [await newSubscriber(), await newPurchase()];
    await people.connection.query("select funding.attach_customer($1, $2)", [present.accountId, former.customer]);
    expect([await statusWith(former.key), await statusWith(present.key)]).toEqual([403, 200]);
    expect(await accountOf(former.person)).toMatchObject(isFree);
  });
});

describe("a tier that an operator set", () => {
  const isKept = { api_access: true, tier: { name: "limited" }, subscription: { status: "active" } };

  test.each(["incomplete", "unpaid", "canceled"])("stays when a subscription becomes %s", async (status) => {
    const purchase = await newPurchase();
    await setTier(purchase, "limited");
    await outcomeOf(checkout(purchase));
    await outcomeOf(subscriptionEvent("created", purchase, { status }));
    expect(await accountOf(purchase.person)).toMatchObject(isKept);
  });

  test("stays when a subscription buys no tier, and after it when it ends", async () => {
    const purchase = await newPurchase();
    await setTier(purchase, "limited");
    await outcomeOf(checkout(purchase));
    await outcomeOf(subscriptionEvent("created", purchase, { price: newId("price") }));
    await outcomeOf(subscriptionEvent("deleted", purchase, { price: newId("price") }));
    expect(await accountOf(purchase.person)).toMatchObject(isKept);
  });

  test("is replaced by a subscription that gives access, and ends with it", async () => {
    const purchase = await newPurchase();
    await setTier(purchase, "limited");
    await outcomeOf(checkout(purchase));
    await outcomeOf(subscriptionEvent("created", purchase));
    expect((await accountOf(purchase.person)).tier.name).toBe("developer");
    await outcomeOf(subscriptionEvent("deleted", purchase));
    expect(await statusWith(purchase.key)).toBe(403);
  });

  test("stays when a price is set, by which the account pays already or paid once", async () => {
    const [paying, former] = [await newPurchase(), await newPurchase()];
    const price = newId("price");
    await setPrice(price, "developer");
    for (const purchase of [paying, former]) {
      await outcomeOf(checkout(purchase));
      await outcomeOf(subscriptionEvent("created", purchase, { price }));
    }
    await outcomeOf(subscriptionEvent("deleted", former, { price }));
    for (const purchase of [paying, former]) await setTier(purchase, "limited");
    await setPrice(price, "developer");
    expect(await accountOf(paying.person)).toMatchObject(isKept);
    expect(await accountOf(former.person)).toMatchObject(isKept);
    await setPrice(price, null);
    await setPrice(price, "developer");
    expect(await accountOf(former.person)).toMatchObject(isKept);
  });
});

describe("several subscriptions of one account", () => {
  const another = (purchase: Purchase): Purchase => ({ ...purchase, subscription: newId("sub") });
  const inAYear = () => now() + 365 * 86_400;

  test.each([
    ["first", true],
    ["last", false],
  ])("have the tier that includes most, whichever ends later: the greater comes %s", async (_, isGreaterFirst) => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    const events = [
      subscriptionEvent("created", purchase, { price: prices.developer }),
      subscriptionEvent("created", another(purchase), { price: prices.limited, end: inAYear() }),
    ];
    for (const event of isGreaterFirst ? events : events.reverse()) await outcomeOf(event);
    expect((await accountOf(purchase.person)).tier.name).toBe("developer");
  });

  test("of a tier below the one that an operator set change nothing while that is in force", async () => {
    const purchase = await newPurchase();
    await setTier(purchase, "developer");
    await outcomeOf(checkout(purchase));
    await outcomeOf(subscriptionEvent("created", purchase, { price: prices.limited, end: inAYear() }));
    expect(await accountOf(purchase.person)).toMatchObject({ api_access: true, tier: { name: "developer" } });
    await people.connection.query("select funding.change_subscription($1, null, 'canceled', null)", [
      purchase.accountId,
    ]);
    await outcomeOf(subscriptionEvent("updated", purchase, { price: prices.limited, end: inAYear() }));
    expect((await accountOf(purchase.person)).tier.name).toBe("limited");
  });

  test("of a tier below are followed where the operator attaches the customer", async () => {
    const purchase = await newPurchase();
    await setTier(purchase, "developer");
    await outcomeOf(subscriptionEvent("created", purchase, { price: prices.limited }));
    await people.connection.query("select funding.attach_customer($1, $2)", [purchase.accountId, purchase.customer]);
    expect((await accountOf(purchase.person)).tier.name).toBe("limited");
  });
});

describe("a customer whom nobody entitled named", () => {
  const ask = async ({ person }: Purchase, path: string, method: "GET" | "POST" = "GET") => {
    const headers = { authorization: `Bearer ${await person.token()}` };
    return target.send(`/account-api/billing/offers${path}`, { method, headers }, "nobody");
  };
  const offersOf = async (purchase: Purchase) =>
    parse(offerList, await readJson(await ask(purchase, ""), 200, "offers"), "offers").offers;
  const decide = async (purchase: Purchase, id: string, what: "accept" | "refuse") =>
    parse(decidedOffer, await readJson(await ask(purchase, `/${id}/${what}`, "POST"), 200, what), what);
  const stateOf = async ({ person, accountId, key }: Purchase) => ({
    account: await accountOf(person).then(({ tier, subscription }) => ({ tier, subscription })),
    status: await statusWith(key),
    customer: await people.connection.query("select funding.stripe_customer_of($1) as id", [accountId]),
    ongoing: await people.connection.query("select funding.has_stripe_subscription($1) as is", [accountId]),
  });
  const inAYear = () => now() + 365 * 86_400;
  /** An account that pays, and a stranger's customer who names it in a checkout, or in the metadata of a subscription. */
  async function newOffer(price: string, order: "checkout first" | "checkout last" | "metadata alone") {
    const own = await newPurchase();
    await outcomeOf(checkout(own));
    await outcomeOf(subscriptionEvent("created", own, { price: prices.limited }));
    const before = await stateOf(own);
    const stranger = { ...own, customer: newId("cus"), subscription: newId("sub") };
    const named = { price, end: inAYear() };
    const subscribed = subscriptionEvent("created", stranger, named);
    const events = {
      "checkout first": [fromLink(stranger), subscribed],
      "checkout last": [subscribed, fromLink(stranger)],
      "metadata alone": [subscriptionEvent("created", stranger, { ...named, metadata: { account_id: own.accountId } })],
    }[order];
    let outcome = "";
    for (const event of events) outcome = await outcomeOf(event);
    expect(outcome).toBe("undecided");
    return { own, stranger, before };
  }

  test.each(["checkout first", "checkout last", "metadata alone"] as const)(
    "has no effect, whatever it buys, and is a question for the owners: %s",
    async (order) => {
      for (const price of [prices.limited, prices.developer]) {
        const { own, stranger, before } = await newOffer(price, order);
        expect(await stateOf(own)).toEqual(before);
        const tier = price === prices.limited ? "limited" : "developer";
        expect(await offersOf(own)).toMatchObject([
          { customer: stranger.customer, refused_at: null, subscription: { tier, status: "active" } },
        ]);
      }
    },
  );

  test("whom an owner refuses has no effect, and is not asked about again", async () => {
    const { own, stranger, before } = await newOffer(prices.developer, "checkout first");
    const [offer] = await offersOf(own);
    expect(await decide(own, offer?.id ?? "", "refuse")).toEqual({ id: offer?.id, accepted: false });
    await outcomeOf(subscriptionEvent("updated", stranger, { end: inAYear() }));
    await outcomeOf(checkout(stranger));
    expect(await stateOf(own)).toEqual(before);
    const offers = await offersOf(own);
    expect(offers).toHaveLength(1);
    expect(offers[0]?.refused_at).not.toBeNull();
  });

  test("whom an owner accepts pays beside the first", async () => {
    const { own, stranger } = await newOffer(prices.developer, "checkout last");
    const [offer] = await offersOf(own);
    expect(await decide(own, offer?.id ?? "", "accept")).toEqual({ id: offer?.id, accepted: true });
    expect((await accountOf(own.person)).tier.name).toBe("developer");
    expect(await offersOf(own)).toEqual([]);
    await outcomeOf(subscriptionEvent("deleted", stranger));
    expect((await accountOf(own.person)).tier.name).toBe("limited");
    expect((await ask(own, `/${offer?.id}/accept`, "POST")).status).toBe(404);
  });

  test("with a tier below changes neither tier nor portal when an owner accepts", async () => {
    const own = await newPurchase();
    await outcomeOf(checkout(own));
    await outcomeOf(subscriptionEvent("created", own));
    const before = await stateOf(own);
    const stranger = { ...own, customer: newId("cus"), subscription: newId("sub") };
    await outcomeOf(checkout(stranger));
    await outcomeOf(subscriptionEvent("created", stranger, { price: prices.limited, end: inAYear() }));
    const [offer] = await offersOf(own);
    await decide(own, offer?.id ?? "", "accept");
    expect(await stateOf(own)).toEqual(before);
  });

  test("is a question too where the account has none: it gives, lowers and blocks nothing until an owner accepts", async () => {
    const own = await newPurchase();
    const before = await stateOf(own);
    for (const status of ["active", "canceled"]) {
      const stranger = { ...own, customer: newId("cus"), subscription: newId("sub") };
      expect(await outcomeOf(fromLink(stranger))).toBe("undecided");
      expect(await outcomeOf(subscriptionEvent("created", stranger, { status }))).toBe("undecided");
    }
    expect(await stateOf(own)).toEqual(before);
    const [offer] = (await offersOf(own)).filter(({ subscription }) => subscription?.status === "active");
    await outcomeOf(checkout(own));
    await outcomeOf(subscriptionEvent("created", own, { price: prices.limited }));
    expect(await people.connection.query("select funding.stripe_customer_of($1) as id", [own.accountId])).toEqual([
      { id: own.customer },
    ]);
    await decide(own, offer?.id ?? "", "accept");
    expect((await accountOf(own.person)).tier.name).toBe("developer");
  });

  test("is a question where who opened the checkout is no owner of the account, by then or at all", async () => {
    const [own, other] = [await newPurchase(), await newPurchase()];
    const opened = { account_id: own.accountId, user_id: other.person.userId };
    const byRole = async (role: "owner" | "member" | undefined) => {
      await people.connection.query("delete from funding.members where account_id = $1 and user_id = $2", [
        own.accountId,
        other.person.userId,
      ]);
      if (role !== undefined) {
        await people.connection.query(
          "insert into funding.members (account_id, user_id, email, role) values ($1, $2, 'somebody@people.example', $3)",
          [own.accountId, other.person.userId, role],
        );
      }
      const purchase = { ...own, customer: newId("cus"), subscription: newId("sub") };
      const byCheckout = await outcomeOf(checkout(purchase, { metadata: opened }));
      return [byCheckout, await outcomeOf(subscriptionEvent("created", purchase, { metadata: opened }))];
    };
    expect(await byRole(undefined)).toEqual(["undecided", "undecided"]);
    expect(await byRole("member")).toEqual(["undecided", "undecided"]);
    expect(await byRole("owner")).toEqual(["applied", "applied"]);
  });

  test("and what an owner decides about it are in the audit log, each once", async () => {
    const { own, stranger } = await newOffer(prices.developer, "checkout first");
    const [offer] = await offersOf(own);
    for (const what of ["refuse", "refuse", "accept"] as const) await decide(own, offer?.id ?? "", what);
    const headers = { authorization: `Bearer ${await own.person.token()}` };
    const log = await target.send("/account-api/audit-log?kind=subscription", { headers }, "nobody");
    const { entries } = parse(auditLog, await readJson(log, 200, "log"), "log");
    const ofCustomers = entries.filter(({ action }) => action.startsWith("customer."));
    expect(ofCustomers.map(({ action, actor, subject }) => [action, actor.kind, subject.name])).toEqual([
      ["customer.accepted", "user", stranger.customer],
      ["customer.refused", "user", stranger.customer],
      ["customer.offered", "system", stranger.customer],
    ]);
  });

  test("of another account is nobody else's to decide", async () => {
    const { own } = await newOffer(prices.developer, "checkout first");
    const [offer] = await offersOf(own);
    const stranger = await newPurchase();
    for (const what of ["accept", "refuse"]) {
      expect((await ask(stranger, `/${offer?.id}/${what}`, "POST")).status).toBe(404);
    }
    expect(await offersOf(own)).toEqual([offer]);
  });

  test("is one of two who come at once, and the other is the first", async () => {
    const own = await newPurchase();
    const two = [1, 2].map(() => ({ ...own, customer: newId("cus"), subscription: newId("sub") }));
    const outcomes = await Promise.all(two.map((purchase) => outcomeOf(checkout(purchase))));
    expect(outcomes.sort()).toEqual(["applied", "undecided"]);
  });
});

describe("events that come twice or in another order", () => {
  test("twice are applied once", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    const event = { ...subscriptionEvent("created", purchase), id: newId("evt") };
    const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(event)));
    expect(outcomes.sort()).toEqual(["applied", "duplicate", "duplicate"]);
  });

  test("an older one changes nothing", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    await outcomeOf({ ...subscriptionEvent("updated", purchase, { price: prices.limited }), created: now() });
    await outcomeOf({ ...subscriptionEvent("updated", purchase, { price: prices.developer }), created: now() - 60 });
    expect((await accountOf(purchase.person)).tier.name).toBe("limited");
  });

  test("in every order, the events of a purchase end alike", async () => {
    const created = now();
    const ends = [];
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const purchase = await newPurchase();
      // Made and paid within a second, as Stripe does.
      const events = [
        checkout(purchase),
        { ...subscriptionEvent("created", purchase, { status: "incomplete" }), created },
        { ...subscriptionEvent("updated", purchase, { status: "active" }), created },
      ];
      for (const place of order) await send(events[place] as Event);
      ends.push(await statusWith(purchase.key));
    }
    expect(ends).toEqual([200, 200, 200, 200, 200, 200]);
  });

  test("no later event brings a deleted subscription back", async () => {
    const purchase = await newPurchase();
    const created = now();
    await outcomeOf(checkout(purchase));
    await outcomeOf({ ...subscriptionEvent("deleted", purchase), created });
    for (const later of [-5, 0, 5])
      await outcomeOf({ ...subscriptionEvent("updated", purchase), created: created + later });
    expect(await statusWith(purchase.key)).toBe(403);
  });

  test("the end of an old subscription does not end the one that replaced it", async () => {
    const purchase = await newPurchase();
    const renewed = { ...purchase, subscription: newId("sub") };
    await outcomeOf(checkout(purchase));
    await outcomeOf({ ...subscriptionEvent("created", purchase), created: now() - 100 });
    await outcomeOf({ ...subscriptionEvent("created", renewed, { price: prices.limited }), created: now() - 50 });
    await outcomeOf(subscriptionEvent("deleted", purchase));
    expect(await accountOf(purchase.person)).toMatchObject({ api_access: true, tier: { name: "limited" } });
  });

  test("a failed payment changes nothing after a newer event", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    await outcomeOf(subscriptionEvent("updated", purchase));
    await outcomeOf({ ...paymentFailed(purchase), created: now() - 60 });
    expect((await accountOf(purchase.person)).subscription?.status).toBe("active");
  });
});

describe("an earlier version of Stripe's API", () => {
  test("has the period and the invoice's subscription elsewhere", async () => {
    const purchase = await newPurchase();
    const end = inAMonth();
    await outcomeOf(checkout(purchase));
    const { customer, subscription } = purchase;
    const items = { object: "list", data: [{ id: newId("si"), price: { id: prices.developer } }] };
    const object = {
      id: subscription,
      object: "subscription",
      customer,
      status: "active",
      metadata: {},
      current_period_end: end,
      items,
    };
    await outcomeOf({ type: "customer.subscription.created", data: { object }, created: now() - 10 });
    expect((await accountOf(purchase.person)).subscription?.current_period_end).toBe(
      new Date(end * 1000).toISOString(),
    );
    await outcomeOf({
      type: "invoice.payment_failed",
      data: { object: { id: newId("in"), object: "invoice", customer, subscription } },
    });
    expect((await accountOf(purchase.person)).subscription?.status).toBe("past_due");
  });
});

describe("an event that Stripe did not send", () => {
  test("a signature by another secret, of another body, too old, or none is 400 and changes nothing", async () => {
    const purchase = await newPurchase();
    await outcomeOf(checkout(purchase));
    const event = subscriptionEvent("created", purchase);
    const payload = JSON.stringify({ id: newId("evt"), object: "event", created: now(), ...event });
    const post = (headers: Record<string, string>, body = payload) =>
      target.send("/billing", { method: "POST", body, headers }, "nobody");
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: target.billingSecret() });

    const answers = [
      await send(event, { secret: "whsec_another" }),
      await send(event, { timestamp: now() - 301 }),
      await post({ "stripe-signature": signature }, payload.replace("active", "trialing")),
      await post({ "stripe-signature": "t=1,v1=00" }),
      await post({ "stripe-signature": "nonsense" }),
      await post({}),
    ];
    for (const answer of answers) {
      expect(await readJson(answer, 400, "/billing")).toMatchObject({
        type: "urn:funding-opportunities:problem:invalid-signature",
      });
    }
    expect(await statusWith(purchase.key)).toBe(403);
  });

  test("an event of another kind is received and ignored", async () => {
    expect(await outcomeOf({ type: "charge.refunded", data: { object: { id: newId("ch") } } })).toBe("ignored");
  });

  test("a checkout for an account that does not exist links nobody", async () => {
    const purchase = { ...(await newPurchase()), accountId: crypto.randomUUID() };
    expect(await outcomeOf(checkout(purchase))).toBe("unknown-customer");
    expect(await outcomeOf(checkout(purchase, { client_reference_id: "' or true", metadata: {} }))).toBe("ignored");
  });

  test("a checkout does not move a customer who pays for another account", async () => {
    const [first, second] = [await newPurchase(), await newPurchase()];
    await outcomeOf(checkout(first));
    await outcomeOf(subscriptionEvent("created", first));
    await outcomeOf(checkout({ ...first, accountId: second.accountId }));
    expect([await statusWith(first.key), await statusWith(second.key)]).toEqual([200, 403]);
  });

  test("another method or path is refused, and too large a body too", async () => {
    expect((await target.send("/billing", {}, "nobody")).status).toBe(405);
    expect((await target.send("/billing/x", { method: "POST" }, "nobody")).status).toBe(404);
    const large = { method: "POST", body: " ".repeat(1_100_000), headers: { "stripe-signature": "t=1,v1=00" } };
    expect((await target.send("/billing", large, "nobody")).status).toBe(413);
  });
});

describe("an event that Stripe signed and that cannot be read", () => {
  const purchase = { customer: newId("cus"), subscription: newId("sub") };
  const { data, type } = subscriptionEvent("updated", purchase);
  const event = { id: newId("evt"), object: "event", created: now(), type };
  const changed = (change: object) => ({ ...event, data: { object: { ...data.object, ...change } } });

  const rows: { what: string; body: unknown }[] = [
    { what: "no event", body: null },
    { what: "without data", body: event },
    { what: "with an id that Postgres cannot hold", body: { ...changed({}), id: "a\0b" } },
    { what: "of half a surrogate pair", body: { ...changed({}), id: "\ud800" } },
    { what: "created beyond the calendar", body: { ...changed({}), created: 1e15 } },
    { what: "of a subscription without items", body: changed({ items: { data: 0 } }) },
    { what: "of a status that Stripe does not have", body: changed({ status: ["active"] }) },
  ];
  test.each(rows)("$what is 400, and nothing is recorded", async ({ body }) => {
    const count = () => people.connection.query("select count(*) from funding.stripe_events");
    const before = await count();
    const response = await sendText(JSON.stringify(body));
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { type: "urn:funding-opportunities:problem:invalid-body" },
    ]);
    expect(await count()).toEqual(before);
  });

  test("no JSON is 400", async () => {
    expect((await sendText("{")).status).toBe(400);
  });
});
