import type { EdgeDeployment } from "../../shared/platform/edge.ts";
import type { Address } from "../../shared/webhooks/address.ts";
import { createFetchTransport } from "./fetch-transport.ts";
import { createMailPlatform } from "./mail/platform.ts";
import { createSmtpMailer } from "./mail/smtp-mailer.ts";
import type { Senders } from "./senders.ts";
import { createWebhookPlatform } from "./webhook-platform.ts";

/** Global object of the edge runtime and of Deno. The edge runtime may lack `resolveDns`. */
interface Platform {
  Deno?: { resolveDns?(name: string, type: "A" | "AAAA"): Promise<string[]> };
}

const platform = globalThis as Platform;

/** Webhook attempts at a time in one call of `dispatch`. */
const webhookConcurrency = 64;
/** Mails at a time in one call of `dispatch`. */
const mailConcurrency = 4;

/** Senders of the edge runtime: webhooks by its `fetch`, mails by SMTP or HTTP. */
export function createEdgeSenders(deployment: EdgeDeployment): Senders {
  const { variable, apiUrl } = deployment;
  const transport = createFetchTransport(platform.Deno?.resolveDns === undefined ? undefined : resolveName);
  return {
    webhooks: createWebhookPlatform(variable, transport, webhookConcurrency),
    mail: createMailPlatform(variable, { concurrency: mailConcurrency, smtp: createSmtpMailer, apiUrl }),
    embedding: deployment,
  };
}

/** Resolves a name to all of its addresses. A name without addresses of one family is no error. */
async function resolveName(hostname: string): Promise<Address[]> {
  const [v4, v6] = await Promise.all(
    (["A", "AAAA"] as const).map(
      async (type) => (await platform.Deno?.resolveDns?.(hostname, type).catch(() => [])) ?? [],
    ),
  );
  return [
    ...(v4 ?? []).map((address) => ({ address, family: 4 as const })),
    ...(v6 ?? []).map((address) => ({ address, family: 6 as const })),
  ];
}
