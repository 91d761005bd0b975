import { AccessCallout } from "../account/access.tsx";
import { type Account, useAccount } from "../api/account.ts";
import { LatestChanges } from "../audit-log/latest.tsx";
import { TiersCard } from "../billing/card.tsx";
import { CheckoutReturn, useIsAfterCheckout } from "../billing/checkout-return.tsx";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Loaded } from "../components/loaded.tsx";
import { formatDate, formatMidnight } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";
import { Page } from "../layout/page.tsx";
import { SignOut } from "../layout/sign-out.tsx";
import { ThemeChoice } from "../layout/theme-choice.tsx";
import { MembersCard } from "../members/card.tsx";
import { ReceivedInvitations } from "../members/received.tsx";
import { roleNames } from "../members/roles.ts";
import "./account.css";

/** The account, its tier and subscription, the tiers that it could have, and this browser's settings. */
export function AccountPage() {
  const account = useAccount();
  const isAfterCheckout = useIsAfterCheckout();
  return (
    <Page
      title="Account"
      description="Your tier and subscription, the members, the latest changes, and the settings of this browser."
    >
      <ReceivedInvitations />
      <Loaded query={account}>
        {(data) => (
          <>
            <CheckoutReturn />
            {!isAfterCheckout && <AccessCallout account={data} />}
            <Tier account={data} />
            <TiersCard account={data} />
            <Card title="Account">
              <Facts>
                <Fact name="E-mail address">{data.email}</Fact>
                <Fact name="Your role">{roleNames[data.role]}</Fact>
                <Fact name="Account id">
                  <code>{data.id}</code>
                </Fact>
                <Fact name="Opened">{formatDate(data.created_at)}</Fact>
                <Fact name="Active keys">
                  {formatCount(data.keys.active)} of at most {formatCount(data.keys.maximum)}
                </Fact>
              </Facts>
            </Card>
            <MembersCard account={data} />
          </>
        )}
      </Loaded>
      <LatestChanges />
      <Card title="This browser">
        <Facts>
          <Fact name="Colours">
            <ThemeChoice />
          </Fact>
          <Fact name="Sessions">
            <div className="stack-small">
              <p className="muted">Ends your sessions in every browser, including this one.</p>
              <div>
                <SignOut scope="global" />
              </div>
            </div>
          </Fact>
        </Facts>
      </Card>
    </Page>
  );
}

function Tier({ account: { tier, subscription, quota, api_access } }: { account: Account }) {
  return (
    <Card title="Tier and subscription">
      <Facts>
        <Fact name="Tier">
          <span className="row">
            <span className="tier-name">{tier.name}</span>
            <Badge tone={api_access ? "good" : "warning"}>{api_access ? "API access" : "No API access"}</Badge>
          </span>
        </Fact>
        <Fact name="Requests a day">
          {tier.daily_quota === -1 ? "No limit" : formatCount(tier.daily_quota)}
          {tier.daily_quota > 0 && (
            <p className="muted small">
              Shared by all of your keys. The count resets at {formatMidnight(quota.resets_at)}.
            </p>
          )}
        </Fact>
        <Fact name="Subscription">{subscription === null ? "None" : <SubscriptionState {...subscription} />}</Fact>
        {subscription?.current_period_end && (
          <Fact name={subscription.in_force ? "Current period ends" : "Ended"}>
            {formatDate(subscription.current_period_end)}
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

/** Plain words for Stripe's subscription states. */
const statusWords: Record<NonNullable<Account["subscription"]>["status"], string> = {
  active: "Active",
  trialing: "In trial",
  past_due: "Payment overdue",
  canceled: "Cancelled",
  unpaid: "Unpaid",
  paused: "Paused",
  incomplete: "Waiting for the first payment",
  incomplete_expired: "First payment not received",
};

function SubscriptionState({ status, in_force }: NonNullable<Account["subscription"]>) {
  const tone = in_force ? (status === "past_due" ? "warning" : "good") : "bad";
  const hasEnded = !in_force && ["active", "trialing", "past_due"].includes(status);
  return <Badge tone={tone}>{hasEnded ? "Ended" : statusWords[status]}</Badge>;
}
