/**
 * Writes what the upgrade tests need of the version that is released now, into tests/upgrades/VERSION: a backup of a database that
 * has lived, the secrets that belong to it, and the edge functions, bundled without the packages that they import. Run it in the
 * commit of a release, and never again for that version.
 *
 * usage: node local/deno.mjs tests/upgrades/make.ts
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { createAccount } from "../../database/accounts/accounts.ts";
import { createKey, rotateKey } from "../../database/accounts/keys.ts";
import { writeBackup } from "../../database/backup/write.ts";
import { type Connection, queryOne } from "../../database/connection.ts";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { hashMigrations, readReleases, releasedMigrations } from "../../database/releases.ts";
import { createAuthTables } from "../../local/auth/tables.ts";
import { createDemoKeys } from "../../local/demo/keys.ts";
import { loadDemoData } from "../../local/demo/load.ts";
import manifest from "../../package.json" with { type: "json" };
import { hashKey } from "../../shared/auth/key.ts";
import { createSecretBox, generateSecret, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
import { demoSize, type Secrets } from "./fixture.ts";

const folder = fileURLToPath(new URL(`${manifest.version}/`, import.meta.url));
/** The records are older than the test, so that the import of the day of the test changes them. */
const ageDays = 30;

/** An account with a webhook whose secret is being replaced, one delivery under way and others waiting. */
async function addWebhook(connection: Connection, key: string): Promise<Secrets["webhook"]> {
  const account = await createAccount(connection, "subscriber@demo.example", "developer");
  const box = createSecretBox(key);
  const id = crypto.randomUUID();
  const [former, secret] = [generateSecret(), generateSecret()];
  const webhook = {
    id,
    url: "https://receiver.example/hook",
    description: "of the upgrade tests",
    events: ["grant.created"],
    filters: {},
    deadline_days: [7],
    secret: await box.seal(former, id),
  };
  await connection.query("select funding.create_webhook(funding.account_id($1), $2)", [
    "subscriber@demo.example",
    JSON.stringify(webhook),
  ]);
  await connection.query("select funding.rotate_webhook_secret(funding.account_id($1), $2, $3, 86400)", [
    "subscriber@demo.example",
    id,
    await box.seal(secret, id),
  ]);
  const grants = [1, 2, 3].map((number) => ({
    source: "upgrade",
    source_id: String(number),
    title: `Bridges of town ${number}`,
    description: "Repairs of bridges.",
    status: "open",
    classification: "opportunity",
    funder_name: "Bridge Office",
    states: ["OH"],
    is_national: false,
    categories: [],
    identifiers: [],
    created_at: "2026-10-01T00:00:00Z",
  }));
  await connection.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify(grants)]);
  await connection.execute("select public.fan_out_events(100)");
  const { claimed } = await queryOne<{ claimed: { deliveries: unknown[] } }>(
    connection,
    "select public.claim_deliveries(1, 1) as claimed",
  );
  if (claimed.deliveries.length !== 1) throw new Error(`a delivery was to be claimed: ${JSON.stringify(claimed)}`);
  void account;
  return { id, secret, former };
}

async function main(): Promise<void> {
  const present = Object.keys(await hashMigrations());
  const released = new Set(releasedMigrations(await readReleases()));
  const unreleased = present.filter((name) => !released.has(name));
  if (unreleased.length > 0) throw new Error(`this is not a released version: ${unreleased.join(", ")}`);

  const connection = pgliteConnection(await openPGlite());
  await migrate(connection);
  await createAuthTables(connection);
  const today = new Date(Date.now() - ageDays * 86_400_000);
  await loadDemoData(connection, { ...demoSize, today }, () => undefined);
  await fitLexicon(connection, () => undefined, 64);
  const keys = await createDemoKeys(connection);

  await createAccount(connection, "rotating@demo.example", "developer");
  const old = await createKey(connection, "rotating@demo.example", "half replaced");
  const rotated = await rotateKey(connection, old.id, 24);
  for (const key of [keys.limited_api_key, keys.limited_api_key, keys.api_key]) {
    await connection.query("select public.admit_request($1)", [await hashKey(key)]);
  }
  const usage = [keys.api_key, keys.limited_api_key].map(async (key, index) => ({
    key_hash: await hashKey(key),
    at: new Date().toISOString(),
    endpoint: "grants-api",
    status: 200,
    latency_bucket_ms: 50,
    requests: 100 + index,
    duration_ms: 1234,
  }));
  await connection.query("select public.record_usage($1::jsonb)", [JSON.stringify(await Promise.all(usage))]);
  const secretsKey = generateSecretsKey();
  const webhook = await addWebhook(connection, secretsKey);

  const files = {
    "demo-keys.json": JSON.stringify(keys, null, 2),
    "webhook-secrets-key": `${secretsKey}\n`,
  };
  const about = { version: manifest.version, created_at: new Date().toISOString(), files };
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeBackup(connection, about, { table: () => undefined, leftOut: () => undefined })) {
    chunks.push(chunk);
  }
  await connection.close();
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}backup.sql.gz`, gzipSync(Buffer.concat(chunks), { level: 9 }));
  const secrets: Secrets = {
    keys,
    rotating: { old: old.key, new: rotated.key },
    webhook,
    webhook_secrets_key: secretsKey,
  };
  writeFileSync(`${folder}secrets.json`, `${JSON.stringify(secrets, null, 2)}\n`);
  const built = `${folder}built`;
  execFileSync("npx", ["vite", "build", "--config", "tests/upgrades/vite.config.ts", "--outDir", built], {
    stdio: "inherit",
  });
  const made = readdirSync(built, { recursive: true });
  if (made.length !== 1) throw new Error(`the functions are to be one file, not ${made.join(", ")}`);
  renameSync(`${built}/functions.js`, `${folder}functions.js`);
  rmSync(built, { recursive: true });
}

await main();
