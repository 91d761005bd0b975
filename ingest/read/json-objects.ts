import { JsonRecordsReader } from "./json-records.ts";
import type { ReadRows } from "./row.ts";

/**
 * Reader of the objects that have these members, wherever a JSON file has them: one a line, in an array, in a list of a document or of several,
 * such as the pages of an API, in one line or many.
 */
export function jsonObjects(...members: string[]): ReadRows {
  const measure = (objects: readonly Record<string, unknown>[]) => {
    const found = members.filter((member) => objects.some((object) => Object.hasOwn(object, member)));
    return { isComplete: objects.length > 0 && found.length === members.length, score: found.length };
  };
  // Each file is read for itself: one may be an answer, another have a notice a line.
  return (chunks) => new JsonRecordsReader({ measure }).read(chunks);
}

/** Maps the values of the rows that could be read. */
export function mapRows(read: ReadRows, map: (values: Record<string, unknown>) => Record<string, unknown>): ReadRows {
  return async function* (chunks) {
    for await (const row of read(chunks)) yield row.values === undefined ? row : { ...row, values: map(row.values) };
  };
}
