import type { Connection } from "../../database/connection.ts";
import { Retention } from "../../functions/dispatch/retention.ts";
import type { RpcClient } from "../../shared/database/rpc.ts";
import { type Log, silentLog } from "../../shared/log/log.ts";

/** Runs the dispatcher's retention until it finds nothing more. */
export async function pruneAll(database: RpcClient, log: Log = silentLog): Promise<void> {
  const retention = new Retention({ database, log, isOver: () => false });
  while ((await retention.runBatch()).found > 0);
}

/** Deletes or rolls up one batch of a table. @returns how many rows. */
export async function pruneBatch(connection: Connection, table: string, maximum: number): Promise<number> {
  const [row] = await connection.query<{ result: { rows: number } }>("select public.prune_table($1, $2) as result", [
    table,
    maximum,
  ]);
  return row?.result.rows ?? Number.NaN;
}
