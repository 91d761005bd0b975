import { type MailPlatform, withoutMail } from "../../functions/dispatch/mail/platform.ts";
import type { WebhookPlatform } from "../../functions/dispatch/webhook-platform.ts";
import type { FullRuntime } from "../../functions/handlers.ts";
import { ReadinessCache } from "../../functions/health/readiness.ts";
import { createRpcClient } from "../../shared/database/client.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { ConcurrencyLimit } from "../../shared/overload/concurrency-limit.ts";
import { VisitorLimit } from "../../shared/overload/visitor-limit.ts";
import { processPlatform } from "../../shared/platform/environment.ts";
import { dataFolderPath } from "../caller-path.mjs";
import { embeddedLog } from "./log.ts";
import { createRpcBridge } from "./rpc-bridge.ts";
import type { SessionLock } from "./session.ts";
import { createFolderStore, publishedFolder } from "./snapshot-folder.ts";

/**
 * PGlite has one session and blocks the process while it works, so a few calls keep it busy, and a caller beside others waits for at
 * most one of each. An import through the socket or a refit may hold the session for some seconds; the requests queued meanwhile are
 * answered afterwards. Waits of up to two seconds are no overload: dozens of requests at once take as long, one after the other.
 */
const limit = { permits: 4, sharedPermits: 1, maxWaitMs: 5_000, targetMs: 2_000, intervalMs: 2_000 };

/** Runtime of the embedded stack, which can wait for its background work. */
export interface EmbeddedRuntime extends FullRuntime {
  /** Resolves when all work passed to `waitUntil` is done. */
  settled(): Promise<void>;
}

/**
 * Creates the runtime over the PGlite in this process: supabase-js, with the RPC bridge as its network.
 *
 * @param settings values that take precedence over environment variables of the same names.
 * @param dataFolder has the published snapshots.
 * @param mail default: no mail is sent.
 */
export function createEmbeddedRuntime(
  lock: SessionLock,
  documentationUrl: string,
  webhooks: WebhookPlatform,
  settings: Readonly<Record<string, string>> = {},
  dataFolder = dataFolderPath(),
  mail: MailPlatform = withoutMail,
): EmbeddedRuntime {
  // Keyed by the promise: usage passes the same one for many requests.
  const pending = new Map<Promise<unknown>, Promise<unknown>>();
  const database = createRpcClient({
    url: "http://embedded.invalid",
    serviceKey: "embedded",
    fetch: createRpcBridge(lock),
  });
  return {
    ...createReadState({ ...processPlatform, database, log: embeddedLog }),
    documentationUrl,
    webhooks,
    mail,
    embedding: processPlatform,
    log: embeddedLog,
    variable: (name) => settings[name] ?? processPlatform.variable(name),
    database,
    readiness: new ReadinessCache(),
    limit: new ConcurrencyLimit({ ...limit, beforeRelease: () => lock.paused }),
    visitors: new VisitorLimit(),
    snapshots: createFolderStore(publishedFolder(dataFolder)),
    waitUntil(work) {
      if (pending.has(work)) return;
      const done = work.catch(() => undefined).finally(() => pending.delete(work));
      pending.set(work, done);
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending.values());
    },
  };
}
