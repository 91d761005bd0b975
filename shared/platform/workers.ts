import { createRpcClient } from "../database/client.ts";
import type { RpcClient } from "../database/rpc.ts";
import { createQueryEmbedder, type QueryEmbedder } from "../embeddings/query-embedder.ts";
import { RecentLists } from "../endpoint/recent-lists.ts";
import { createLog, type Log } from "../log/log.ts";
import { ReadinessCache } from "../operations/readiness.ts";
import type { ConcurrencyLimit } from "../overload/concurrency-limit.ts";
import { edgeLimit } from "../overload/edge-limit.ts";
import type { Runtime } from "../runtime.ts";
import { UsageRecorder } from "../usage/recorder.ts";
import type { WebhookPlatform } from "../webhooks/platform.ts";
import { createSecretBox } from "../webhooks/secret-box.ts";
import { createFetchTransport } from "./fetch-transport.ts";

/** What the Worker is bound to: variables and secrets of the deployment. */
export interface WorkerBindings {
  /** The Supabase project's address. */
  readonly SUPABASE_URL?: string;
  /** A secret key of the project: `sb_secret_...`, or the older service role key. */
  readonly SUPABASE_SECRET_KEY?: string;
  /** The key that the dashboard's sign-in is made with; not secret. */
  readonly SUPABASE_PUBLISHABLE_KEY?: string;
  /** The dashboard's build, where the Worker has static assets. */
  readonly ASSETS?: { fetch(request: Request): Promise<Response> };
  /** How many calls to the database are under way at a time: see shared/overload/edge-limit.ts. */
  readonly DATABASE_CONCURRENCY?: string;
  /** Where docs/api.md is published, if anywhere. */
  readonly DOCUMENTATION_URL?: string;
  /** For webhooks: the key of their secrets, and what a caller of `dispatch` must show. See docs/deployment.md. */
  readonly WEBHOOK_SECRETS_KEY?: string;
  readonly DISPATCH_SECRET?: string;
  /** For an embedding model of OpenAI, or of a server that speaks its protocol: see shared/embeddings/openai.ts. */
  readonly OPENAI_API_KEY?: string;
  readonly OPENAI_BASE_URL?: string;
  readonly OPENAI_SEND_DIMENSIONS?: string;
  /** How sign-in tokens are verified: see shared/account/sign-in-token.ts. */
  readonly AUTH_ISSUER?: string;
  readonly AUTH_JWT_SECRET?: string;
  /** What who scrapes the metrics must show: see shared/operations/metrics.ts. */
  readonly METRICS_SECRET?: string;
  /** What is logged, and how: see shared/log/log.ts. */
  readonly LOG_LEVEL?: string;
  readonly LOG_FORMAT?: string;
  /** The signing secret of Stripe's webhook endpoint: see shared/billing/endpoint.ts. */
  readonly STRIPE_WEBHOOK_SECRET?: string;
}

/** What Cloudflare passes with each request. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

let client: RpcClient | undefined;
let limit: ConcurrencyLimit | undefined;
let log: Log | undefined;
let embeddings: QueryEmbedder | undefined;
const lists = new RecentLists();
const readiness = new ReadinessCache({ joinsCalls: false });
let webhooks: WebhookPlatform | undefined;

/** Attempts at a time: a Worker has six connections at most, and the database needs one of them. */
const webhookConcurrency = 5;

/**
 * The runtime of one request to a Cloudflare Worker.
 *
 * @throws when a binding is missing: the deployment is not complete.
 */
export function workerRuntime(bindings: WorkerBindings, context: WorkerContext): Runtime {
  client ??= createRpcClient({
    url: required(bindings, "SUPABASE_URL"),
    serviceKey: required(bindings, "SUPABASE_SECRET_KEY"),
  });
  const variable = (name: string) => (bindings as Record<string, string | undefined>)[name] || undefined;
  limit ??= edgeLimit(variable);
  log ??= createLog({ variable });
  embeddings ??= createQueryEmbedder({ variable });
  webhooks ??= webhookPlatform(bindings);
  return {
    // Confirmations of lists are not shared (`sharingConfirmations`): on Workers, work ends with the request that began
    // it, so no request may wait for another's call.
    database: client,
    limit,
    embeddings,
    lists,
    readiness,
    // For the same reason each request writes its own usage.
    usage: new UsageRecorder(client, log),
    webhooks,
    log,
    waitUntil: (work) => context.waitUntil(work),
    documentationUrl: bindings.DOCUMENTATION_URL || undefined,
    variable,
  };
}

function webhookPlatform({ WEBHOOK_SECRETS_KEY, DISPATCH_SECRET }: WorkerBindings): WebhookPlatform {
  return {
    secrets: WEBHOOK_SECRETS_KEY ? createSecretBox(WEBHOOK_SECRETS_KEY) : undefined,
    // A Worker cannot look a name up. Its fetch leaves through Cloudflare's network, from which ours cannot be reached.
    transport: createFetchTransport(),
    dispatchSecret: DISPATCH_SECRET || undefined,
    concurrency: webhookConcurrency,
    allowLoopback: false,
  };
}

function required(bindings: WorkerBindings, name: "SUPABASE_URL" | "SUPABASE_SECRET_KEY"): string {
  const value = bindings[name];
  if (value === undefined || value === "") throw new Error(`the Worker has no binding ${name}`);
  return value;
}
