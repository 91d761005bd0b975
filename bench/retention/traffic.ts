import { createAccount } from "../../database/accounts/accounts.ts";
import type { Connection } from "../../database/connection.ts";
import { latencyBucketMs, slowestBucketMs } from "../../shared/usage/recorder.ts";

/** How much happens on a simulated day. */
export interface DailyTraffic {
  requests: number;
  keys: number;
  changes: number;
}

/** Webhook endpoints; each gets a delivery of each event. */
const webhookEndpoints = 1;
/** Changes that go through `upsert_records`; the day's others are copies of their rows. */
const importedChanges = 100;
/** Batches in which a day's usage is written. A counter that is in several is updated. */
const usageBatches = 4;
const importsPerDay = 8;
const noticesPerDay = 100;
const stripeEventsPerDay = 50;
const queryVectorsPerDay = 60;
const endpoints: readonly [string, number][] = [
  ["grants-api", 0.45],
  ["semantic-search", 0.2],
  ["grants-api/{id}", 0.15],
  ["contracts-api", 0.1],
  ["funders-api", 0.06],
  ["mcp", 0.04],
];
const statuses: readonly [number, number][] = [
  [200, 0.93],
  [304, 0.03],
  [400, 0.02],
  [404, 0.01],
  [429, 0.007],
  [503, 0.003],
];

/** Accounts with keys, five each and half of them with a quota, webhooks, and a catalogue of records. */
export async function prepareTraffic(connection: Connection, { keys }: DailyTraffic): Promise<string[]> {
  await connection.execute("insert into funding.tiers values ('metered', true, 1000000)");
  for (let account = 0; account < keys / 5; account++) {
    await createAccount(connection, `bench-${account}@example.org`, account % 2 === 0 ? "developer" : "metered");
  }
  const ids = await connection.query<{ id: string }>(
    `insert into funding.api_keys (account_id, name, key_hash, display)
     select account.id, 'key ' || number, encode(sha256((account.email || number)::bytea), 'hex'), 'k'
     from funding.accounts as account cross join generate_series(1, 5) as number
     returning id`,
  );
  await connection.query(
    `insert into funding.webhook_endpoints (id, account_id, url, events, secret)
     select gen_random_uuid(), account.id, 'https://hooks.example.org/' || account.id, '{grant.created,grant.updated}', 'sealed'
     from funding.accounts as account where email like '%0@example.org' limit $1`,
    [webhookEndpoints],
  );
  await importChanges(connection, 0);
  return ids.slice(0, keys).map(({ id }) => id);
}

/** Lets a day's traffic come in, as requests, imports and the dispatcher write it. */
export async function runDay(
  connection: Connection,
  day: Date,
  keyIds: readonly string[],
  { requests, changes }: DailyTraffic,
): Promise<void> {
  const writer = crypto.randomUUID();
  for (let batch = 1; batch <= usageBatches; batch++) {
    const counters = usageCounters(keyIds, Math.round(requests / usageBatches), new Date(day.getTime() + batch));
    await connection.query("select public.record_usage($1::jsonb, $2, $3)", [JSON.stringify(counters), writer, batch]);
  }
  await connection.execute("update funding.usage_writers set written_at = created_at where written_at <> created_at");
  await connection.query(
    `insert into funding.daily_quota (account_id, day, used)
     select account_id, funding.quota_day(), 500 from funding.subscriptions where tier = 'metered'`,
  );
  await importChanges(connection, day.getTime());
  await multiplyChanges(connection, changes);
  await deliver(connection, changes);
  for (let run = 0; run < importsPerDay; run++) {
    await connection.query(
      `select funding.finish_import(funding.start_import('source-' || $1, 'csv', '{grants}', 'daily.csv', true, funding.wall_clock()),
         'completed', '{"read": 5000, "grants": {"inserted": 120, "updated": 130, "unchanged": 4750, "archived": 0}}', null, true)`,
      [run],
    );
  }
  await connection.query(
    `insert into funding.deadline_notices (endpoint_id, record_id, days, noted_at)
     select endpoint.id, gen_random_uuid(), 7, funding.wall_clock()
     from (select id from funding.webhook_endpoints limit 1) as endpoint, generate_series(1, $1)`,
    [noticesPerDay],
  );
  await connection.query(
    "insert into funding.stripe_events (id) select 'evt_' || gen_random_uuid() from generate_series(1, $1)",
    [stripeEventsPerDay],
  );
  await connection.query(
    `select funding.cache_query_vector('bench', sha256(gen_random_uuid()::text::bytea), vector.of)
     from (select array_agg(random())::extensions.halfvec as of from generate_series(1, 384)) as vector, generate_series(1, $1)`,
    [queryVectorsPerDay],
  );
}

