import { createFetchTransport } from "../functions/dispatch/fetch-transport.ts";
import { createMailPlatform } from "../functions/dispatch/mail/platform.ts";
import { createWebhookPlatform } from "../functions/dispatch/webhook-platform.ts";
import type { FullRuntime } from "../functions/handlers.ts";
import { ReadinessCache } from "../functions/health/readiness.ts";
import { createSupabaseStore } from "../functions/snapshots/supabase-store.ts";
import { createDatabaseClient } from "../shared/database/client.ts";
import type { WorkersAi } from "../shared/embeddings/provider.ts";
import { createReadState } from "../shared/endpoint/read-state.ts";
import { createLog, type Log } from "../shared/log/log.ts";
import { createEdgeLimit } from "../shared/overload/concurrency-limit.ts";
import { VisitorLimit } from "../shared/overload/visitor-limit.ts";
import { addressInHeader, clientAddressHeader, cloudflareHeader } from "../shared/platform/client-address.ts";
import { requireSettings } from "../shared/platform/deployment.ts";
import { UsageRecorder } from "../shared/usage/recorder.ts";
import { createR2Store, type R2Bucket } from "./r2-store.ts";

/** Bindings of the Worker: variables and secrets of the deployment. */
export interface WorkerBindings {
  /** The Supabase project's address. */
  readonly SUPABASE_URL?: string;
  /** A secret key of the project: `sb_secret_...`, or the older service role key. */
  readonly SUPABASE_SECRET_KEY?: string;
  /** Key of the dashboard's sign-in; not secret. */
  readonly SUPABASE_PUBLISHABLE_KEY?: string;
  /** Replicas: see shared/database/client.ts. */
  readonly SUPABASE_READ_URL?: string;
  readonly SUPABASE_READ_METHOD?: string;
  /** Header with the client's address, in place of Cloudflare's: see shared/platform/client-address.ts. */
  readonly CLIENT_ADDRESS_HEADER?: string;
  /** The dashboard's build, where the Worker has static assets. */
  readonly ASSETS?: { fetch(request: Request): Promise<Response> };
  /** The R2 bucket of published snapshots; without it, they are those in Supabase Storage. */
  readonly SNAPSHOTS?: R2Bucket;
  /** Calls to the database at a time: see shared/overload/concurrency-limit.ts. */
  readonly DATABASE_CONCURRENCY?: string;
  /** Address at which docs/api.md is published, if it is. */
  readonly DOCUMENTATION_URL?: string;
  /** Address at which the status page is published, if it is. */
  readonly STATUS_URL?: string;
  /** Webhooks: the key of their secrets, and the secret of `dispatch`. See docs/operate/install.md. */
  readonly WEBHOOK_SECRETS_KEY?: string;
  readonly DISPATCH_SECRET?: string;
  /** Digests by e-mail: see shared/mail/settings.ts. A Worker sends over HTTP alone. */
  readonly MAIL_HTTP_URL?: string;
  readonly MAIL_HTTP_TOKEN?: string;
  readonly MAIL_FROM?: string;
  /** Public addresses of the API, up to and including `/functions/v1`, and of the dashboard. */
  readonly PUBLIC_API_URL?: string;
  readonly DASHBOARD_URL?: string;
  /** For an embedding model of OpenAI, or of a server that speaks its protocol: see shared/embeddings/openai.ts. */
  readonly OPENAI_API_KEY?: string;
  readonly OPENAI_BASE_URL?: string;
  readonly OPENAI_SEND_DIMENSIONS?: string;
  /** Workers AI, for one of its embedding models. */
  readonly AI?: WorkersAi;
  /** `on` turns the public catalogue on. Its public address, where that is not the Worker's own. */
  readonly CATALOGUE?: string;
  readonly CATALOGUE_URL?: string;
  /** Verification of sign-in tokens: see functions/account-api/sign-in-token.ts. */
  readonly AUTH_ISSUER?: string;
  readonly AUTH_JWT_SECRET?: string;
  /** Secret required to scrape `/metrics`. */
  readonly METRICS_SECRET?: string;
  /** Level and format of the log: see shared/log/log.ts. */
  readonly LOG_LEVEL?: string;
  readonly LOG_FORMAT?: string;
  /** The signing secret of Stripe's webhook endpoint: see functions/billing/index.ts. */
  readonly STRIPE_WEBHOOK_SECRET?: string;
  /** Stripe's secret key, by which tiers are sold, and its address in tests: see functions/account-api/billing-settings.ts. */
  readonly STRIPE_SECRET_KEY?: string;
  readonly STRIPE_API_URL?: string;
}

