import pg from "pg";
import { createAccount } from "../../../database/accounts/accounts.ts";
import { connectPostgres } from "../../../database/postgres.ts";
import { webhookBodies } from "../../../functions/account-api/webhook-bodies.ts";
import { createSecretBox, generateSecret, generateSecretsKey } from "../../../shared/webhooks/secret-box.ts";
import type { WebhookRequest } from "../webhook-service.ts";

const databaseUrl = process.env.DATABASE_URL ?? missing();

function missing(): never {
  throw new Error("DATABASE_URL must name a database: tests/webhooks/run.sh makes one.");
}

/** The database of the proofs, and what they do to it. */
export interface NativeDatabase {
  secretsKey: string;
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** One value of one row. */
  value<Value>(text: string, values?: unknown[]): Promise<Value>;
  /** A session of its own, for what waits or is left open. */
  session(): Promise<pg.Client>;
  /** A new account with one endpoint; gives the endpoint's id and its secret. */
  subscribe(request: WebhookRequest): Promise<{ id: string; secret: string }>;
  /** Changes a setting until `close`. */
  set(setting: string, value: unknown): Promise<void>;
  /** Removes what earlier proofs left: endpoints, and with them deliveries, and events. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

let accounts = 0;

export async function openNative(): Promise<NativeDatabase> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const connection = await connectPostgres(databaseUrl);
  const secretsKey = generateSecretsKey();
  const box = createSecretBox(secretsKey);
  /** The previous settings. */
  const before = new Map<string, unknown>();
  const query = async <Row>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as Row[];
  return {
    secretsKey,
    query,
    async value(text, values) {
      const [row] = await query<Record<string, never>>(text, values);
      return Object.values(row ?? {})[0] as never;
    },
    async session() {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    },
    async subscribe(request) {
      const email = `webhooks-${Date.now()}-${++accounts}@example.org`;
      await createAccount(connection, email, "developer");
      const id = crypto.randomUUID();
      const secret = generateSecret();
      const webhook = { ...webhookBodies(true).create.schema.parse(request), id, secret: await box.seal(secret, id) };
      await query("select funding.create_webhook((select id from funding.accounts where email = $1), $2::jsonb)", [
        email,
        JSON.stringify(webhook),
      ]);
      return { id, secret };
    },
    async set(setting, value) {
      const [stored] = await query<{ value: unknown }>("select value from funding.settings where name = $1", [setting]);
      if (!before.has(setting)) before.set(setting, stored?.value);
      await query("update funding.settings set value = $2::jsonb where name = $1", [setting, JSON.stringify(value)]);
    },
    async clear() {
      await query("delete from funding.webhook_endpoints");
      await query("delete from funding.events");
    },
    async close() {
      await query("delete from funding.webhook_endpoints");
      await query("delete from funding.events");
      for (const [setting, value] of before) {
        await query("update funding.settings set value = $2::jsonb where name = $1", [setting, JSON.stringify(value)]);
      }
      await connection.close();
      await pool.end();
    },
  };
}

/** Writes grants as an import does, in batches of 500, whose source ids begin with `prefix`. */
export async function loadGrants(database: NativeDatabase, prefix: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += 500) {
    const batch = Array.from({ length: Math.min(500, count - first) }, (_, index) => ({
      source: "webhook-proof",
      source_id: `${prefix}-${first + index}`,
      title: `Clean water for town ${first + index}`,
      description: "Pipes and treatment plants.",
      amount_min: 10_000,
      amount_max: 80_000,
      deadline_date: "2031-07-01",
      status: "open",
      classification: "opportunity",
      states: [],
      is_national: true,
      geography: null,
      project_end_date: null,
      listing_url: null,
      funder_name: "Water Office",
      funder_source_id: null,
      created_at: "2026-06-01T00:00:00Z",
      categories: [prefix],
      identifiers: [],
      archived_at: null,
    }));
    await database.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify(batch)]);
  }
}
