import type { FieldChange } from "../responses/changes.ts";
import { isSampleId } from "./sample-ids.ts";

/** Names of events. They are part of the API. */
export const eventNames = [
  "grant.created",
  "grant.updated",
  "grant.deadline_approaching",
  "grant.documents_changed",
  "contract.created",
  "contract.updated",
  "contract.deadline_approaching",
  "contract.documents_changed",
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
  /** Whether it is a test event, with a sample record. Other events have no such member. */
  test?: boolean;
}

/** Marks the payload of an event about a sample record as that of a test. */
export function withTestMark<Payload extends Pick<EventPayload, "data">>(payload: Payload): Payload & { test?: true } {
  return isSampleId(payload.data.id) ? { ...payload, test: true } : payload;
}

/**
 * Serializes the body of a delivery, with the mark of a test event. `JSON.stringify(JSON.parse(body))` gives the same text, so that receivers that verify
 * the signature over re-serialized JSON succeed.
 */
export function payloadText({ id, event, created_at, data, changes }: EventPayload): string {
  return JSON.stringify(withTestMark({ id, event, created_at, data, ...(changes && { changes }) }));
}
