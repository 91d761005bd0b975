import type { Connection } from "../../../database/connection.ts";
import { readBatchesById } from "../../../ingest/batches.ts";
import { grantVectorsTable } from "../../vectors.ts";
import type { LibraryRecord } from "./library.ts";

const batchSize = 2_000;

/** Reads the grants that have a vector, in batches. */
export async function* exportRecords(connection: Connection): AsyncGenerator<LibraryRecord[]> {
  const vectors = await grantVectorsTable(connection);
  const batches = readBatchesById((after) =>
    connection.query<Omit<LibraryRecord, "vector"> & { vector: string }>(
      `select record.id::text, record.title, record.description, known.embedding::text as vector,
              classification = 'opportunity' and archived_at is null as is_listed, is_national, status, states,
              category_keys as categories, amount_max, deadline_date - date '1970-01-01' as deadline
       from funding.grants as record join ${vectors} as known on known.slot = record.slot
       where record.id > $1
       order by record.id limit ${batchSize}`,
      [after],
    ),
  );
  for await (const rows of batches) {
    yield rows.map((row) => ({ ...row, vector: JSON.parse(row.vector) as number[] }));
  }
}
