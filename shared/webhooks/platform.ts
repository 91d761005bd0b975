import { type Transport, TransportError } from "../../functions/dispatch/transport.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";

/** Webhook settings of a deployment, and the transport of its platform. */
export interface WebhookPlatform {
  /** Undefined where the operator has set no key: webhooks can then be neither created nor sent. */
  readonly secrets: SecretBox | undefined;
  readonly transport: Transport;
  /** Secret required to call the function `dispatch`; undefined where nobody may call it. */
  readonly dispatchSecret: string | undefined;
  /** Most attempts at the same time. */
  readonly concurrency: number;
  /** Whether endpoints on this machine are accepted, by http too: for development and tests, on the embedded stack alone. */
  readonly allowLoopback: boolean;
}

/**
 * Reads a deployment's webhook settings: `WEBHOOK_SECRETS_KEY` and `DISPATCH_SECRET` (see docs/operate/install.md).
 *
 * @param concurrency most attempts at the same time.
 */
export function createWebhookPlatform(
  variable: (name: string) => string | undefined,
  transport: Transport,
  concurrency: number,
): WebhookPlatform {
  const key = variable("WEBHOOK_SECRETS_KEY");
  return {
    secrets: key === undefined ? undefined : createSecretBox(key),
    transport,
    dispatchSecret: variable("DISPATCH_SECRET"),
    concurrency,
    allowLoopback: false,
  };
}

/** Platform that sends nothing. */
export const withoutWebhooks: WebhookPlatform = {
  secrets: undefined,
  transport: { send: () => Promise.reject(new TransportError("connection", "Nothing is sent from here.")) },
  dispatchSecret: undefined,
  concurrency: 0,
  allowLoopback: false,
};
