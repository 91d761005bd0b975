import type { SecretBox } from "./secret-box.ts";
import { type Transport, TransportError } from "./transport.ts";

/** What webhooks need of the platform, and of its operator. */
export interface WebhookPlatform {
  /** Undefined where the operator has set no key: webhooks then cannot be made or sent. */
  readonly secrets: SecretBox | undefined;
  readonly transport: Transport;
  /** What a caller of the function `dispatch` must show, or undefined where nobody may call it. */
  readonly dispatchSecret: string | undefined;
  /** Attempts at a time. */
  readonly concurrency: number;
  /** Also take endpoints on this machine, by http: for development and tests, on the embedded stack alone. */
  readonly allowLoopback: boolean;
}

/** A platform that sends none. */
export const withoutWebhooks: WebhookPlatform = {
  secrets: undefined,
  transport: { send: () => Promise.reject(new TransportError("connection", "Nothing is sent from here.")) },
  dispatchSecret: undefined,
  concurrency: 0,
  allowLoopback: false,
};