/** Argument of Cloudflare's with each request. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

/** Webhook attempts at a time: a Worker has six connections at most, and the database needs one of them. */
const webhookConcurrency = 5;

/** The part of the runtime that lives as long as the isolate. */
interface Isolate extends Omit<FullRuntime, "usage" | "waitUntil" | "clientAddress"> {
  addressHeader: string;
}

/** Ends the message about secrets that are missing. */
const howToSet =
  "Set each with `npx wrangler secret put NAME`, or for `wrangler dev` as NAME=VALUE in the file .dev.vars (docs/operate/install.md#cloudflare-workers).";

let isolate: Isolate | undefined;

/**
 * Makes the runtime of one request to a Cloudflare Worker, or of a scheduled run.
 *
 * @throws {DeploymentError} when a binding is missing: the deployment is not complete.
 */
export function workerRuntime(bindings: WorkerBindings, context: WorkerContext, request?: Request): FullRuntime {
  isolate ??= createIsolate(bindings);
  const { addressHeader, ...shared } = isolate;
  return {
    ...shared,
    clientAddress: request && addressInHeader(request.headers, addressHeader),
    // On Workers, I/O ends with the request that began it, so each request writes its own usage.
    usage: new UsageRecorder(shared.database, shared.log),
    waitUntil: (work) => context.waitUntil(work),
  };
}

function createIsolate(bindings: WorkerBindings): Isolate {
  const given = workerVariable(bindings);
  const defaults: Record<string, string | undefined> = { DASHBOARD_URL: ownDashboard(bindings) };
  const variable = (name: string) => given(name) ?? defaults[name];
  const { SUPABASE_URL = "", SUPABASE_SECRET_KEY = "" } = bindings;
  requireSettings({ SUPABASE_URL, SUPABASE_SECRET_KEY }, howToSet);
  const project = { url: SUPABASE_URL, serviceKey: SUPABASE_SECRET_KEY };
  const log = createLog({ variable });
  const database = createDatabaseClient(project, variable, log);
  const embedding = { variable, ...(bindings.AI === undefined ? {} : { workersAi: bindings.AI }) };
  return {
    ...createReadState({ ...embedding, database, log }),
    database,
    limit: createEdgeLimit(variable),
    // For the same reason no request waits for the check that another began.
    readiness: new ReadinessCache({ joinsCalls: false }),
    visitors: new VisitorLimit(),
    snapshots: bindings.SNAPSHOTS === undefined ? createSupabaseStore(project) : createR2Store(bindings.SNAPSHOTS),
    // A Worker cannot resolve a name. Its fetch leaves through Cloudflare's network, from which ours cannot be reached.
    webhooks: createWebhookPlatform(variable, createFetchTransport(), webhookConcurrency),
    // One connection at a time, of the six that webhooks and the database share.
    mail: createMailPlatform(variable, { concurrency: 1 }),
    embedding,
    log,
    variable,
    addressHeader: clientAddressHeader(variable) ?? cloudflareHeader,
  };
}

/** The dashboard's address where the Worker serves it: the API's, without its path. */
function ownDashboard({ ASSETS, PUBLIC_API_URL = "" }: WorkerBindings): string | undefined {
  return ASSETS === undefined ? undefined : URL.parse(PUBLIC_API_URL)?.origin;
}

/** Log of a Worker, which needs none of the required bindings. */
export function workerLog(bindings: WorkerBindings): Log {
  return createLog({ variable: workerVariable(bindings) });
}

/** Reads a variable or secret of a Worker; undefined where it is not set, or empty. */
export function workerVariable(bindings: WorkerBindings): (name: string) => string | undefined {
  return (name) => (bindings as Record<string, string | undefined>)[name] || undefined;
}
