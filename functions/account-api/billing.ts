import type Stripe from "stripe";
import type { RpcFailure, RpcOutcome } from "../../shared/database/rpc.ts";
import type { Problem } from "../../shared/http/problems.ts";
import { newCheckout, type StripePage, type TierList } from "../../shared/responses/account/billing.ts";
import { type BillingSettings, readBillingSettings } from "./billing-settings.ts";
import { type AccountContext, inBody, nothing, route, withId } from "./route.ts";
import { createStripeSession, encodeForm, type FormFields, type StripeRequest } from "./stripe.ts";

export const billingRoutes = [
  /** The tiers with their contents, and whether each can be bought here. */
  route("GET /account-api/tiers", nothing, async ({ call, variable }): Promise<RpcOutcome<TierList>> => {
    const outcome = await call("list_tiers", {});
    if (!outcome.ok) return outcome;
    const { tiers, ...stripe } = outcome.value;
    const is_set_up = readBillingSettings(variable).state === "on";
    return {
      ok: true,
      value: {
        tiers: tiers.map(({ has_price, ...tier }) => ({ ...tier, is_for_sale: is_set_up && has_price })),
        billing: { is_set_up, ...stripe },
      },
    };
  }),
  /** The page at Stripe where an owner subscribes to a tier. */
  route("POST /account-api/billing/checkout", inBody(newCheckout), (context, { tier }) =>
    openPage(context, "checkout/sessions", async (accountPageUrl) => {
      const outcome = await context.writes.call("prepare_checkout", { tier });
      if (!outcome.ok) return outcome;
      const { account_id, email, customer_id, price_id, expires_at, ...counted } = outcome.value;
      const metadata = { account_id, user_id: context.signedIn.user_id };
      const fields = {
        mode: "subscription",
        line_items: [{ price: price_id, quantity: 1 }],
        client_reference_id: account_id,
        metadata,
        subscription_data: { metadata },
        ...(customer_id === null ? { customer_email: email } : { customer: customer_id }),
        success_url: `${accountPageUrl}?checkout=done`,
        cancel_url: accountPageUrl,
        expires_at,
      } satisfies Stripe.Checkout.SessionCreateParams;
      return { ok: true, value: { fields, counted } };
    }),
  ),
  /** The page at Stripe where an owner changes or ends the subscription, and finds invoices. */
  route("POST /account-api/billing/portal", nothing, (context) =>
    openPage(context, "billing_portal/sessions", async (accountPageUrl) => {
      const outcome = await context.writes.call("prepare_portal", {});
      if (!outcome.ok) return outcome;
      const { customer_id, ...counted } = outcome.value;
      const fields = {
        customer: customer_id,
        return_url: accountPageUrl,
      } satisfies Stripe.BillingPortal.SessionCreateParams;
      return { ok: true, value: { fields, counted } };
    }),
  ),
  /** Customers at Stripe who would pay for the account. */
  route("GET /account-api/billing/offers", nothing, ({ call }) => call("list_offered_customers", {})),
  /** As owners may. */
  route("POST /account-api/billing/offers/{id}/accept", withId(), ({ writes }, { id }) =>
    writes.call("decide_offered_customer", { offer_id: id, accepted: true }),
  ),
  route("POST /account-api/billing/offers/{id}/refuse", withId(), ({ writes }, { id }) =>
    writes.call("decide_offered_customer", { offer_id: id, accepted: false }),
  ),
];

/**
 * Opens a page at Stripe, where billing is set up and the database allows it.
 *
 * A repetition of the request has the same fields, which the database remembers, and so the same Idempotency-Key for Stripe: it gets the same page.
 *
 * @param prepare returns Stripe's parameters, and the write's limit.
 */
async function openPage<Counted extends object>(
  { variable, writes }: AccountContext,
  path: StripeRequest["path"],
  prepare: (accountPageUrl: string) => Promise<RpcOutcome<{ fields: FormFields; counted: Counted }>>,
): Promise<RpcOutcome<StripePage & Counted>> {
  const settings = readBillingSettings(variable);
  if (settings.state !== "on") return { ok: false, failure: failureOf(settings) };
  const prepared = await prepare(settings.accountPageUrl);
  if (!prepared.ok) return prepared;
  const { fields, counted } = prepared.value;
  const form = encodeForm(fields);
  const idempotencyKey = await writes.keyFor(`stripe ${path} ${form}`);
  const session = await createStripeSession(settings.stripe, { path, form, idempotencyKey });
  if (session.ok) return { ok: true, value: { url: session.url, ...counted } };
  return {
    ok: false,
    failure: { code: `stripe-${session.reason}`, message: session.message, details: null, hint: null },
  };
}

function failureOf(settings: Exclude<BillingSettings, { state: "on" }>): RpcFailure {
  return settings.state === "off"
    ? { code: "PT404", message: "billing is off", details: null, hint: "billing" }
    : { code: "billing-settings", message: settings.fault, details: null, hint: null };
}

/** Problems of failures that are not the database's, by their code. The failure's own message is for the log. */
export const billingProblems: Readonly<Record<string, Problem>> = {
  "stripe-refused": {
    name: "unavailable",
    detail:
      "Stripe, which takes the payments, did not open the page. Nothing was charged. Tell the operator of the service.",
    headers: { "Retry-After": "60" },
  },
  "stripe-unanswered": {
    name: "unavailable",
    detail:
      "Stripe, which takes the payments, does not answer right now. Nothing was charged. Try again in a few seconds.",
    headers: { "Retry-After": "5" },
  },
  "billing-settings": {
    name: "unavailable",
    detail: "Billing is not set up completely. Tell the operator of the service.",
    headers: { "Retry-After": "3600" },
  },
};
