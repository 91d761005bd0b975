import { type Connection, queryValue } from "../database/connection.ts";
import type { Dataset } from "./record.ts";

const pageSize = 5_000;

/** Whether a database notes when records were seen. One of the version before does not yet. */
export function canNoteSightings(connection: Connection): Promise<boolean> {
  return queryValue<boolean>(
    connection,
    "select to_regprocedure('funding.note_seen(text, text[], text[], timestamptz)') is not null",
  );
}

/** Notes that an input that is no full list had these records. @param asOf when it was written. */
export async function noteSeen(
  connection: Connection,
  dataset: Dataset,
  records: readonly { source: string; source_id: string }[],
  asOf: Date,
): Promise<void> {
  await connection.query("select funding.note_seen($1, $2, $3, $4)", [
    dataset,
    records.map(({ source }) => source),
    records.map(({ source_id }) => source_id),
    asOf.toISOString(),
  ]);
}

/**
 * Notes that a full list of a source was imported: one row for all records that it had, and one for each that it lacks.
 *
 * @param hasSeen whether the list had a row with this source_id.
 * @param asOf when the list was written.
 */
export async function noteFullList(
  connection: Connection,
  dataset: Dataset,
  source: string,
  hasSeen: (sourceId: string) => boolean,
  asOf: Date,
): Promise<void> {
  for (let last = ""; ; ) {
    const page = await connection.query<{ source_id: string; is_missing: boolean }>(
      "select source_id, is_missing from funding.sighted_ids($1, $2, $3, $4)",
      [dataset, source, last, pageSize],
    );
    for (const isMissing of [true, false]) {
      const changed = page.filter(
        (record) => record.is_missing !== isMissing && hasSeen(record.source_id) !== isMissing,
      );
      if (changed.length === 0) continue;
      const ids = changed.map(({ source_id }) => source_id);
      await connection.query("select funding.note_missing($1, $2, $3, $4)", [dataset, source, ids, isMissing]);
    }
    if (page.length < pageSize) break;
    last = page.at(-1)?.source_id ?? "";
  }
  await connection.query("select funding.note_full_list($1, $2, $3)", [dataset, source, asOf.toISOString()]);
}
