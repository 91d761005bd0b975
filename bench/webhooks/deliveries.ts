import { createAccount } from "../../accounts/accounts.ts";
import { type Connection, queryOne } from "../../database/connection.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import { silentLog } from "../../shared/log/log.ts";
import { createNodeTransport } from "../../shared/platform/node-transport.ts";
import { dispatch } from "../../shared/webhooks/dispatcher.ts";
import type { WebhookPlatform } from "../../shared/webhooks/platform.ts";
import { generateSecret } from "../../shared/webhooks/secret.ts";
import { createSecretBox, generateSecretsKey } from "../../shared/webhooks/secret-box.ts";
import { type BenchReceiver, concurrency } from "./receiver-process.ts";
import { benchGrants } from "./records.ts";

const secrets = createSecretBox(generateSecretsKey());

export const benchWebhooks: WebhookPlatform = {
  secrets,
  transport: createNodeTransport({ allowLoopback: true }),
  dispatchSecret: undefined,
  concurrency,
  allowLoopback: true,
};

/** Endpoints that the deliveries go to: one alone is bounded by its attempts at a time. */
const endpoints = 16;

/** Deliveries a second from written events to succeeded deliveries: fan-out, claims, sending, results. */
export async function deliveriesPerSecond(
  connection: Connection,
  database: RpcClient,
  { url }: BenchReceiver,
  deliveries: number,
): Promise<number> {
  // Records that were there before would make no events.
  const source = `bench-${crypto.randomUUID()}`;
  const accounts: string[] = [];
  for (let place = 0; place < endpoints; place++) accounts.push(await subscribe(connection, `${url}/${place}`));
  for (const batch of benchGrants(source, Math.ceil(deliveries / endpoints))) {
    await connection.query("select funding.upsert_records('grants', $1::jsonb)", [batch]);
  }
  const started = performance.now();
  const { succeeded } = await dispatch({ database, webhooks: benchWebhooks, log: silentLog, budgetMs: 300_000 });
  const seconds = (performance.now() - started) / 1000;
  await connection.query("delete from funding.grants where source = $1", [source]);
  await connection.query("delete from funding.events", []);
  if (succeeded < deliveries) {
    const errors = await connection.query(
      "select error, message, count(*) from funding.webhook_attempts group by 1, 2",
    );
    throw new Error(
      `${succeeded} of ${deliveries} deliveries succeeded: ${JSON.stringify(errors.map((row) => Object.values(row as object).join(" ")))}`,
    );
  }
  await connection.query("delete from funding.accounts where id = any ($1)", [accounts]);
  await connection.query("delete from funding.events", []);
  if (succeeded < deliveries)
    console.log(
      await connection.query("select a.error, a.message, count(*) from funding.webhook_attempts a group by 1,2"),
      await connection.query(
        "select state, attempts, failures, claimed_until is not null as c, count(*) from funding.webhook_deliveries group by 1,2,3,4",
      ),
      await connection.query("select failures_in_a_row, retry_at, state from funding.webhook_endpoints"),
    );
  return succeeded / seconds;
}

/** An account with one endpoint for new and changed grants; gives the account's id. */
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
