import { InputError } from "../errors.ts";
import type { PrepareMapping } from "../import-rows.ts";
import type { RawRow, Source } from "./source.ts";

/**
 * Mapping of a known source's rows. Where they lack a column that is missed, the columns without use are named too, since
 * the publisher may have renamed it. Each of several files is looked at, since they may be of different years.
 *
 * @throws {InputError} when the rows lack the columns that the source's files have.
 */
export function namedMapping(source: Source, today: string): PrepareMapping {
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
      map: (row) => source.map(row, { today }),
      beforeRow: ({ file, values }) => missedColumns.note(file, values),
      missingColumns: () => missedColumns.missing(),
      unusedColumns: [...new Set(columns)].filter((column) => !used.has(column)),
    };
  };
}

/** Columns of a source that records miss where a file lacks them, with the files that do. */
class MissedColumns {
  readonly #missed: readonly string[];
  /** Columns that no row of a file has had so far. */
  readonly #absent = new Map<string, readonly string[]>();

  constructor(missed: readonly string[]) {
    this.#missed = missed;
  }

  /** Notes a row, of one of several files or of the only one. */
  note(file = "", values: RawRow): void {
    const absent = this.#absent.get(file) ?? this.#missed;
    if (absent.length === 0 && this.#absent.has(file)) return;
    this.#absent.set(
      file,
      absent.filter((column) => !Object.hasOwn(values, column)),
    );
  }

  /** Columns that the files lack; with the file, where only some do. */
  missing(): string[] {
    return this.#missed.flatMap((column) => {
      const files = [...this.#absent].filter(([, absent]) => absent.includes(column)).map(([file]) => file);
      const isEverywhere = files.length > 0 && files.length === this.#absent.size;
      return isEverywhere ? [column] : files.map((file) => `${column} (${file})`);
    });
  }
}
