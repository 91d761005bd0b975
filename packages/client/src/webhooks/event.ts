import type { webhooks } from "../schema.generated.ts";
import { WebhookVerificationError } from "./error.ts";

/** The event's name, for example `grant.created`. */
export type WebhookEventName = keyof webhooks;

type PayloadOf<Name extends WebhookEventName> = webhooks[Name]["post"]["requestBody"]["content"]["application/json"];

/** What a delivery says: which event, when, and the record. Switch on `event`, and `data` is that record's type. */
export type WebhookEvent = { [Name in WebhookEventName]: PayloadOf<Name> }[WebhookEventName];

/** The event in a body whose signature was right. */
export function eventIn(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("the body is not JSON");
  }
}
