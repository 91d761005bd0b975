import { createAccount } from "../../database/accounts/accounts.ts";
import { type Connection, queryOne } from "../../database/connection.ts";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import type { WebhookPlatform } from "../../functions/dispatch/webhook-platform.ts";
import { createNodeTransport } from "../../local/embedded/node-transport.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import { silentLog } from "../../shared/log/log.ts";
import { createSecretBox, generateSecret, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
import { type BenchReceiver, concurrency } from "./receiver-process.ts";
import { generateBatches, writeBatches } from "./records.ts";

const secrets = createSecretBox(generateSecretsKey());

export const benchWebhooks: WebhookPlatform = {
  secrets,
  transport: createNodeTransport({ allowLoopback: true }),
  dispatchSecret: undefined,
  concurrency,
  allowLoopback: true,
};

/** Number of endpoints. One alone would be limited by its concurrent attempts. */
const endpoints = 16;

/**
 * Measures deliveries a second, from written events to succeeded deliveries: fan-out, claims, sending, results.
 *
 * @param deliveries how many at most: records that are no opportunity, or another version of one, have none.
 */
export async function measureDeliveryRate(
  connection: Connection,
  database: RpcClient,
  { url }: BenchReceiver,
  deliveries: number,
): Promise<number> {
  // Only new records make events.
  const source = `bench-${crypto.randomUUID()}`;
  const accounts: string[] = [];
  for (let index = 0; index < endpoints; index++) accounts.push(await subscribe(connection, `${url}/${index}`));
  await writeBatches(connection, generateBatches(source, Math.ceil(deliveries / endpoints)));
  const started = performance.now();
  const { succeeded } = await dispatch({ database, webhooks: benchWebhooks, log: silentLog, budgetMs: 300_000 });
  const seconds = (performance.now() - started) / 1000;
  const { made } = await queryOne<{ made: number }>(
    connection,
    "select count(*)::integer as made from funding.webhook_deliveries",
  );
  await connection.query("delete from funding.grants where source = $1", [source]);
  await connection.query("delete from funding.events", []);
  if (succeeded === 0 || succeeded < made) {
    const errors = await connection.query(
      "select error, message, count(*) from funding.webhook_attempts group by 1, 2",
    );
    throw new Error(
      `${succeeded} of ${made} deliveries succeeded: ${JSON.stringify(errors.map((row) => Object.values(row as object).join(" ")))}`,
    );
  }
  await connection.query("delete from funding.accounts where id = any ($1)", [accounts]);
  await connection.query("delete from funding.events", []);
  return succeeded / seconds;
}

/** Creates an account with one endpoint for new and changed grants. Returns the account's id. */
export async function subscribe(
  connection: Connection,
  url: string,
  filters: Record<string, unknown> = {},
): Promise<string> {
  const email = `bench-${crypto.randomUUID()}@example.org`;
  await createAccount(connection, email, "developer");
  const { id } = await queryOne<{ id: string }>(connection, "select id from funding.accounts where email = $1", [
    email,
  ]);
  const webhookId = crypto.randomUUID();
  const webhook = {
    id: webhookId,
    url,
    description: "",
    events: ["grant.created", "grant.updated", "contract.created", "funder.created"],
    filters,
    deadline_days: [7],
    secret: await secrets.seal(generateSecret(), webhookId),
  };
  await connection.query("select funding.create_webhook($1, $2::jsonb)", [id, JSON.stringify(webhook)]);
  return id;
}
