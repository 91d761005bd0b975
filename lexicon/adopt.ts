import type { Connection } from "../database/connection.ts";
import { unhurried } from "../database/unhurried.ts";
import { datasets } from "./corpus.ts";
import type { Progress } from "./progress.ts";
import { buildVectorIndexes, dropVectorIndexes } from "./vector-index.ts";

/** How long to stand in front of new writers while an old one holds a table, before letting them pass. */
const lockTimeoutMs = 3_000;
/** What Postgres raises when a lock is not to be had in time, or two wait for each other. */
const lockFailures = ["55P03", "40P01"];

/**
 * Puts a prepared fit in force. Readers never wait; writers do, while what was prepared is moved onto the
 * records. A vector index knows where the old vectors lay and would miss new ones, so it is dropped before and
 * built after; in between, searches by meaning look at every record, which is slower and no less right.
 */
export async function adoptFit(connection: Connection, fit: string, progress: Progress): Promise<void> {
  progress.step("dropping the vector indexes");
  await dropVectorIndexes(connection);
  try {
    progress.step("putting the new lexicon in force");
    await adoptWhenFree(connection, fit, progress);
  } finally {
    await buildVectorIndexes(connection, progress);
  }
  progress.step("clearing away the old one");
  await connection.query("select funding.forget_fit()");
  const bitmaps = ["bitmaps", "ranks", "ranked_values", "order_slices", "retired_numbers"];
  for (const table of ["lexicon", "postings", ...bitmaps, ...datasets]) {
    await connection.execute(`vacuum (analyze) funding.${table}`);
  }
}

async function adoptWhenFree(connection: Connection, fit: string, progress: Progress): Promise<void> {
  for (;;) {
    try {
      return await unhurried(connection, async (transaction) => {
        await transaction.execute(`set local lock_timeout = '${lockTimeoutMs}ms'`);
        await transaction.query("select funding.adopt_fit($1)", [fit]);
      });
    } catch (error) {
      if (!lockFailures.includes(String((error as { code?: unknown }).code))) throw error;
      progress.step("waiting for somebody else's transaction to end");
      await new Promise((resolve) => setTimeout(resolve, lockTimeoutMs));
    }
  }
}
