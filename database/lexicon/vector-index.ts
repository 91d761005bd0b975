import type { Connection } from "../connection.ts";
import { withoutSessionTimeout } from "../without-statement-timeout.ts";
import { datasets } from "./corpus.ts";
import type { Progress } from "./progress.ts";

/** A vector index of a table of vectors, as the database plans it. `lists` is null when it should have none. */
interface VectorIndex {
  name: string;
  lists: number | null;
  memory: string;
  statement: string;
}

/** Drops the vector indexes of the tables that are not searched. Readers and writers do not wait. */
export async function dropUnusedVectorIndexes(connection: Connection): Promise<void> {
  const indexes = await connection.query<{ name: string }>(
    `select relation.relname as name
     from funding.lexicon_fit as fit
     cross join unnest($1::text[]) as dataset
     join pg_index on indrelid = to_regclass('funding.' || funding.vectors_table(dataset, 1 - fit.vectors))
     join pg_class as relation on relation.oid = indexrelid
     join pg_am on pg_am.oid = relation.relam and amname = 'ivfflat'`,
    [[...datasets]],
  );
  for (const { name } of indexes) await dropIndex(connection, name);
}

/**
 * Builds the vector indexes of the tables of vectors with a number, where they are large enough. Readers and writers do not
 * wait. An index that is there already is made anew, since its lists follow the vectors that there were.
 */
export async function buildVectorIndexes(connection: Connection, vectors: number, progress: Progress): Promise<void> {
  for (const dataset of datasets) {
    const indexes = await connection.query<VectorIndex>(
      `select name, lists, memory, case when to_regclass('funding.' || name) is null
              then replace(statement, 'create index', 'create index concurrently')
              else format('reindex index concurrently funding.%I', name) end as statement
       from funding.vector_indexes($1, $2)`,
      [dataset, vectors],
    );
    for (const { name, lists, memory, statement } of indexes) {
      if (lists === null) continue;
      progress.step(`building the vector index ${name}`);
      await connection.query("select set_config('maintenance_work_mem', $1, false)", [memory]);
      try {
        await withoutSessionTimeout(connection, () => connection.execute(statement));
      } catch (error) {
        // The invalid index that is left would block the next build.
        await dropInvalidIndexes(connection);
        throw error;
      } finally {
        await connection.execute("reset maintenance_work_mem");
      }
    }
  }
}

/** Drops vector indexes whose building was broken off. */
export async function dropInvalidIndexes(connection: Connection): Promise<void> {
  const indexes = await connection.query<{ name: string }>(
    `select relname as name from pg_index join pg_class as relation on relation.oid = indexrelid join pg_am on pg_am.oid = relam
     where relnamespace = 'funding'::regnamespace and amname = 'ivfflat' and not indisvalid`,
  );
  for (const { name } of indexes) await dropIndex(connection, name);
}

const dropIndex = (connection: Connection, name: string) =>
  withoutSessionTimeout(connection, () => connection.execute(`drop index concurrently if exists funding.${name}`));
