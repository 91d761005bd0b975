import type { Connection } from "../database/connection.ts";
import { withoutStatementTimeout } from "../database/without-statement-timeout.ts";
import { datasets } from "./corpus.ts";
import type { Progress } from "./progress.ts";
import { segmentTables } from "./seal.ts";
import { buildVectorIndexes, dropVectorIndexes } from "./vector-index.ts";

/** Maximum wait for a lock. While it waits, new writers queue behind it; after it, they proceed before the next try. */
const lockTimeoutMs = 3_000;
/** SQLSTATEs of a lock timeout and of a deadlock. */
const lockFailureCodes = ["55P03", "40P01"];

/**
 * Adopts a prepared fit. Readers never wait. Writers wait while the prepared vectors are moved onto the records. A vector
 * index is clustered by the old vectors and would miss new ones, so the indexes are dropped before and built again after.
 * In between, semantic search scans every record, which is slower and just as correct.
 */
export async function adoptFit(connection: Connection, fit: string, progress: Progress): Promise<void> {
  progress.step("dropping the vector indexes");
  await dropVectorIndexes(connection);
  try {
    progress.step("adopting the new lexicon");
    await adoptWithRetries(connection, fit, progress);
  } finally {
    await buildVectorIndexes(connection, progress);
  }
  progress.step("deleting the old one");
  await connection.query("select funding.forget_fit()");
  // Cached pages too: PGlite has no autovacuum, and without it a table that has reached its bound stays there.
  for (const table of ["lexicon", "pages", ...segmentTables, ...datasets]) {
    await connection.execute(`vacuum (analyze) funding.${table}`);
  }
}

async function adoptWithRetries(connection: Connection, fit: string, progress: Progress): Promise<void> {
  for (;;) {
    try {
      return await withoutStatementTimeout(connection, async (transaction) => {
        await transaction.execute(`set local lock_timeout = '${lockTimeoutMs}ms'`);
        await transaction.query("select funding.adopt_fit($1)", [fit]);
      });
    } catch (error) {
      if (!lockFailureCodes.includes(String((error as { code?: unknown }).code))) throw error;
      progress.step("waiting for another transaction to end");
      await new Promise((resolve) => setTimeout(resolve, lockTimeoutMs));
    }
  }
}
