import type { FieldChange } from "../responses/changes.ts";

/** Names of events. They are part of the API. */
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

/** Body of a delivery. */
export interface EventPayload {
  /** The same in every delivery of the event, and in the header `webhook-id`. */
  id: string;
  event: EventName;
  /** When the event happened: RFC 3339 in UTC, with milliseconds. */
  created_at: string;
  /** The record, as the API returns it. */
  data: Record<string, unknown>;
  /** Changed fields. In events of updates. */
  changes?: FieldChange[] | null;
}

/**
 * Serializes the body of a delivery. `JSON.stringify(JSON.parse(body))` gives the same text, so that receivers that verify
 * the signature over re-serialized JSON succeed.
 */
export function payloadText({ id, event, created_at, data, changes }: EventPayload): string {
  return JSON.stringify({ id, event, created_at, data, ...(changes && { changes }) });
}
