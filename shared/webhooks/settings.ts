import { createSecretBox, type SecretBox } from "./secret-box.ts";

/** Webhook settings of a deployment. */
export interface WebhookSettings {
  /** Undefined where the operator has set no key: webhooks can then be neither created nor sent. */
  readonly secrets: SecretBox | undefined;
  /** Whether endpoints on this machine are accepted, by http too: for development and tests, on the embedded stack alone. */
  readonly allowLoopback: boolean;
}

/** Reads a deployment's webhook settings: `WEBHOOK_SECRETS_KEY` (see docs/operate/install.md). */
export function readWebhookSettings(variable: (name: string) => string | undefined): WebhookSettings {
  const key = variable("WEBHOOK_SECRETS_KEY");
  return { secrets: key === undefined ? undefined : createSecretBox(key), allowLoopback: false };
}
