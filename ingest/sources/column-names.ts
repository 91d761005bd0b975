import type { ReadRows } from "../read/row.ts";

/** Names of a publisher's columns. */
export interface ColumnNames {
  /** The publisher's own names of the columns that are used. */
  own: readonly string[];
  /** The publisher's name by the name in copies in which others have renamed the columns. */
  copies: Readonly<Record<string, string>>;
}

/** Called with a file's columns and their restored names. @throws {InputError} when the file is of another kind. */
export type CheckColumns = (columns: readonly string[], restored: readonly string[]) => void;

/**
 * Reads a publisher's rows, also from copies with other column names, and restores the publisher's names. Letter case,
 * spaces and punctuation between words do not matter: "Response Deadline" is `ResponseDeadLine`. A column that is not
 * listed keeps its name. So does a column if another one has its publisher's name exactly.
 */
export function withColumnNames(read: ReadRows, names: ColumnNames, check: CheckColumns = () => undefined): ReadRows {
  return async function* (chunks) {
    let restored: ReadonlyMap<string, string> | undefined;
    for await (const row of read(chunks)) {
      if (row.values === undefined) yield row;
      else {
        // All rows of a CSV file have the same columns. A broken row's values may have its identifier.
        if (restored === undefined) {
          const columns = Object.keys(row.values);
          const found = restoreNames(columns, names);
          check(
            columns,
            columns.map((column) => found.get(column) ?? column),
          );
          restored = found;
        }
        const values = Object.entries(row.values).map(([column, value]) => [restored?.get(column) ?? column, value]);
        yield { ...row, values: Object.fromEntries(values) };
      }
    }
  };
}

/** Returns the publisher's name of each column that has another. No two columns get the same. */
function restoreNames(columns: readonly string[], { own, copies }: ColumnNames): Map<string, string> {
  const nameByKey = new Map([
    ...Object.entries(copies).map(([copy, name]) => [toKey(copy), name] as const),
    ...own.map((name) => [toKey(name), name] as const),
  ]);
  const taken = new Set(columns.filter((column) => own.includes(column)));
  const restored = new Map<string, string>();
  const restore = (column: string, name: string | undefined) => {
    if (name === undefined || taken.has(name) || restored.has(column)) return;
    taken.add(name);
    restored.set(column, name);
  };
  const others = columns.filter((column) => !own.includes(column));
  // A name that is listed as it is wins over one that is only spelled alike.
  for (const column of others) restore(column, Object.hasOwn(copies, column) ? copies[column] : undefined);
  for (const column of others) restore(column, nameByKey.get(toKey(column)));
  return restored;
}

/** A name without letter case and separators of words. "Award$" stays apart from "Award". */
function toKey(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_./-]+/g, "");
}
