import { createFetchTransport } from "../../functions/dispatch/fetch-transport.ts";
import { createSmtpMailer } from "../../functions/dispatch/mail/smtp-mailer.ts";
import { ReadinessCache } from "../../functions/health/readiness.ts";
import { createSupabaseStore } from "../../functions/snapshots/supabase-store.ts";
import { KeyHashes } from "../auth/credential.ts";
import { createDatabaseClient } from "../database/client.ts";
import type { LocalModel } from "../embeddings/provider.ts";
import { createQueryEmbedder } from "../embeddings/query-embedder.ts";
import { ListCache } from "../endpoint/list-cache.ts";
import { createMailPlatform } from "../mail/platform.ts";
import { createEdgeLimit } from "../overload/concurrency-limit.ts";
import { StreamLimit } from "../overload/stream-limit.ts";
import type { Runtime } from "../runtime.ts";
import { UsageRecorder } from "../usage/recorder.ts";
import type { Address } from "../webhooks/address.ts";
import { createWebhookPlatform } from "../webhooks/platform.ts";
import { addressInHeader, clientAddressHeader } from "./client-address.ts";
import { answerOn, DeploymentError, requireSettings } from "./deployment.ts";
import { edgeLog, variable } from "./environment.ts";

/** Global objects of the edge runtime and of Deno, where they exist. */
interface Platform {
  EdgeRuntime?: { waitUntil(work: Promise<unknown>): void };
  Supabase?: { ai: { Session: new (model: string) => LocalModel } };
  Deno?: {
    resolveDns?(name: string, type: "A" | "AAAA"): Promise<string[]>;
  };
}

const platform = globalThis as Platform;

/** Webhook attempts at a time in one call of `dispatch`. */
const webhookConcurrency = 64;
/** Mails at a time in one call of `dispatch`. */
const mailConcurrency = 4;

/** Ends the message about variables that are missing. */
const howToSet =
  "Supabase gives both to its functions; elsewhere set them in the environment, the key also as SUPABASE_SERVICE_ROLE_KEY (docs/operate/install.md).";

let isolate: Isolate | undefined;

/** The part of the runtime that lives as long as the isolate. */
interface Isolate extends Runtime {
  addressHeader: string | undefined;
}

/**
 * Returns the runtime of a request to this Supabase Edge Function. State that outlives a request is made at the first one.
 *
 * Environment: `SUPABASE_URL`; the service key in `SUPABASE_SECRET_KEYS` (JSON, member `default`), `SUPABASE_SECRET_KEY`
 * or `SUPABASE_SERVICE_ROLE_KEY`, whichever comes first; optionally `DOCUMENTATION_URL` (docs/api.md as published),
 * `SUPABASE_READ_URL` and `SUPABASE_READ_METHOD` (docs/operate/replicas.md), `WEBHOOK_SECRETS_KEY`, `DISPATCH_SECRET`, `MAIL_...`, `DASHBOARD_URL` and `PUBLIC_API_URL` (see docs/operate/install.md),
 * `DATABASE_CONCURRENCY`, `CLIENT_ADDRESS_HEADER`, and the variables that functions read: `AUTH_...`, `STRIPE_...`, `METRICS_SECRET`,
 * `LOG_...`, and those of an embedding provider.
 *
 * @throws {DeploymentError} when a required variable is missing: the deployment is not complete.
 */
export function edgeRuntime(request: Request): Runtime {
  isolate ??= createIsolate();
  const { addressHeader, ...shared } = isolate;
  return { ...shared, clientAddress: addressInHeader(request.headers, addressHeader) };
}

/** Makes a function's handler the one that the edge runtime calls. */
export function onEdge(handle: (request: Request, runtime: Runtime) => Promise<Response>) {
  return (request: Request) => answerOn(request, () => edgeRuntime(request), edgeLog, handle);
}

function createIsolate(): Isolate {
  const [SUPABASE_URL = "", SUPABASE_SECRET_KEY = ""] = [variable("SUPABASE_URL"), serviceKey()];
  requireSettings({ SUPABASE_URL, SUPABASE_SECRET_KEY }, howToSet);
  const project = { url: SUPABASE_URL, serviceKey: SUPABASE_SECRET_KEY };
  const database = createDatabaseClient(project, variable, edgeLog);
  const ai = platform.Supabase?.ai;
  const transport = createFetchTransport(platform.Deno?.resolveDns === undefined ? undefined : resolveName);
  return {
    database,
    limit: createEdgeLimit(variable),
    streams: new StreamLimit(),
    embeddings: createQueryEmbedder({
      variable,
      ...(ai === undefined ? {} : { localModel: (name: string) => new ai.Session(name) }),
    }),
    lists: new ListCache(),
    keyHashes: new KeyHashes(),
    readiness: new ReadinessCache(),
    snapshots: createSupabaseStore(project),
    usage: new UsageRecorder(database, edgeLog),
    webhooks: createWebhookPlatform(variable, transport, webhookConcurrency),
    mail: createMailPlatform(variable, {
      concurrency: mailConcurrency,
      smtp: createSmtpMailer,
      apiUrl: `${project.url}/functions/v1`,
    }),
    log: edgeLog,
    // Without EdgeRuntime the process simply stays, and the work with it.
    waitUntil: (work) => platform.EdgeRuntime?.waitUntil(work),
    documentationUrl: variable("DOCUMENTATION_URL"),
    variable,
    addressHeader: clientAddressHeader(variable),
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

function serviceKey(): string | undefined {
  const named = readJson(variable("SUPABASE_SECRET_KEYS") ?? "{}") as { default?: string } | null;
  return named?.default ?? variable("SUPABASE_SECRET_KEY") ?? variable("SUPABASE_SERVICE_ROLE_KEY");
}

/** @throws {DeploymentError} in words of our own: JSON.parse repeats the text, which holds a secret. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DeploymentError("The variable SUPABASE_SECRET_KEYS is no JSON.");
  }
}
