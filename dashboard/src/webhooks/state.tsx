import type { Webhook, WebhookDelivery } from "../api/webhooks.ts";
import { Badge } from "../components/badge.tsx";

/** State of a webhook. */
export function WebhookState({ webhook: { state, failures_in_a_row } }: { webhook: Webhook }) {
  if (state === "paused") return <Badge tone="plain">Paused</Badge>;
  if (state === "disabled") return <Badge tone="bad">Disabled</Badge>;
  return failures_in_a_row > 0 ? <Badge tone="warning">Failing</Badge> : <Badge tone="good">Active</Badge>;
}

/** State of a delivery. */
export function DeliveryState({ delivery: { state, attempts } }: { delivery: WebhookDelivery }) {
  if (state === "succeeded") return <Badge tone="good">Delivered</Badge>;
  if (state === "failed") return <Badge tone="bad">Failed</Badge>;
  return attempts > 0 ? <Badge tone="warning">Will be retried</Badge> : <Badge tone="plain">Waiting</Badge>;
}
