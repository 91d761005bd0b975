import type { Connection } from "../../../database/connection.ts";
import { readBatchesById } from "../../../ingest/batches.ts";
import type { LibraryRecord } from "./library.ts";

const batchSize = 2_000;

/** Reads the grants that have a vector, in batches. */
export async function* exportRecords(connection: Connection): AsyncGenerator<LibraryRecord[]> {
  const batches = readBatchesById((after) =>
    connection.query<Omit<LibraryRecord, "vector"> & { vector: string }>(
      `select id::text, title, description, embedding::text as vector,
              classification = 'opportunity' and archived_at is null as is_listed, is_national, status, states,
              category_keys as categories, amount_max, deadline_date - date '1970-01-01' as deadline
       from funding.grants
       where id > $1 and embedding is not null
       order by id limit ${batchSize}`,
      [after],
    ),
  );
  for await (const rows of batches) {
    yield rows.map((row) => ({ ...row, vector: JSON.parse(row.vector) as number[] }));
  }
}
