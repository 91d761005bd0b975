import { type Connection, queryValue } from "../database/connection.ts";
import type { Dataset } from "./record.ts";

/** Maximum share of a source's records to archive at once. If more are missing, the file is probably broken. */
const maxArchivedShare = 0.2;
const pageSize = 5_000;

/**
 * Result of archiving. Nothing was archived if the missing records are too many (`too many`), or if rejected rows
 * without an identifier may have been theirs (`unknown`).
 */
export type ArchiveResult =
  | { kind: "archived"; count: number }
  | { kind: "too many" | "unknown"; missing: number; current: number };

/**
 * Archives the current records of a source that are missing from its full list.
 *
 * @param hasSeen whether the list had a row with this source_id.
 * @param hasUnknownRows whether the list had rejected rows whose source_id could not be read.
 * @param keptSince moment from which on a changed record is kept, since newer data brought it. Undefined keeps none.
 * @param isForced archives in any case.
 */
export async function archiveMissing(
  connection: Connection,
  dataset: Dataset,
  source: string,
  hasSeen: (sourceId: string) => boolean,
  { hasUnknownRows, isForced, keptSince }: { hasUnknownRows: boolean; isForced: boolean; keptSince: Date | undefined },
): Promise<ArchiveResult> {
  const missing: string[] = [];
  let current = 0;
  for (let last = ""; ; ) {
    const page = await connection.query<{ source_id: string }>(
      "select source_id from funding.current_source_ids($1, $2, $3, $4, $5) as source_id",
      [dataset, source, last, pageSize, keptSince?.toISOString() ?? null],
    );
    current += page.length;
    for (const { source_id } of page) if (!hasSeen(source_id)) missing.push(source_id);
    if (page.length < pageSize) break;
    last = page.at(-1)?.source_id ?? "";
  }
  const isTooMany = missing.length > current * maxArchivedShare;
  const isUnknown = hasUnknownRows && missing.length > 0;
  if ((isTooMany || isUnknown) && !isForced) {
    return { kind: isTooMany ? "too many" : "unknown", missing: missing.length, current };
  }
  let archived = 0;
  for (let start = 0; start < missing.length; start += pageSize) {
    const count = await queryValue<number>(connection, "select funding.archive_records($1, $2, $3)", [
      dataset,
      source,
      missing.slice(start, start + pageSize),
    ]);
    archived += count;
  }
  return { kind: "archived", count: archived };
}
