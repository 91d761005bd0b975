import { newCheckout, stripePage, tierList } from "../shared/responses/account/billing.ts";
import type { AccountOperation } from "./account-operation.ts";

/** Routes of the account API for tiers and payments, by path and method. */
export const billingOperations: Record<string, Record<string, AccountOperation>> = {
  "/account-api/tiers": {
    get: {
      operationId: "listTiers",
      summary: "List the tiers, what each includes, and which can be bought",
      answer: ["TierList", tierList],
      failures: ["InvalidParameters"],
    },
  },
  "/account-api/billing/checkout": {
    post: {
      operationId: "createCheckout",
      summary: "Open the page at Stripe where an owner subscribes to a tier",
      description:
        "For owners, where billing is set up. The page works for an hour. Where the account has a subscription at Stripe that has not ended, the answer is 409: change that one in the portal.",
      isForOwners: true,
      body: ["NewCheckout", newCheckout],
      answer: ["StripePage", stripePage],
    },
  },
  "/account-api/billing/portal": {
    post: {
      operationId: "createPortalSession",
      summary: "Open the page at Stripe where an owner manages the subscription",
      description:
        "For owners, where billing is set up. There they change and end the subscription, change how it is paid, and find invoices. An account that has paid nothing yet has no such page: 404.",
      isForOwners: true,
      answer: ["StripePage", stripePage],
      failures: ["InvalidParameters"],
    },
  },
};
