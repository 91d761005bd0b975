import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createNodeTransport } from "../../shared/platform/node-transport.ts";
import type { WebhookPlatform } from "../../shared/webhooks/platform.ts";
import { createSecretBox, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";

/** Attempts at a time. */
const concurrency = 256;

/**
 * What sends webhooks from this machine. The key of their secrets is made at the first start and kept in the data folder,
 * readable by its owner alone.
 *
 * `WEBHOOKS_ALLOW_LOOPBACK=true` also takes endpoints on this machine, by http: to try a receiver that is being written.
 *
 * @param folder the data folder.
 */
export function embeddedWebhooks(folder: string): WebhookPlatform {
  const allowLoopback = process.env.WEBHOOKS_ALLOW_LOOPBACK === "true";
  return {
    secrets: createSecretBox(secretsKey(join(folder, "webhook-secrets-key"))),
    transport: createNodeTransport({ allowLoopback }),
    dispatchSecret: process.env.DISPATCH_SECRET || undefined,
    concurrency,
    allowLoopback,
  };
}

function secretsKey(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
  }
  const key = generateSecretsKey();
  writeFileSync(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  return key;
}
