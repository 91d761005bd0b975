import type { Connection } from "../../../database/connection.ts";
import type { LibraryRecord } from "./library.ts";

const batchSize = 2_000;

/** The grants that have a vector, with it, in batches. */
export async function* exportRecords(connection: Connection): AsyncGenerator<LibraryRecord[]> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await connection.query<Omit<LibraryRecord, "vector"> & { vector: string }>(
      `select id::text, title, description, embedding::text as vector,
              classification = 'opportunity' and archived_at is null as is_listed, is_national, status, states,
              category_keys as categories, amount_max, deadline_date - date '1970-01-01' as deadline
       from funding.grants
       where id > $1 and embedding is not null
       order by id limit ${batchSize}`,
      [after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({ ...row, vector: JSON.parse(row.vector) as number[] }));
    after = last.id;
  }
}
