import { decidedOffer, newCheckout, offerList, stripePage, tierList } from "../shared/responses/account/billing.ts";
import type { AccountOperation } from "./account-operation.ts";

/** Routes of the account API for tiers and payments, by method and path. */
export const billingOperations: Record<string, AccountOperation> = {
  "GET /account-api/tiers": {
    operationId: "listTiers",
    summary: "List the tiers, what each includes, and which can be bought",
    answer: ["TierList", tierList],
  },
  "POST /account-api/billing/checkout": {
    operationId: "createCheckout",
    summary: "Open the page at Stripe where an owner subscribes to a tier",
    description:
      "For owners, where billing is set up. The page works for an hour. Where the account has a subscription at Stripe that has not ended, the answer is 409: change that one in the portal.",
    isForOwners: true,
    body: ["NewCheckout", newCheckout],
    answer: ["StripePage", stripePage],
  },
  "POST /account-api/billing/portal": {
    operationId: "createPortalSession",
    summary: "Open the page at Stripe where an owner manages the subscription",
    description:
      "For owners, where billing is set up. There they change and end the subscription, change how it is paid, and find invoices. An account that has paid nothing yet has no such page: 404.",
    isForOwners: true,
    answer: ["StripePage", stripePage],
  },
  "GET /account-api/billing/offers": {
    operationId: "listOffers",
    summary: "List customers at Stripe who would pay for the account",
    description:
      "A payment at Stripe can name any account. It pays for an account that has no customer yet if an owner opened the checkout, or the operator named the account. Each other customer has no effect until an owner accepts it.",
    answer: ["OfferList", offerList],
  },
  "POST /account-api/billing/offers/{id}/accept": {
    operationId: "acceptOffer",
    summary: "Let another customer at Stripe pay for the account, too",
    description: "For owners. Of several subscriptions, the account has the one of the tier that includes most.",
    isForOwners: true,
    answer: ["DecidedOffer", decidedOffer],
  },
  "POST /account-api/billing/offers/{id}/refuse": {
    operationId: "refuseOffer",
    summary: "Refuse another customer at Stripe",
    description: "For owners. The customer's subscription goes on at Stripe, without an effect here.",
    isForOwners: true,
    answer: ["DecidedOffer", decidedOffer],
  },
};
