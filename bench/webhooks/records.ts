import type { Connection } from "../../database/connection.ts";
import { batchesOf } from "../../ingest/batches.ts";
import { demoGrants } from "../../local/demo/generate.ts";

const batchSize = 500;

/** Generates grants with this `source`, as JSON batches for {@link writeBatches}. */
export function generateBatches(source: string, count: number): string[] {
  const batches = batchesOf(demoGrants({ grants: count }), batchSize);
  return Array.from(batches, (batch) => JSON.stringify(batch.map((record) => ({ ...record, source }))));
}

/** Writes batches as an import does. */
export async function writeBatches(connection: Connection, batches: readonly string[]): Promise<void> {
  for (const batch of batches) {
    await connection.query("select funding.upsert_records('grants', $1::jsonb)", [batch]);
  }
}
