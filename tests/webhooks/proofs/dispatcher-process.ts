/**
 * A dispatcher in a process of its own, over the PostgREST at SUPABASE_URL, until it is killed. WEBHOOK_SECRETS_KEY is in
 * the environment, and CONCURRENCY and the settings of mail and of an embedding model may be.
 */

import { dispatch } from "../../../functions/dispatch/dispatcher.ts";
import { createMailPlatform } from "../../../functions/dispatch/mail/platform.ts";
import { createNodeTransport } from "../../../local/embedded/node-transport.ts";
import { createRpcClient } from "../../../shared/database/client.ts";
import { createLog } from "../../../shared/log/log.ts";
import { processPlatform } from "../../../shared/platform/environment.ts";
import { createSecretBox } from "../../../shared/webhooks/secret-box.ts";

const {
  SUPABASE_URL = "",
  SUPABASE_SERVICE_ROLE_KEY = "",
  WEBHOOK_SECRETS_KEY = "",
  CONCURRENCY = "256",
} = process.env;

const log = createLog({ variable: processPlatform.variable });

console.log("started");
for (;;) {
  try {
    await dispatch({
      database: createRpcClient({ url: SUPABASE_URL, serviceKey: SUPABASE_SERVICE_ROLE_KEY }),
      webhooks: {
        secrets: createSecretBox(WEBHOOK_SECRETS_KEY),
        transport: createNodeTransport({ allowLoopback: true }),
        dispatchSecret: undefined,
        concurrency: Number(CONCURRENCY),
        allowLoopback: true,
      },
      mail: createMailPlatform(processPlatform.variable, { concurrency: 4 }),
      embedding: processPlatform,
      log,
      budgetMs: 600_000,
      stay: true,
    });
  } catch (error) {
    console.error(String(error));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
