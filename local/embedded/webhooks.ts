import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WebhookPlatform } from "../../functions/dispatch/webhook-platform.ts";
import { createSecretBox, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
import { writePrivateFile } from "./data-folder.ts";
import { createNodeTransport } from "./node-transport.ts";

/** Concurrent delivery attempts. */
const concurrency = 256;

/**
 * Webhook platform of the embedded server. The key that seals webhook secrets is generated at the first start and kept in the
 * data folder, readable by its owner alone.
 *
 * `WEBHOOKS_ALLOW_LOOPBACK=true` allows endpoints on this machine and over http, to develop a receiver.
 *
 * @param folder the data folder.
 */
export function createEmbeddedWebhooks(folder: string): WebhookPlatform {
  const allowLoopback = process.env.WEBHOOKS_ALLOW_LOOPBACK === "true";
  return {
    secrets: createSecretBox(loadSecretsKey(join(folder, "webhook-secrets-key"))),
    transport: createNodeTransport({ allowLoopback }),
    dispatchSecret: process.env.DISPATCH_SECRET || undefined,
    concurrency,
    allowLoopback,
  };
}

function loadSecretsKey(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
  }
  const key = generateSecretsKey();
  writePrivateFile(path, `${key}\n`);
  return key;
}
