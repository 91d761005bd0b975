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
    const { statement } = await queryOne<{ statement: string | null }>(
      connection,
      "select funding.vector_index_statement($1, true) as statement",
      [dataset],
    );
    if (statement === null) continue;
    progress.step(`building the vector index of the ${dataset}`);
    await connection.execute(statement);
  }
}
