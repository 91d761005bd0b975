import type { Connection } from "../database/connection.ts";
import { datasets } from "./corpus.ts";
import type { Progress } from "./progress.ts";

/** A vector index of a dataset, as the database plans it. `lists` is null when it should have none. */
interface VectorIndex {
  name: string;
  lists: number | null;
  memory: string;
  statement: string;
}

const readIndexes = (connection: Connection, dataset: string): Promise<VectorIndex[]> =>
  connection.query(
    `select name, lists, funding.vector_index_memory(lists) as memory,
            funding.vector_index_statement($1, name, condition, lists, true) as statement
     from funding.vector_indexes($1)`,
    [dataset],
  );

/** Drops the datasets' vector indexes, concurrently with readers and writers. */
export async function dropVectorIndexes(connection: Connection): Promise<void> {
  for (const dataset of datasets) {
    for (const { name } of await readIndexes(connection, dataset)) await dropIndex(connection, name);
  }
}

/** Builds the vector indexes of datasets that are large enough for them, concurrently with readers and writers. */
export async function buildVectorIndexes(connection: Connection, progress: Progress): Promise<void> {
  for (const dataset of datasets) {
    for (const { name, lists, memory, statement } of await readIndexes(connection, dataset)) {
      if (lists === null) continue;
      progress.step(`building the vector index ${name}`);
      await connection.query("select set_config('maintenance_work_mem', $1, false)", [memory]);
      try {
        await connection.execute(statement);
      } catch (error) {
        // The invalid index that is left would block the next build.
        await dropIndex(connection, name);
        throw error;
      } finally {
        await connection.execute("reset maintenance_work_mem");
      }
    }
  }
}

const dropIndex = (connection: Connection, name: string) =>
  connection.execute(`drop index concurrently if exists funding.${name}`);
