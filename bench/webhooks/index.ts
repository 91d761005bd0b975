import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** A native stack, as tests/native/stack.sh starts one. */
export interface NativeStack {
  url: string;
  serviceKey: string;
  databaseUrl: string;
}

export interface WebhookMeasures {
  /** Deliveries a second: of the receiver alone, and of each stack. */
  rates: object[];
  /** What events cost an import. */
  costs: object[];
}

/**
 * Measures webhook deliveries a second, beside what the receiver takes from a client that does nothing else, in the same
 * run; and what events cost an import.
 *
 * @param events deliveries to make.
 * @param records records of the imports; 0 leaves them out.
 * @param native is left out when there is none.
 */
export async function measureWebhooks(events: number, records: number, native?: NativeStack): Promise<WebhookMeasures> {
  const receiver = await startReceiver();
  try {
    const ceiling = await receiver.ceiling(events);
    const rates: object[] = [{ stack: "the receiver alone", "deliveries/s": Math.round(ceiling), share: "" }];
    const costs: object[] = [];
    const measure = async (stack: string, connection: Connection, database: RpcClient) => {
      const rate = await deliveriesPerSecond(connection, database, receiver, events);
      rates.push({ stack, "deliveries/s": Math.round(rate), share: `${Math.round((100 * rate) / ceiling)} %` });
    };

    await withEmbedded(async (connection, database) => {
      await measure("embedded", connection, database);
      if (records > 0) costs.push({ stack: "embedded", ...(await importCost(connection, records)) });
    });
    if (native !== undefined) {
      const connection = await connectPostgres(native.databaseUrl);
      await measure("native", connection, createRpcClient(native));
      await connection.close();
      if (records > 0) {
        await withScratchDatabase(native.databaseUrl, async (scratch) => {
          await migrate(scratch);
          costs.push({ stack: "native", ...(await importCost(scratch, records)) });
        });
      }
    }
    return { rates, costs };
  } finally {
    receiver.stop();
  }
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
