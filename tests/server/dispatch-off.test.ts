import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connection, closeAfter, queryOne } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { createSecretBox, generateSecret } from "../../shared/webhooks/secret-box.ts";
import { waitUntil } from "../support/wait-until.ts";
import { openReceiver, type Receiver } from "../webhooks/receiver.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";

const dispatchSecret = "of-the-tests";
const batchSize = 100;

let folder: string;
let data: string;
let receiver: Receiver;
let server: ServerProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-dispatch-off-"));
  data = await copyDemoFolder(join(folder, "data"));
  receiver = await openReceiver();
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(environment: Record<string, string>): Promise<ServerProcess> {
  const port = String(await freePort());
  const settings = { DATA_DIR: data, PORT: port, WEBHOOKS_ALLOW_LOOPBACK: "true", DISPATCH_SECRET: dispatchSecret };
  return startServer({ ...settings, ...environment });
}

async function withDatabase<Result>({ ready }: ServerProcess, work: (connection: Connection) => Promise<Result>) {
  return closeAfter(await connectPostgres(ready.database_url), work);
}

/** Creates a webhook of the demo account for new grants. */
async function subscribe(connection: Connection): Promise<void> {
  const id = crypto.randomUUID();
  const secrets = createSecretBox((await readFile(join(data, "webhook-secrets-key"), "utf8")).trim());
  const webhook = {
    id,
    url: receiver.url,
    description: "of the tests",
    events: ["grant.created"],
    filters: {},
    deadline_days: [7],
    secret: await secrets.seal(generateSecret(), id),
  };
  await connection.query("select funding.create_webhook(funding.account_id('developer@demo.example'), $1)", [
    JSON.stringify(webhook),
  ]);
}

/** Writes new grants, as many as make a segment, and waits until they are indexed. */
async function load(connection: Connection, batch: string): Promise<void> {
  const grants = Array.from({ length: batchSize }, (_, index) => ({
    source: batch,
    source_id: String(index),
    title: `Bridges of town ${index}`,
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
  await waitUntil(async () => {
    const { are_sealed } = await queryOne<{ are_sealed: boolean }>(
      connection,
      "select bool_and(slot < funding.sealed_end('grants')) as are_sealed from funding.grants where source = $1",
      [batch],
    );
    return are_sealed;
  }, `the records of ${batch} are indexed`);
}

/** Events that wait, and rows of Stripe's events, one of which is past its retention. */
const readState = (connection: Connection) =>
  queryOne<{ waiting: number; deliveries: number; old: number }>(
    connection,
    `select (select count(*)::int from funding.events where fanned_out_at is null) as waiting,
            (select count(*)::int from funding.webhook_deliveries) as deliveries,
            (select count(*)::int from funding.stripe_events) as old`,
  );

// Regression: a restored backup that somebody tried out sent webhooks to real customers.
test("with DISPATCH=off a server indexes new records, sends nothing and deletes nothing; without, all that waits goes out", async () => {
  server = await start({ DISPATCH: "off" });
  expect(server.output.stderr).toContain(
    "DISPATCH=off: nothing is sent, no webhooks and no digests, and old rows are not deleted.",
  );
  await withDatabase(server, async (connection) => {
    await subscribe(connection);
    await connection.execute("insert into funding.stripe_events values ('evt_old', now() - interval '60 days')");
    await load(connection, "first");
  });
  await server.end("SIGTERM");

  // The dispatcher would delete old rows at its start, and make deliveries of events long before the second batch is indexed.
  server = await start({ DISPATCH: "off" });
  await withDatabase(server, async (connection) => {
    await load(connection, "second");
    expect(await readState(connection)).toEqual({ waiting: 2 * batchSize, deliveries: 0, old: 1 });
  });
  const dispatched = await fetch(`${server.ready.base_url}/dispatch`, {
    method: "POST",
    headers: { authorization: `Bearer ${dispatchSecret}` },
  });
  expect(dispatched.status).toBe(503);
  expect(receiver.received).toEqual([]);
  await server.end("SIGTERM");

  server = await start({});
  expect(server.output.stderr).not.toContain("DISPATCH=off");
  const countReceived = () => new Set(receiver.received.map(({ payload }) => payload.id)).size;
  await waitUntil(() => countReceived() === 2 * batchSize, "all events arrive");
  await withDatabase(server, (connection) =>
    waitUntil(async () => (await readState(connection)).old === 0, "the old row is deleted"),
  );
});
