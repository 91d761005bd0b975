import type { Connection } from "../../database/connection.ts";
import type { Dataset } from "../../ingest/record.ts";

/** SQL of the vectors of a dataset that are searched: `slot`, `passage`, `embedding`, `is_usual`. */
export const searchedVectors = (dataset: Dataset) => `(
  select known.slot, known.passage, known.embedding, known.is_usual
  from funding.lexicon_fit as fit
  join (
    select 0 as vectors, * from funding.${dataset}_vectors_0 union all
    select 1, * from funding.${dataset}_vectors_1
  ) as known using (vectors))`;

/** Replaces the vector of records by another, or by none. @param condition of the row `record`. */
export async function setVectors(
  connection: Connection,
  dataset: Dataset,
  condition: string,
  vector: string | null,
): Promise<void> {
  for (const vectors of [0, 1]) {
    const table = `funding.${dataset}_vectors_${vectors}`;
    const records = `funding.${dataset} as record, funding.lexicon_fit as fit where fit.vectors = ${vectors} and ${condition}`;
    await connection.execute(`delete from ${table} where slot in (select record.slot from ${records})`);
    if (vector === null) continue;
    await connection.query(
      `insert into ${table} (slot, embedding, is_usual) select record.slot, $1::extensions.halfvec, true from ${records}`,
      [vector],
    );
  }
  await connection.execute("update funding.data_versions set version = version + 1 where dataset = 'search'");
}
