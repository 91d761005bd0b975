import { type Connection, queryOne } from "../database/connection.ts";
import type { Dataset } from "./record.ts";

/** More of a source's records than this, gone at once, is a broken file more often than news. */
const largestShare = 0.2;
const pageSize = 5_000;

/**
 * What became of the records that a full list no longer has: none was archived if they are too many, or if the list
 * had rows of which it is not known whose they are.
 */
export type ArchiveResult =
  | { kind: "archived"; count: number }
  | { kind: "too many" | "unknown"; gone: number; current: number };

/**
 * Archives the current records of a source that its full list no longer has.
 *
 * @param hasSeen whether the list had the record of a source_id.
 * @param hasUnknownRows whether the list had rows that could not be read, which may be theirs.
 * @param isForced archives all the same.
 */
export async function archiveGone(
  connection: Connection,
  dataset: Dataset,
  source: string,
  hasSeen: (sourceId: string) => boolean,
  { hasUnknownRows, isForced }: { hasUnknownRows: boolean; isForced: boolean },
): Promise<ArchiveResult> {
  const gone: string[] = [];
  let current = 0;
  for (let last = ""; ; ) {
    const page = await connection.query<{ source_id: string }>(
      "select source_id from funding.current_source_ids($1, $2, $3, $4) as source_id",
      [dataset, source, last, pageSize],
    );
    current += page.length;
    for (const { source_id } of page) if (!hasSeen(source_id)) gone.push(source_id);
    if (page.length < pageSize) break;
    last = page.at(-1)?.source_id ?? "";
  }
  const isTooMany = gone.length > current * largestShare;
  const isUnknown = hasUnknownRows && gone.length > 0;
  if ((isTooMany || isUnknown) && !isForced) {
    return { kind: isTooMany ? "too many" : "unknown", gone: gone.length, current };
  }
  let archived = 0;
  for (let start = 0; start < gone.length; start += pageSize) {
    const { count } = await queryOne<{ count: number }>(
      connection,
      "select funding.archive_records($1, $2, $3) as count",
      [dataset, source, gone.slice(start, start + pageSize)],
    );
    archived += count;
  }
  return { kind: "archived", count: archived };
}
