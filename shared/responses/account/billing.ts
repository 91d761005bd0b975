import * as z from "zod";
import { id, moment } from "../fields.ts";

const tier = z
  .strictObject({
    name: z.string().meta({ description: "Name of the tier.", examples: ["developer"] }),
    api_access: z.boolean().meta({ description: "Whether it includes API access at all." }),
    daily_quota: z.int().min(-1).meta({ description: "Requests a UTC day; -1 is unlimited." }),
    snapshots: z.boolean().meta({ description: "Whether it includes snapshots of the catalogue." }),
    is_own: z
      .boolean()
      .meta({ description: "Whether the account is subscribed to it; `free` without a subscription." }),
    is_for_sale: z
      .boolean()
      .meta({ description: "Whether an owner can subscribe to it with `POST /account-api/billing/checkout`." }),
  })
  .meta({ description: "A tier, and what it includes." });
export type Tier = z.infer<typeof tier>;

const billing = z
  .strictObject({
    is_set_up: z.boolean().meta({ description: "Whether subscriptions are sold and managed here, through Stripe." }),
    has_subscription: z.boolean().meta({
      description:
        "Whether the account has a subscription at Stripe that has not ended, whether it gives access or not. It is changed in the portal; another cannot be bought beside it.",
    }),
    has_customer: z.boolean().meta({
      description:
        "Whether the account has paid at Stripe before, so that `POST /account-api/billing/portal` opens its page.",
    }),
  })
  .meta({ description: "Payments of the account." });

/** Answer of `GET /account-api/tiers`. */
export const tierList = z
  .strictObject({
    tiers: z
      .array(tier)
      .meta({ description: "The account's own and those that are offered, at most 100. What has least comes first." }),
    billing,
  })
  .meta({ description: "Tiers that the account has or could have." });
export type TierList = z.infer<typeof tierList>;

/** Body of `POST /account-api/billing/checkout`. */
export const newCheckout = z
  .strictObject({
    tier: z
      .string({ error: "must be the name of a tier" })
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: "must be the name of a tier" })
      .meta({ description: "Tier to subscribe to: one that `is_for_sale`.", examples: ["developer"] }),
  })
  .meta({ description: "A subscription to buy." });

/** A customer at Stripe who would pay for the account, but whom no owner has named. */
const offeredCustomer = z
  .strictObject({
    id: id("The offer's id."),
    customer: z.string().meta({ description: "The customer's id at Stripe.", examples: ["cus_NffrFeUfNV2Hib"] }),
    offered_at: moment("When a payment at Stripe first named the account."),
    refused_at: moment("When an owner refused it; null while nobody has decided.").nullable(),
    subscription: z
      .strictObject({
        tier: z.string().meta({ description: "Tier that it buys.", examples: ["developer"] }),
        status: z.string().meta({ description: "Its status at Stripe.", examples: ["active"] }),
        current_period_end: moment("End of the period that is paid.").nullable(),
      })
      .nullable()
      .meta({ description: "What the customer pays for; null where it buys no tier." }),
  })
  .meta({ description: "A question for the owners. It has no effect until one of them accepts it." });
export type OfferedCustomer = z.infer<typeof offeredCustomer>;

/** Answer of `GET /account-api/billing/offers`. */
export const offerList = z
  .strictObject({ offers: z.array(offeredCustomer) })
  .meta({ description: "Customers at Stripe who would pay for the account: undecided ones first, at most 100." });

/** Answer of the decisions about an offer. */
export const decidedOffer = z
  .strictObject({ id: id("The offer's id."), accepted: z.boolean().meta({ description: "Whether it was accepted." }) })
  .meta({ description: "A decision about a customer at Stripe." });

/** Answer of the POSTs below `/account-api/billing` that open a page. */
export const stripePage = z
  .strictObject({
    url: z.url().meta({
      description:
        "Address of the page at Stripe, for the browser of the person who asked. It works for a short time, without another sign-in.",
      examples: ["https://checkout.stripe.com/c/pay/cs_live_a1B2"],
    }),
  })
  .meta({ description: "A page at Stripe." });
export type StripePage = z.infer<typeof stripePage>;
