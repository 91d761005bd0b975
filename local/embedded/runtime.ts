import { createRpcClient } from "../../shared/database/client.ts";
import { sharingConfirmations } from "../../shared/database/shared-confirmations.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { RecentLists } from "../../shared/endpoint/recent-lists.ts";
import { ReadinessCache } from "../../shared/operations/readiness.ts";
import { ConcurrencyLimit } from "../../shared/overload/concurrency-limit.ts";
import { processPlatform } from "../../shared/platform/process.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { UsageRecorder } from "../../shared/usage/recorder.ts";
import type { WebhookPlatform } from "../../shared/webhooks/platform.ts";
import { embeddedLog } from "./log.ts";
import { createRpcBridge } from "./rpc-bridge.ts";
import type { SessionLock } from "./session.ts";

/**
 * The database has one session, and the program waits while it works: a few calls keep it busy. An import on its socket
 * or a new lexicon may hold it for some seconds, and then there is a queue to work off.
 */
const limit = { places: 4, patienceMs: 5_000, intervalMs: 2_000 };

/** The embedded stack's runtime, and a way to wait for what its responses left to do. */
export interface EmbeddedRuntime extends Runtime {
  /** Resolves when all work handed to `waitUntil` so far is done. */
  settled(): Promise<void>;
}

/**
 * The runtime over a PGlite in this process: supabase-js, its network replaced by the bridge.
 *
 * @param settings come before the environment's variables of the same names.
 */
export function createEmbeddedRuntime(
  lock: SessionLock,
  documentationUrl: string,
  webhooks: WebhookPlatform,
  settings: Readonly<Record<string, string>> = {},
): EmbeddedRuntime {
  // By what was handed over: usage hands over the same promise for many requests.
  const open = new Map<Promise<unknown>, Promise<unknown>>();
  const database = sharingConfirmations(
    createRpcClient({
      url: "http://embedded.invalid",
      serviceKey: "embedded",
      fetch: createRpcBridge(lock),
    }),
  );
  return {
    documentationUrl,
    webhooks,
    log: embeddedLog,
    variable: (name) => settings[name] ?? processPlatform.variable(name),
    database,
    readiness: new ReadinessCache(),
    usage: new UsageRecorder(database, embeddedLog),
    limit: new ConcurrencyLimit(limit),
    embeddings: createQueryEmbedder(processPlatform),
    lists: new RecentLists(),
    waitUntil(work) {
      if (open.has(work)) return;
      const done = work.catch(() => undefined).finally(() => open.delete(work));
      open.set(work, done);
    },
    async settled() {
      while (open.size > 0) await Promise.all(open.values());
    },
  };
}
