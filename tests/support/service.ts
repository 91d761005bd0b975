import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { inject } from "vitest";
import { createAccount, defineTier } from "../../database/accounts/accounts.ts";
import { createKey } from "../../database/accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import type { MailPlatform } from "../../functions/dispatch/mail/platform.ts";
import type { WebhookPlatform } from "../../functions/dispatch/webhook-platform.ts";
import type { FullRuntime } from "../../functions/handlers.ts";
import { openEmbeddedAuth } from "../../local/auth/embedded.ts";
import { generateSigningKey } from "../../local/auth/signing-key.ts";
import { createGateway } from "../../local/embedded/gateway.ts";
import { createNodeTransport } from "../../local/embedded/node-transport.ts";
import { createEmbeddedRuntime } from "../../local/embedded/runtime.ts";
import { SessionLock } from "../../local/embedded/session.ts";
import { createFolderStore } from "../../local/embedded/snapshot-folder.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import type { QueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import type { Log } from "../../shared/log/log.ts";
import { UsageRecorder } from "../../shared/usage/recorder.ts";
import { createSecretBox, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
import { openCopy } from "./database-copy.ts";
import { createPeople, type People } from "./people.ts";
import { type StripeServer, startStripeServer, testStripeKey } from "./stripe-server.ts";

/** The handlers over a database of this test file's own, with the demo records in it. */
export interface TestService {
  connection: Connection;
  runtime: FullRuntime;
  /** Folder of the published snapshots: without any, it is not there. */
  snapshotFolder: string;
  /** Lock of the database's one session, for a socket beside the handlers. */
  lock: SessionLock;
  /** People who can sign in. */
  people: People;
  /** Server that it asks as Stripe. */
  stripe: StripeServer;
  /** Names of the database functions called so far, in order. */
  calls: string[];
  /** Answers a request for any path of `testOrigin`. */
  send(request: Request): Promise<Response>;
  /** Answers a request for a path after `/functions/v1`, from an address. Default: this machine's; null: unknown. */
  fetch(path: string, init?: RequestInit, clientAddress?: string | null): Promise<Response>;
  /** Creates an account with a key; with a quota, on a tier created for it. */
  newKey(tier?: string, dailyQuota?: number): Promise<{ key: string; keyId: string; email: string }>;
  /** Waits for the work that the responses left to do. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export const testBillingSecret = "whsec_for_tests_alone";
export const testMetricsSecret = "metrics-secret-of-the-tests";
export const testOrigin = "http://127.0.0.1:54321";
export const testBaseUrl = `${testOrigin}/functions/v1`;

/** A migrated database with the demo records and a lexicon fitted to them. */
export function openTestDatabase(): Promise<PGlite> {
  return openCurrentCopy(inject("templatePath"));
}

/** A migrated database without records, and without a fit. */
export function openEmptyDatabase(): Promise<PGlite> {
  return openCurrentCopy(inject("emptyTemplatePath"));
}

/** A copy whose bounded clock tells the present time: the template may be hours old. */
async function openCurrentCopy(path: string): Promise<PGlite> {
  const database = await openCopy(path);
  await database.exec("select funding.confirm_clock()");
  return database;
}

/**
 * Opens the handlers over a copy of the test database.
 *
 * @param embeddings embeds queries. Default: the provider that the environment names.
 * @param log default: the embedded stack's.
 * @param mail default: no mail is sent.
 */
export async function openTestService(
  embeddings?: QueryEmbedder,
  log?: Log,
  mail?: MailPlatform,
): Promise<TestService> {
  const snapshotFolder = join(tmpdir(), `funding-published-${crypto.randomUUID()}`);
  const database = await openTestDatabase();
  const lock = new SessionLock(database);
  const connection = pgliteConnection(database);
  const key = await generateSigningKey();
  const auth = await openEmbeddedAuth(lock, key, testOrigin);
  const stripe = await startStripeServer();
  const embedded = createEmbeddedRuntime(lock, `${testBaseUrl}/openapi/docs/api.md`, testWebhooks(), {
    ...auth.settings,
    STRIPE_WEBHOOK_SECRET: `whsec_old, ${testBillingSecret}`,
    STRIPE_SECRET_KEY: testStripeKey,
    STRIPE_API_URL: stripe.url,
    DASHBOARD_URL: testOrigin,
    METRICS_SECRET: testMetricsSecret,
    CATALOGUE: "on",
  });
  const calls: string[] = [];
  const counting: RpcClient = {
    call(name, parameters, ...passedOn) {
      calls.push(name);
      return embedded.database.call(name, parameters, ...passedOn);
    },
  };
  const runtime: FullRuntime = {
    database: counting,
    limit: embedded.limit,
    streams: embedded.streams,
    embeddings: embeddings ?? embedded.embeddings,
    lists: embedded.lists,
    snapshots: createFolderStore(snapshotFolder),
    keyHashes: embedded.keyHashes,
    readiness: embedded.readiness,
    visitors: embedded.visitors,
    usage: new UsageRecorder(counting, log ?? embedded.log),
    webhooks: embedded.webhooks,
    mail: mail ?? embedded.mail,
    log: log ?? embedded.log,
    waitUntil: embedded.waitUntil,
    documentationUrl: embedded.documentationUrl,
    variable: embedded.variable,
  };
  const gateway = createGateway(runtime, [auth.answer]);
  let accounts = 0;
  return {
    connection,
    runtime,
    snapshotFolder,
    lock,
    people: createPeople(connection, key, `${testOrigin}/auth/v1`),
    stripe,
    calls,
    send: gateway,
    fetch: (path, init, clientAddress = "127.0.0.1") =>
      gateway(new Request(`${testBaseUrl}${path}`, init), clientAddress ?? undefined),
    async newKey(tier = "developer", dailyQuota) {
      if (dailyQuota !== undefined) await defineTier(connection, tier, dailyQuota);
      const email = `holder-${++accounts}@example.org`;
      await createAccount(connection, email, tier);
      const { id, key } = await createKey(connection, email, "test");
      return { key, keyId: id, email };
    },
    settled: embedded.settled,
    async close() {
      await embedded.settled();
      await connection.close();
      await stripe.close();
      await rm(snapshotFolder, { recursive: true, force: true });
    },
  };
}

/** Webhook platform that may call receivers on this machine. */
export function testWebhooks(): WebhookPlatform {
  return {
    secrets: createSecretBox(generateSecretsKey()),
    transport: createNodeTransport({ allowLoopback: true }),
    dispatchSecret: "dispatch-secret-of-the-tests",
    concurrency: 32,
    allowLoopback: true,
  };
}

export function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}
