/** What subscribers are told of, as the published contract names it. */
export const eventNames = [
  "grant.created",
  "grant.updated",
  "grant.deadline_approaching",
  "contract.created",
  "contract.updated",
  "contract.deadline_approaching",
  "funder.created",
  "funder.updated",
] as const;

export type EventName = (typeof eventNames)[number];

/** An event as it is delivered. */
export interface EventPayload {
  /** The same in every delivery of the event, and in the header `webhook-id`. */
  id: string;
  event: EventName;
  /** When it happened: RFC 3339 in UTC, with milliseconds. */
  created_at: string;
  /** The record as the API shows it. */
  data: Record<string, unknown>;
}

/**
 * The body of a delivery. `JSON.stringify(JSON.parse(body))` gives the same text again, for receivers that sign what
 * they parsed.
 */
export function payloadText({ id, event, created_at, data }: EventPayload): string {
  return JSON.stringify({ id, event, created_at, data });
}
