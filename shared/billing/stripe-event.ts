import type Stripe from "stripe";

/** What an event of Stripe's says of a subscription, in the database's terms. Times are Unix seconds. */
export interface BillingEvent {
  id: string;
  created: number;
  customer_id: string;
  /** The account that a finished checkout was for. */
  account_id: string | null;
  /** The subscription as it was when the event happened. */
  subscription: { id: string; status: string; price_ids: string[]; current_period_end: number | null } | null;
  /** The subscription whose payment failed. */
  failed_subscription_id: string | null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The event in the database's terms, or undefined for one that says nothing of a subscription of ours. */
export function billingEventOf(event: Stripe.Event): BillingEvent | undefined {
  const known = {
    id: event.id,
    created: event.created,
    account_id: null,
    subscription: null,
    failed_subscription_id: null,
  };
  switch (event.type) {
    case "checkout.session.completed": {
      const session = event.data.object;
      const customer_id = idOf(session.customer);
      const account_id = accountIn(session.client_reference_id) ?? accountIn(session.metadata?.account_id);
      if (customer_id === null || account_id === null || session.mode !== "subscription") return undefined;
      return { ...known, customer_id, account_id };
    }
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted": {
      const subscription = event.data.object;
      const customer_id = idOf(subscription.customer);
      if (customer_id === null) return undefined;
      return {
        ...known,
        customer_id,
        account_id: accountIn(subscription.metadata.account_id),
        subscription: {
          id: subscription.id,
          status: event.type === "customer.subscription.deleted" ? "canceled" : subscription.status,
          price_ids: subscription.items.data.map(({ price }) => price.id),
          current_period_end: periodEndOf(subscription),
        },
      };
    }
    case "invoice.payment_failed": {
      const customer_id = idOf(event.data.object.customer);
      const failed_subscription_id = subscriptionOf(event.data.object);
      if (customer_id === null || failed_subscription_id === null) return undefined;
      return { ...known, customer_id, failed_subscription_id };
    }
    default:
      return undefined;
  }
}

/** Since version 2025-03-31 each item of a subscription has a period; before, the subscription had one. */
function periodEndOf(subscription: Stripe.Subscription & { current_period_end?: number }): number | null {
  const ends = subscription.items.data.flatMap((item) => item.current_period_end ?? []);
  return ends.length > 0 ? Math.max(...ends) : (subscription.current_period_end ?? null);
}

/** The invoice's subscription, by that version of Stripe's API or an earlier one. */
function subscriptionOf(invoice: Stripe.Invoice & { subscription?: string | { id: string } | null }): string | null {
  return idOf(invoice.parent?.subscription_details?.subscription ?? invoice.subscription ?? null);
}

/** Stripe gives the id of a thing, or, where that was asked for, the thing. */
function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}

function accountIn(text: string | null | undefined): string | null {
  return text != null && uuid.test(text) ? text : null;
}
