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

/** Errors of attempts that have no answer, in a word or two. */
const errorWords: Readonly<Record<string, string>> = {
  timeout: "No answer in time",
  connection: "No connection",
  address: "Address refused",
  secret: "Error on our side",
  record: "Record not sent",
  lost: "Outcome unknown",
};

/** Outcome of an attempt: the status of the receiver's answer, or why there is none. */
export function outcomeOf({
  status,
  error,
}: Pick<NonNullable<WebhookDelivery["last_attempt"]>, "status" | "error">): string {
  if (status !== null) return String(status);
  return error === null ? "In progress" : (errorWords[error] ?? error);
}
