import type { EventName } from "./events.ts";

/** An endpoint as its owner sees it. Moments are RFC 3339 in UTC. */
export interface Webhook {
  id: string;
  url: string;
  description: string;
  events: EventName[];
  /** Query strings by dataset. */
  filters: Record<string, string>;
  deadline_days: number[];
  state: "active" | "paused" | "disabled";
  disabled_reason: string | null;
  failures_in_a_row: number;
  failing_since: string | null;
  /** Until when the secret before the present one signs as well. */
  previous_secret_expires_at: string | null;
  created_at: string;
  updated_at: string;
}

export const deliveryStates = ["pending", "succeeded", "failed"] as const;

/** A delivery as its owner sees it. */
export interface WebhookDelivery {
  event_id: string;
  event: EventName;
  record_id: string;
  event_created_at: string;
  state: (typeof deliveryStates)[number];
  attempts: number;
  /** Null when none is to come, or one is under way. */
  next_attempt_in_seconds: number | null;
  created_at: string;
  finished_at: string | null;
}

/** Where the next page of deliveries begins. */
export interface DeliveryPage {
  created_at: string;
  event_id: string;
}

/** One attempt as its owner sees it. What there was none of is null. */
export interface LoggedAttempt {
  attempt: number;
  url: string;
  started_at: string;
  duration_ms: number | null;
  status: number | null;
  error: string | null;
  message: string | null;
  request_headers: Record<string, string> | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
}
