import { InputError } from "../errors.ts";
import type { PrepareMapping } from "../import-rows.ts";
import type { Source } from "./source.ts";

/**
 * Mapping of a known source's rows. Where they lack a column that is missed, the columns without use are named too, since
 * the publisher may have renamed it.
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
    const missingColumns = (source.missedColumns ?? []).filter(isAbsent);
    const used = new Set(source.usedColumns);
    const columns = missingColumns.length === 0 ? [] : sample.flatMap((row) => Object.keys(row));
    return {
      source: source.recordSource ?? source.name,
      datasets: source.datasets,
      map: (row) => source.map(row, { today }),
      missingColumns,
      unusedColumns: [...new Set(columns)].filter((column) => !used.has(column)),
    };
  };
}
