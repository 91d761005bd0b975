import type { Account } from "../api/account.ts";
import { Callout } from "../components/callout.tsx";
import { formatDate } from "../format/dates.ts";

/** Why the account's keys are not let in, where they are not. */
export function AccessCallout({ account: { api_access, tier, subscription } }: { account: Account }) {
  if (api_access) return null;
  if (subscription !== null && !subscription.in_force) {
    const end = subscription.current_period_end;
    return (
      <Callout tone="warning" title="Your subscription has ended">
        {end === null ? "Your" : `It ended on ${formatDate(end)}. Your`} keys are kept, and answer 403 until it is
        renewed. Nothing else changes: once it is, they work again.
      </Callout>
    );
  }
  return (
    <Callout tone="warning" title={`The ${tier.name} tier has no API access`}>
      You can create keys and look around, but requests with them answer 403. Ask whoever runs the service for a tier
      with API access: your keys then work as they are.
    </Callout>
  );
}
