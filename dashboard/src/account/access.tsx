import type { Account } from "../api/account.ts";
import { Callout } from "../components/callout.tsx";
import { formatDate } from "../format/dates.ts";

/** Explains why the account's keys have no access; renders nothing if they have. */
export function AccessCallout({ account: { api_access, tier, subscription } }: { account: Account }) {
  if (api_access) return null;
  if (subscription !== null && !subscription.in_force) {
    const end = subscription.current_period_end;
    return (
      <Callout tone="warning" title="Your subscription has ended">
        {end === null ? "Your" : `It ended on ${formatDate(end)}. Your`} keys are kept, but requests with them get 403.
        Renew the subscription, and they work again.
      </Callout>
    );
  }
  return (
    <Callout tone="warning" title={`The ${tier.name} tier has no API access`}>
      You can create keys and look around, but requests with them get 403. Ask the operator of the service for a tier
      with API access. Your keys need no change then.
    </Callout>
  );
}
