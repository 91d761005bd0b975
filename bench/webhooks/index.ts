import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, closeAfter } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { createEmbeddedRuntime } from "../../local/embedded/runtime.ts";
import { SessionLock } from "../../local/embedded/session.ts";
import { createRpcClient } from "../../shared/database/client.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import { withScratchDatabase } from "../relevance/scratch-database.ts";
import { benchWebhooks, measureDeliveryRate } from "./deliveries.ts";
import { measureImportCost } from "./import-cost.ts";
import { startReceiver } from "./receiver-process.ts";

/** A native stack, as tests/native/stack.sh starts one. */
export interface NativeStack {
  url: string;
  serviceKey: string;
  databaseUrl: string;
}

export interface WebhookMeasures {
  /** Deliveries a second: the receiver alone, and each stack. */
  rates: object[];
  /** Times of an import without and with events. */
  costs: object[];
}

/**
 * Measures webhook deliveries a second, beside the requests a second that the receiver takes from a bare client in the
 * same run; and the time that recording events adds to an import.
 *
 * @param events deliveries to make.
 * @param records records of the imports; 0 skips them.
 * @param native native stack; skipped if absent.
 */
export async function measureWebhooks(events: number, records: number, native?: NativeStack): Promise<WebhookMeasures> {
  const receiver = await startReceiver();
  try {
    const ceiling = await receiver.measureCeiling(events);
    const rates: object[] = [{ stack: "the receiver alone", "deliveries/s": Math.round(ceiling), share: "" }];
    const costs: object[] = [];
    const measure = async (stack: string, connection: Connection, database: RpcClient) => {
      const rate = await measureDeliveryRate(connection, database, receiver, events);
      rates.push({ stack, "deliveries/s": Math.round(rate), share: `${Math.round((100 * rate) / ceiling)} %` });
    };

    await withEmbedded(async (connection, database) => {
      await measure("embedded", connection, database);
      if (records > 0) costs.push({ stack: "embedded", ...(await measureImportCost(connection, records)) });
    });
    if (native !== undefined) {
      await closeAfter(await connectPostgres(native.databaseUrl), (connection) =>
        measure("native", connection, createRpcClient(native)),
      );
      if (records > 0) {
        await withScratchDatabase(native.databaseUrl, async (scratch) => {
          await migrate(scratch);
          costs.push({ stack: "native", ...(await measureImportCost(scratch, records)) });
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
    await closeAfter(pgliteConnection(pglite), async (connection) => {
      await migrate(connection);
      await work(connection, createEmbeddedRuntime(new SessionLock(pglite), "", benchWebhooks).database);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
