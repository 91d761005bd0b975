import { isBroken, type ReadRows } from "../read/row.ts";

/**
 * Reads a publisher's rows from copies in which others have renamed the columns, and restores the publisher's names.
 * A column that is not listed keeps its name.
 *
 * @param names the publisher's name by the name in the copies.
 */
export function withColumnNames(read: ReadRows, names: Readonly<Record<string, string>>): ReadRows {
  const restoreName = (column: string) => (Object.hasOwn(names, column) ? (names[column] ?? column) : column);
  return async function* (chunks) {
    for await (const row of read(chunks)) {
      if (isBroken(row)) yield row;
      else {
        const values = Object.entries(row.values).map(([column, value]) => [restoreName(column), value]);
        yield { ...row, values: Object.fromEntries(values) };
      }
    }
  };
}
