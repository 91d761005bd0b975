/**
 * Measures webhook deliveries a second, beside what the receiver takes from a client that does nothing else, in the same
 * run; and what events cost an import.
 *
 * usage: npm run bench:webhooks -- [--supabase-url URL --service-key KEY --database-url URL] [--events N] [--records N]
 *
 * --supabase-url ...  a native stack (tests/native/stack.sh); without it only the embedded one is measured
 * --events            deliveries to make, default 4000
 * --records           records of the imports, default 8000; 0 leaves them out
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { textTable } from "../../cli/table.ts";
import type { Connection } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { createEmbeddedRuntime } from "../../local/embedded/runtime.ts";
import { SessionLock } from "../../local/embedded/session.ts";
import { createRpcClient } from "../../shared/database/client.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import { withScratchDatabase } from "../relevance/scratch-database.ts";
import { benchWebhooks, deliveriesPerSecond } from "./deliveries.ts";
import { importCost } from "./import-cost.ts";
import { startReceiver } from "./receiver-process.ts";

const { values } = parseArgs({
  options: {
    "supabase-url": { type: "string" },
    "service-key": { type: "string" },
    "database-url": { type: "string" },
    events: { type: "string", default: "4000" },
    records: { type: "string", default: "8000" },
  },
});
const events = Number(values.events);
const records = Number(values.records);
const receiver = await startReceiver();

try {
  const rows: object[] = [];
  const costs: object[] = [];
  const ceiling = await receiver.ceiling(events);
  rows.push({ stack: "the receiver alone", "deliveries/s": Math.round(ceiling), share: "" });

  await withEmbedded(async (connection, database) => {
    await measure("embedded", connection, database);
    if (records > 0) costs.push({ stack: "embedded", ...(await importCost(connection, records)) });
  });
  const { "supabase-url": url, "service-key": serviceKey, "database-url": databaseUrl } = values;
  if (url !== undefined && serviceKey !== undefined && databaseUrl !== undefined) {
    const connection = await connectPostgres(databaseUrl);
    await measure("native", connection, createRpcClient({ url, serviceKey }));
    await connection.close();
    if (records > 0) {
      await withScratchDatabase(databaseUrl, async (scratch) => {
        await migrate(scratch);
        costs.push({ stack: "native", ...(await importCost(scratch, records)) });
      });
    }
  }
  console.log(textTable(rows));
  if (costs.length > 0) console.log(`\nan import of ${records} records, medians of 3\n\n${textTable(costs)}`);

  async function measure(stack: string, connection: Connection, database: RpcClient): Promise<void> {
    const rate = await deliveriesPerSecond(connection, database, receiver, events);
    rows.push({ stack, "deliveries/s": Math.round(rate), share: `${Math.round((100 * rate) / ceiling)} %` });
  }
} finally {
  receiver.stop();
}

async function withEmbedded(work: (connection: Connection, database: RpcClient) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "webhooks-bench-"));
  try {
    const pglite = await openPGlite(join(folder, "postgres"));
    const connection = pgliteConnection(pglite);
    await migrate(connection);
    await work(connection, createEmbeddedRuntime(new SessionLock(pglite), "", benchWebhooks).database);
    await connection.close();
  } finally {
    await rm(folder, { recursive: true });
  }
}
