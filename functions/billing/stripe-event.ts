import * as z from "zod";
import { isStorable, notStorable } from "../../shared/validation/storable.ts";

/** A Stripe event about a subscription, in the database's terms. Times are Unix seconds. */
export interface BillingEvent {
  id: string;
  created: number;
  customer_id: string;
  /** The account that the checkout or the subscription names. */
  account_id: string | null;
  /** The user who opened the checkout here. */
  opened_by: string | null;
  /** Whether the metadata name the account without such a user: only the operator can write them. */
  is_by_operator: boolean;
  /** The subscription as it was when the event happened. */
  subscription: { id: string; status: string; price_ids: string[]; current_period_end: number | null } | null;
  /** The subscription whose payment failed. */
  failed_subscription_id: string | null;
}

// Only the fields of Stripe's objects that are used. An absent field is null.

/** An object's id. */
const id = z.string().max(255).refine(isStorable, { error: notStorable });
/** Reference to another object: its id or, in expanded events, the object. Parsed as the id. */
const reference = z
  .union([id, z.looseObject({ id }).transform((object) => object.id)])
  .nullish()
  .transform((id) => id ?? null);
/** Id of ours; null where it is not a UUID. */
const uuid = z.unknown().transform((given) => z.guid().safeParse(given).data ?? null);
// Anybody can add the reference to a payment link. Metadata are written with the operator's key alone.
const metadataSchema = z.looseObject({ account_id: uuid.optional(), user_id: uuid.optional() }).nullish();
const unixSeconds = z.int().min(0).max(253_402_300_799);

const checkout = z.looseObject({
  customer: reference,
  client_reference_id: uuid.optional(),
  metadata: metadataSchema,
  mode: z.string().nullish(),
});

const statuses = [
  "active",
  "trialing",
  "past_due",
  "canceled",
  "unpaid",
  "paused",
  "incomplete",
  "incomplete_expired",
] as const;

const subscription = z.looseObject({
  id,
  customer: reference,
  status: z.enum(statuses),
  metadata: metadataSchema,
  // Since version 2025-03-31 each item has a period; before, the subscription had one.
  current_period_end: unixSeconds.nullish(),
  items: z.looseObject({
    data: z.array(z.looseObject({ price: z.looseObject({ id }), current_period_end: unixSeconds.nullish() })),
  }),
});

/** An invoice names its subscription by that version of Stripe's API or an earlier one. */
const invoice = z.looseObject({
  customer: reference,
  parent: z.looseObject({ subscription_details: z.looseObject({ subscription: reference }).nullish() }).nullish(),
  subscription: reference,
});

const envelope = z.looseObject({
  id,
  created: unixSeconds,
  type: z.string(),
  data: z.looseObject({ object: z.unknown() }),
});

/** A parsed event: to be recorded, not about a subscription of ours, or not in Stripe's form. */
export type ReadEvent = { event: BillingEvent } | { ignored: true } | { unreadable: string };

/** Reads the text of an event that Stripe signed. */
export function readBillingEvent(text: string): ReadEvent {
  try {
    const event = read(envelope.parse(JSON.parse(text)));
    return event === undefined ? { ignored: true } : { event };
  } catch (error) {
    if (error instanceof SyntaxError) return { unreadable: "it is no JSON" };
    if (error instanceof z.ZodError) return { unreadable: mistakesIn(error) };
    throw error;
  }
}

function mistakesIn({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}

function read({ id, created, type, data: { object } }: z.infer<typeof envelope>): BillingEvent | undefined {
  const known = { id, created, ...named(null, null), subscription: null, failed_subscription_id: null };
  switch (type) {
    case "checkout.session.completed": {
      const { customer, client_reference_id, metadata, mode } = checkout.parse(object);
      const account = named(client_reference_id, metadata);
      if (customer === null || account.account_id === null || mode !== "subscription") return undefined;
      return { ...known, customer_id: customer, ...account };
    }
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted": {
      const { customer, metadata, status, items, ...changed } = subscription.parse(object);
      if (customer === null) return undefined;
      const ends = items.data.flatMap(({ current_period_end }) => current_period_end ?? []);
      return {
        ...known,
        customer_id: customer,
        ...named(null, metadata),
        subscription: {
          id: changed.id,
          status: type === "customer.subscription.deleted" ? "canceled" : status,
          price_ids: items.data.map(({ price }) => price.id),
          current_period_end: ends.length > 0 ? Math.max(...ends) : (changed.current_period_end ?? null),
        },
      };
    }
    case "invoice.payment_failed": {
      const { customer, parent, subscription } = invoice.parse(object);
      const failed_subscription_id = parent?.subscription_details?.subscription ?? subscription;
      if (customer === null || failed_subscription_id === null) return undefined;
      return { ...known, customer_id: customer, failed_subscription_id };
    }
    default:
      return undefined;
  }
}

/** The account that a checkout or subscription names, and who says so. */
function named(reference: string | null | undefined, metadata: z.infer<typeof metadataSchema>) {
  const byMetadata = metadata?.account_id ?? null;
  const account_id = reference ?? byMetadata;
  const opened_by = metadata?.user_id ?? null;
  return {
    account_id,
    opened_by,
    is_by_operator: opened_by === null && account_id !== null && account_id === byMetadata,
  };
}
