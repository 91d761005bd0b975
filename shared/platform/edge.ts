import { createRpcClient } from "../database/client.ts";
import type { RpcClient } from "../database/rpc.ts";
import { sharingConfirmations } from "../database/shared-confirmations.ts";
import type { LocalModel } from "../embeddings/provider.ts";
import { createQueryEmbedder, type QueryEmbedder } from "../embeddings/query-embedder.ts";
import { RecentLists } from "../endpoint/recent-lists.ts";
import { ReadinessCache } from "../operations/readiness.ts";
import type { ConcurrencyLimit } from "../overload/concurrency-limit.ts";
import { edgeLimit } from "../overload/edge-limit.ts";
import type { Runtime } from "../runtime.ts";
import { UsageRecorder } from "../usage/recorder.ts";
import type { Address } from "../webhooks/address.ts";
import type { WebhookPlatform } from "../webhooks/platform.ts";
import { createSecretBox } from "../webhooks/secret-box.ts";
import { edgeLog } from "./edge-log.ts";
import { environment, variable } from "./environment.ts";
import { createFetchTransport } from "./fetch-transport.ts";

/** What the edge runtime and Deno offer under these names, where they do. */
interface Platform {
  EdgeRuntime?: { waitUntil(work: Promise<unknown>): void };
  Supabase?: { ai: { Session: new (model: string) => LocalModel } };
  Deno?: {
    resolveDns?(name: string, type: "A" | "AAAA"): Promise<string[]>;
  };
}

const platform = globalThis as Platform;
let database: RpcClient | undefined;
let limit: ConcurrencyLimit | undefined;
let embeddings: QueryEmbedder | undefined;
const lists = new RecentLists();
const readiness = new ReadinessCache();
let usage: UsageRecorder | undefined;
let webhooks: WebhookPlatform | undefined;

/** Attempts at a time in one call of `dispatch`. */
const webhookConcurrency = 64;

/**
 * The runtime of a Supabase Edge Function, made of its environment:
 * `SUPABASE_URL`, and the service key in `SUPABASE_SECRET_KEYS` (JSON, member `default`),
 * `SUPABASE_SECRET_KEY` or `SUPABASE_SERVICE_ROLE_KEY`, whichever comes first. `DOCUMENTATION_URL`,
 * where set, is the address of docs/api.md as published. `WEBHOOK_SECRETS_KEY` and `DISPATCH_SECRET` are for webhooks:
 * see docs/deployment.md. `DATABASE_CONCURRENCY` is how many calls a function has under way at a time. An embedding provider reads variables of its own.
 *
 * @throws when the environment lacks them: the deployment is not complete.
 */
export function edgeRuntime(): Runtime {
  database ??= sharingConfirmations(createRpcClient({ url: required("SUPABASE_URL"), serviceKey: serviceKey() }));
  limit ??= edgeLimit(variable);
  embeddings ??= createQueryEmbedder(edgePlatform());
  webhooks ??= webhookPlatform();
  usage ??= new UsageRecorder(database, edgeLog);
  const documentationUrl = environment("DOCUMENTATION_URL");
  return {
    database,
    limit,
    embeddings,
    lists,
    readiness,
    usage,
    webhooks,
    log: edgeLog,
    waitUntil,
    documentationUrl,
    variable,
  };
}

function webhookPlatform(): WebhookPlatform {
  const keys = environment("WEBHOOK_SECRETS_KEY") || undefined;
  return {
    secrets: keys === undefined ? undefined : createSecretBox(keys),
    transport: createFetchTransport(platform.Deno?.resolveDns === undefined ? undefined : resolve),
    dispatchSecret: environment("DISPATCH_SECRET") || undefined,
    concurrency: webhookConcurrency,
    allowLoopback: false,
  };
}

/** All addresses of a name. One that has none of a kind is no error. */
async function resolve(hostname: string): Promise<Address[]> {
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

function edgePlatform() {
  const ai = platform.Supabase?.ai;
  return ai === undefined ? { variable } : { variable, localModel: (name: string) => new ai.Session(name) };
}

function waitUntil(work: Promise<unknown>): void {
  // Without EdgeRuntime the process simply stays, and the work with it.
  platform.EdgeRuntime?.waitUntil(work);
}

function serviceKey(): string {
  const named = environment("SUPABASE_SECRET_KEYS");
  if (named !== undefined) {
    const { default: key } = JSON.parse(named) as { default?: string };
    if (key !== undefined) return key;
  }
  return environment("SUPABASE_SECRET_KEY") ?? required("SUPABASE_SERVICE_ROLE_KEY");
}

function required(name: string): string {
  const value = environment(name);
  if (value === undefined || value === "") throw new Error(`the environment variable ${name} is not set`);
  return value;
}
