import type { Account } from "../api/account.ts";
import { type Tier, type TierList, useOpenStripe, useTiers } from "../api/billing.ts";
import { ApiProblem } from "../api/errors.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { Card } from "../components/card.tsx";
import { FormError } from "../components/form-error.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Table } from "../components/table.tsx";
import { formatCount } from "../format/numbers.ts";
import { useIsAfterCheckout } from "./checkout-return.tsx";
import { Offers } from "./offers.tsx";
import "./card.css";

/** The tiers and what each includes. Where they are sold, owners subscribe here, and manage the subscription. */
export function TiersCard({ account }: { account: Account }) {
  const tiers = useTiers();
  const open = useOpenStripe();
  const isAfterCheckout = useIsAfterCheckout();
  // Also while the browser leaves this page.
  const isOpening = open.isPending || open.isSuccess;
  const billing = tiers.data?.billing;
  const isOwner = account.role === "owner";
  return (
    <Card
      title="Tiers"
      description={tiers.data && adviceFor(tiers.data, isOwner)}
      isFlush
      actions={
        isOwner &&
        billing?.is_set_up &&
        billing.has_customer && (
          <Button
            look={billing.has_subscription ? "primary" : "secondary"}
            isBusy={isOpening}
            onClick={() => open.mutate({ page: "portal" })}
          >
            {billing.has_subscription ? "Manage subscription" : "Past invoices"}
          </Button>
        )
      }
    >
      {isUnavailable(open.error) ? (
        <Callout tone="bad" title="The page at Stripe did not open">
          {open.error.message}
        </Callout>
      ) : (
        <FormError error={open.error} />
      )}
      <Offers isOwner={isOwner} />
      <Loaded query={tiers}>
        {(list) => (
          <TierTable
            tiers={list.tiers}
            canBuy={(tier) => isOwner && !isAfterCheckout && canBuy(tier, list, account)}
            isOpening={isOpening}
            onBuy={({ name }) => open.mutate({ page: "checkout", tier: name })}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** Whether Stripe did not open its page. The answer's own words say whether trying again helps, and that nothing was charged. */
function isUnavailable(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.kind === "unavailable";
}

/** How the account gets another tier, in a sentence for the reader. */
function adviceFor({ tiers, billing }: TierList, isOwner: boolean): string {
  if (billing.is_set_up && billing.has_subscription) {
    return isOwner
      ? "The subscription is paid at Stripe. Change or end it there."
      : "The subscription is paid at Stripe. Owners of the account can change it.";
  }
  if (!tiers.some((tier) => tier.is_for_sale)) return "Ask the operator of the service for another tier.";
  return isOwner
    ? "You subscribe at Stripe, which shows the price before you pay."
    : "Owners of the account can subscribe to a tier.";
}

/** Whether the account may subscribe to a tier now. A tier that it has for free and without an end is not offered. */
function canBuy({ is_for_sale, is_own }: Tier, { billing }: TierList, { subscription }: Account): boolean {
  const hasItForGood = is_own && subscription?.in_force === true && subscription.current_period_end === null;
  return is_for_sale && !billing.has_subscription && !hasItForGood;
}

function TierTable({
  tiers,
  canBuy,
  isOpening,
  onBuy,
}: {
  tiers: readonly Tier[];
  canBuy: (tier: Tier) => boolean;
  /** A page at Stripe is being opened. */
  isOpening: boolean;
  onBuy: (tier: Tier) => void;
}) {
  const hasButtons = tiers.some(canBuy);
  return (
    <Table
      caption="Tiers"
      className="table-cards tiers"
      columns={["Tier", "API access", "Requests a day", "Snapshots"]}
      hasActions={hasButtons}
    >
      {tiers.map((tier) => (
        <tr key={tier.name}>
          <th scope="row">
            <span className="row">
              <span className="tier-name">{tier.name}</span>
              {tier.is_own && <Badge tone="good">Yours</Badge>}
            </span>
          </th>
          <td data-label="API access">{tier.api_access ? "Yes" : "No"}</td>
          <td data-label="Requests a day">{requestsADay(tier)}</td>
          <td data-label="Snapshots">{tier.api_access && tier.snapshots ? "Yes" : "No"}</td>
          {hasButtons && (
            <td className="actions">
              {canBuy(tier) && (
                <Button look="primary" isBusy={isOpening} onClick={() => onBuy(tier)}>
                  Subscribe<span className="visually-hidden"> to {tier.name}</span>
                </Button>
              )}
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

function requestsADay({ api_access, daily_quota }: Tier): string {
  if (!api_access) return "None";
  return daily_quota === -1 ? "No limit" : formatCount(daily_quota);
}