/** Draws requests: few keys send many, most few, and response times are around 20 ms. */
function usageCounters(keyIds: readonly string[], requests: number, at: Date): object[] {
  const counters = new Map<string, { requests: number; duration_ms: number } & Record<string, unknown>>();
  for (let request = 0; request < requests; request++) {
    const api_key_id = keyIds[Math.floor(keyIds.length ** Math.random()) - 1] ?? keyIds[0];
    const endpoint = draw(endpoints);
    const status = draw(statuses);
    const elapsedMs = 20 * Math.exp(Math.random() + Math.random() + Math.random() - 1.5);
    const latency_bucket_ms = Math.random() < 0.0005 ? slowestBucketMs : latencyBucketMs(elapsedMs);
    const name = `${api_key_id} ${endpoint} ${status} ${latency_bucket_ms}`;
    const known = counters.get(name);
    if (known === undefined) {
      const counter = { api_key_id, at, endpoint, status, latency_bucket_ms, requests: 1, duration_ms: elapsedMs };
      counters.set(name, counter);
    } else {
      known.requests += 1;
      known.duration_ms += elapsedMs;
    }
  }
  return [...counters.values()];
}

function draw<Value>(shares: readonly [Value, number][]): Value {
  let rest = Math.random();
  for (const [value, share] of shares) {
    rest -= share;
    if (rest < 0) return value;
  }
  return (shares[0] as [Value, number])[0];
}

/** Imports records whose deadline and text are those of the version. */
async function importChanges(connection: Connection, version: number): Promise<void> {
  const deadline = new Date(Date.UTC(2030, 0, 1) + (version % 1e11) / 100).toISOString().slice(0, 10);
  const records = Array.from({ length: importedChanges }, (_, index) => ({
    source: "bench",
    source_id: String(index),
    title: `Clean water for town ${index}`,
    description: `${"Pipes, pumps and treatment plants for small towns. ".repeat(20)} Version ${version}.`,
    amount_max: 80_000 + (version % 1000),
    deadline_date: deadline,
    status: "open",
    classification: "opportunity",
    states: ["OH"],
    is_national: false,
    categories: ["Environment"],
    identifiers: [`EPA-${index}`],
    funder_name: "Water Office",
    created_at: "2026-06-01T00:00:00Z",
  }));
  await connection.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify(records)]);
}

/** Copies the day's changes and events until there are as many as asked for. */
async function multiplyChanges(connection: Connection, changes: number): Promise<void> {
  const copies = Math.round(changes / importedChanges) - 1;
  await connection.query(
    `insert into funding.record_changes (dataset, record_id, previous)
     select dataset, record_id, previous from funding.record_changes, generate_series(1, $1)
     where changed_at = (select funding.wall_clock())`,
    [copies],
  );
  await connection.query(
    `insert into funding.events (event, dataset, record_id)
     select event, dataset, record_id from funding.events, generate_series(1, $1) where created_at = (select funding.wall_clock())`,
    [copies],
  );
}

/** Fans out the day's events as the dispatcher does, and notes a successful attempt of each delivery. */
async function deliver(connection: Connection, changes: number): Promise<void> {
  for (let fannedOut = 0; fannedOut < changes; fannedOut += 500) {
    await connection.query("select public.fan_out_events(500)");
  }
  await connection.query(
    `with delivered as (
       update funding.webhook_deliveries set state = 'succeeded', attempts = 1, finished_at = funding.wall_clock()
       where state = 'pending' returning endpoint_id, event_id
     )
     insert into funding.webhook_attempts
       (endpoint_id, event_id, number, url, started_at, duration_ms, status, request_headers, response_headers, response_body)
     select endpoint_id, event_id, 1, 'https://hooks.example.org/funding', funding.wall_clock(), 83, 200,
            jsonb_build_object('Content-Type', 'application/json; charset=utf-8', 'User-Agent', 'Funding-Opportunities-Webhooks/1',
              'X-Service-Signature', 'sha256=' || repeat('a', 64), 'webhook-id', event_id, 'webhook-timestamp', '1790000000',
              'webhook-signature', 'v1,' || repeat('b', 44)),
            '{"content-type": "text/plain", "content-length": "2", "date": "Mon, 23 Nov 2026 02:00:00 GMT"}', 'ok'
     from delivered`,
  );
}
