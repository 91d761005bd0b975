import { type Connection, queryOne } from "../database/connection.ts";
import { datasets } from "./corpus.ts";
import type { Progress } from "./progress.ts";

/** Drops the datasets' vector indexes. Nobody waits for it. */
export async function dropVectorIndexes(connection: Connection): Promise<void> {
  for (const dataset of datasets) {
    await connection.execute(`drop index concurrently if exists funding.${dataset}_embedding`);
  }
}

/** Builds the vector index of each dataset that is large enough to need one. Nobody waits for it. */
export async function buildVectorIndexes(connection: Connection, progress: Progress): Promise<void> {
  for (const dataset of datasets) {
    const { lists, memory, statement } = await queryOne<{ lists: number | null; memory: string; statement: string }>(
      connection,
      `select lists, funding.vector_index_memory(lists) as memory, funding.vector_index_statement($1, lists, true) as statement
       from funding.vector_index_lists($1) as lists`,
      [dataset],
    );
    if (lists === null) continue;
    progress.step(`building the vector index of the ${dataset}`);
    await connection.query("select set_config('maintenance_work_mem', $1, false)", [memory]);
    try {
      await connection.execute(statement);
    } catch (error) {
      // What is left of it would be in the way of the next.
      await connection.execute(`drop index concurrently if exists funding.${dataset}_embedding`);
      throw error;
    } finally {
      await connection.execute("reset maintenance_work_mem");
    }
  }
}
