import { readWebhookSettings, type WebhookSettings } from "../../shared/webhooks/settings.ts";
import { type Transport, TransportError } from "./transport.ts";

/** Webhook settings of a deployment, and the transport of its platform. */
export interface WebhookPlatform extends WebhookSettings {
  readonly transport: Transport;
  /** Secret required to call the function `dispatch`; undefined where nobody may call it. */
  readonly dispatchSecret: string | undefined;
  /** Limit of concurrent attempts. */
  readonly concurrency: number;
}

/**
 * Reads a deployment's settings for sending webhooks: `WEBHOOK_SECRETS_KEY` and `DISPATCH_SECRET` (see docs/operate/install.md).
 *
 * @param concurrency most attempts at the same time.
 */
export function createWebhookPlatform(
  variable: (name: string) => string | undefined,
  transport: Transport,
  concurrency: number,
): WebhookPlatform {
  return { ...readWebhookSettings(variable), transport, dispatchSecret: variable("DISPATCH_SECRET"), concurrency };
}

/** Platform that sends nothing. */
export const withoutWebhooks: WebhookPlatform = {
  secrets: undefined,
  transport: { send: () => Promise.reject(new TransportError("connection", "Nothing is sent from here.")) },
  dispatchSecret: undefined,
  concurrency: 0,
  allowLoopback: false,
};
