import { InputError } from "../errors.ts";
import type { PrepareMapping } from "../import-rows.ts";
import type { RawRow, Source } from "./source.ts";

/**
 * Mapping of a known source's rows. Where they lack a column that is missed, the columns without use are named too, since
 * the publisher may have renamed it. Each of several files is looked at, since they may be of different years.
 *
 * @throws {InputError} when the rows lack the columns that the source's files have.
 */
export function namedMapping(source: Source): PrepareMapping {
  return (sample) => {
    const isAbsent = (column: string) => sample.every((row) => !Object.hasOwn(row, column));
    const missing = (source.columns ?? []).filter(isAbsent);
    if (missing.length > 0) {
      throw new InputError(`is not a file of ${source.name}: it has no ${missing.join(", ")}`);
    }
    const missed = source.missedColumns ?? [];
    const missedColumns = new MissedColumns(missed);
    const used = new Set(source.usedColumns);
    const columns = missed.some(isAbsent) ? sample.flatMap((row) => Object.keys(row)) : [];
    return {
      source: source.recordSource ?? source.name,
      datasets: source.datasets,
      isFull: source.isFull && !sample.some((row) => source.isPart?.(row)),
      ...(source.isEarly === undefined ? {} : { isEarly: source.isEarly }),
      map: (row) => source.map(row),
      beforeRow: ({ file, values }) => missedColumns.note(file, values),
      missingColumns: () => missedColumns.missing(),
      unusedColumns: [...new Set(columns)].filter((column) => !used.has(column)),
    };
  };
}

/** Files that are named for a column at most: an archive may hold 100,000. */
const namedFiles = 20;

/** Columns of a source that records miss where a file lacks them, with the files that do. Files come one after the other. */
class MissedColumns {
  readonly #missed: readonly string[];
  readonly #lacking = new Map<string, { files: string[]; count: number }>();
  #fileCount = 0;
  #file: string | undefined;
  /** Columns that no row of the current file has had. */
  #absent: readonly string[] = [];

  constructor(missed: readonly string[]) {
    this.#missed = missed;
  }

  /** Notes a row, of one of several files or of the only one. */
  note(file = "", values: RawRow): void {
    if (file !== this.#file) {
      this.#endFile();
      this.#file = file;
      this.#fileCount++;
      this.#absent = this.#missed;
    }
    if (this.#absent.length > 0) this.#absent = this.#absent.filter((column) => !Object.hasOwn(values, column));
  }

  /** Columns that the files lack; with the file, where only some do. Called after the last row. */
  missing(): string[] {
    this.#endFile();
    return [...this.#lacking].flatMap(([column, { files, count }]) =>
      count === this.#fileCount ? [column] : files.map((file) => `${column} (${file})`),
    );
  }

  #endFile(): void {
    for (const column of this.#absent) {
      const { files, count } = this.#lacking.get(column) ?? { files: [], count: 0 };
      if (files.length < namedFiles) files.push(this.#file ?? "");
      this.#lacking.set(column, { files, count: count + 1 });
    }
    this.#absent = [];
  }
}
