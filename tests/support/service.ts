import { readFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { vector } from "@electric-sql/pglite-pgvector";
import { inject } from "vitest";
import { createAccount, defineTier } from "../../accounts/accounts.ts";
import { createKey } from "../../accounts/keys.ts";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { openEmbeddedAuth } from "../../local/auth/embedded.ts";
import { generateSigningKey } from "../../local/auth/signing-key.ts";
import { createGateway } from "../../local/embedded/gateway.ts";
import { createEmbeddedRuntime } from "../../local/embedded/runtime.ts";
import { SessionLock } from "../../local/embedded/session.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import type { QueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import type { Log } from "../../shared/log/log.ts";
import { createNodeTransport } from "../../shared/platform/node-transport.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { UsageRecorder } from "../../shared/usage/recorder.ts";
import type { WebhookPlatform } from "../../shared/webhooks/platform.ts";
import { createSecretBox, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
import { createPeople, type People } from "./people.ts";

/** The handlers over a database of this test file's own, with the demo records in it. */
export interface TestService {
  connection: Connection;
  runtime: Runtime;
  /** Who has the database's one session; for a socket beside the handlers. */
  lock: SessionLock;
  /** Those who sign in. */
  people: People;
  /** Names of the database functions called so far, in order. */
  calls: string[];
  /** Answers a request for any path of `testOrigin`. */
  send(request: Request): Promise<Response>;
  /** Answers a request for a path after `/functions/v1`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A new account with a key, on a tier that may be made for it. */
  newKey(tier?: string, dailyQuota?: number): Promise<{ key: string; keyId: string; email: string }>;
  /** Waits until what the responses left to do is done. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export const testBillingSecret = "whsec_for_tests_alone";
export const testMetricsSecret = "metrics-secret-of-the-tests";
export const testOrigin = "http://127.0.0.1:54321";
export const testBaseUrl = `${testOrigin}/functions/v1`;

export async function openTestDatabase(): Promise<PGlite> {
  const dump = new Blob([await readFile(inject("templatePath"))]);
  return PGlite.create({ loadDataDir: dump, extensions: { vector, pg_trgm, unaccent } });
}

/**
 * @param embeddings gets the vectors of queries, by default from what the environment names.
 * @param log by default that of the embedded stack.
 */
export async function openTestService(embeddings?: QueryEmbedder, log?: Log): Promise<TestService> {
  const database = await openTestDatabase();
  const lock = new SessionLock(database);
  const connection = pgliteConnection(database);
  const key = await generateSigningKey();
  const auth = await openEmbeddedAuth(lock, key, testOrigin);
  const embedded = createEmbeddedRuntime(lock, `${testOrigin}/docs/api.md`, testWebhooks(), {
    ...auth.settings,
    STRIPE_WEBHOOK_SECRET: `whsec_old, ${testBillingSecret}`,
    METRICS_SECRET: testMetricsSecret,
  });
  const calls: string[] = [];
  const counting: RpcClient = {
    call(name, parameters) {
      calls.push(name);
      return embedded.database.call(name, parameters);
    },
  };
  const runtime: Runtime = {
    database: counting,
    limit: embedded.limit,
    embeddings: embeddings ?? embedded.embeddings,
    lists: embedded.lists,
    readiness: embedded.readiness,
    usage: new UsageRecorder(counting, log ?? embedded.log),
    webhooks: embedded.webhooks,
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
    lock,
    people: createPeople(connection, key, `${testOrigin}/auth/v1`),
    calls,
    send: gateway,
    fetch: (path, init) => gateway(new Request(`${testBaseUrl}${path}`, init)),
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
    },
  };
}

/** Webhooks that may go to receivers on this machine. */
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
