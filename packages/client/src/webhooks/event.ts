import type { webhooks } from "../schema.generated.ts";
import { WebhookVerificationError } from "./error.ts";

/** Name of an event, for example `grant.created`. */
export type WebhookEventName = keyof webhooks;

type PayloadOf<Name extends WebhookEventName> = webhooks[Name]["post"]["requestBody"]["content"]["application/json"];

/** Payload of a delivery: the event, its time, and the record. A `switch` on `event` narrows the type of `data`. */
export type WebhookEvent = { [Name in WebhookEventName]: PayloadOf<Name> }[WebhookEventName];

/** Parses the event in a body whose signature was verified. */
export function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("the body is not JSON");
  }
}
