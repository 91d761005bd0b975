import { Link } from "wouter";
import type { Account } from "../api/account.ts";
import { useTiers } from "../api/billing.ts";
import { Callout } from "../components/callout.tsx";
import { formatDate } from "../format/dates.ts";

/** Sentences about the parts of an account whose subscription has ended. */
const kept = {
  keys: "Your keys are kept, but requests with them get 403.",
  webhooks: "Your webhooks are kept, but they are sent nothing, and none can be added.",
  "saved searches": "Your saved searches are kept, but nothing is counted, and their feeds and calendars get 403.",
};

/** Explains why the account's keys, or its webhooks or saved searches, have no access; renders nothing if they have. */
export function AccessCallout({
  account: { api_access, tier, subscription },
  subject = "keys",
}: {
  account: Account;
  subject?: "keys" | "webhooks" | "saved searches";
}) {
  if (api_access) return null;
  if (subscription !== null && !subscription.in_force) {
    const end = subscription.current_period_end;
    return (
      <Callout tone="warning" title="Your subscription has ended">
        {end !== null && `It ended on ${formatDate(end)}. `}
        {kept[subject]} Renew the subscription, and they work again.
      </Callout>
    );
  }
  return (
    <Callout tone="warning" title={`The ${tier.name} tier has no ${subject === "keys" ? "API access" : subject}`}>
      {subject === "keys" ? (
        <>
          You can create keys and look around, but requests with them get 403. <HowToGetAccess /> Your keys need no
          change then.
        </>
      ) : (
        <>
          <HowToGetAccess /> {subject.charAt(0).toUpperCase() + subject.slice(1)} come with it.
        </>
      )}
    </Callout>
  );
}

/** Says where a tier with API access is to be had: on the account's page where one is sold. */
function HowToGetAccess() {
  const { data, isPending } = useTiers();
  if (isPending) return null;
  return data?.tiers.some(({ api_access, is_for_sale }) => api_access && is_for_sale) ? (
    <>
      Subscribe to a tier with API access on the <Link href="/account">account page</Link>.
    </>
  ) : (
    "Ask the operator of the service for a tier with API access."
  );
}
