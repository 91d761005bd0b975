import type { ListBody } from "../database/rpc.ts";
import type { RecordBody } from "../responses/records.ts";
import type { Cursor } from "../validation/cursor.ts";

/** Most rows of one CSV answer. */
export const mostRows = 10_000;
/** Rows that are asked for at once. */
export const rowsAtOnce = 500;

/**
 * A list's records page by page: those of the first answer, then what follows.
 *
 * @param rows most records in all.
 * @param rest asks for the records after a cursor.
 */
export async function* allPages(
  first: ListBody,
  rows: number,
  rest: (cursor: Cursor, rows: number) => Promise<ListBody>,
): AsyncGenerator<RecordBody[]> {
  let left = rows;
  let body = first;
  while ("results" in body) {
    yield body.results;
    left -= body.results.length;
    if (body.next === null || left <= 0) return;
    body = await rest(body.next, Math.min(left, rowsAtOnce));
  }
}
