import { markedLike } from "../read/final-line.ts";
import { isBroken, type ReadRows } from "../read/row.ts";

/**
 * Reads a publisher's rows where others who pass them on have renamed its columns: each is called by the
 * publisher's own name again. A column that is not listed keeps its name.
 *
 * @param names the publisher's name of a column, by another's.
 */
export function withColumnNames(read: ReadRows, names: Readonly<Record<string, string>>): ReadRows {
  const nameOf = (column: string) => (Object.hasOwn(names, column) ? (names[column] ?? column) : column);
  return async function* (chunks) {
    for await (const row of read(chunks)) {
      if (isBroken(row)) yield row;
      else {
        const values = Object.entries(row.values).map(([column, value]) => [nameOf(column), value]);
        yield markedLike(row, { ...row, values: Object.fromEntries(values) });
      }
    }
  };
}
