import type { Webhook, WebhookDelivery } from "../api/webhooks.ts";
import { Badge } from "../components/badge.tsx";

/** Whether a webhook is called, and whether that goes well. */
export function WebhookState({ webhook: { state, failures_in_a_row } }: { webhook: Webhook }) {
  if (state === "paused") return <Badge tone="plain">Paused</Badge>;
  if (state === "disabled") return <Badge tone="bad">Disabled</Badge>;
  return failures_in_a_row > 0 ? <Badge tone="warning">Failing</Badge> : <Badge tone="good">Active</Badge>;
}

/** How a delivery stands. */
export function DeliveryState({ delivery: { state, attempts } }: { delivery: WebhookDelivery }) {
  if (state === "succeeded") return <Badge tone="good">Delivered</Badge>;
  if (state === "failed") return <Badge tone="bad">Failed</Badge>;
  return attempts > 0 ? <Badge tone="warning">To be tried again</Badge> : <Badge tone="plain">Waiting</Badge>;
}
