import type { Account } from "../api/account.ts";
import { Callout } from "../components/callout.tsx";
import { formatDate } from "../format/dates.ts";

/** Explains why the account's keys, or its webhooks, have no access; renders nothing if they have. */
export function AccessCallout({
  account: { api_access, tier, subscription },
  subject = "keys",
}: {
  account: Account;
  subject?: "keys" | "webhooks";
}) {
  if (api_access) return null;
  if (subscription !== null && !subscription.in_force) {
    const end = subscription.current_period_end;
    return (
      <Callout tone="warning" title="Your subscription has ended">
        {end !== null && `It ended on ${formatDate(end)}. `}
        {subject === "keys"
          ? "Your keys are kept, but requests with them get 403."
          : "Your webhooks are kept, but they are sent nothing, and none can be added."}{" "}
        Renew the subscription, and they work again.
      </Callout>
    );
  }
  return (
    <Callout
      tone="warning"
      title={subject === "keys" ? `The ${tier.name} tier has no API access` : `The ${tier.name} tier has no webhooks`}
    >
      {subject === "keys"
        ? "You can create keys and look around, but requests with them get 403. Ask the operator of the service for a tier with API access. Your keys need no change then."
        : "Ask the operator of the service for a tier with API access: webhooks come with it."}
    </Callout>
  );
}
