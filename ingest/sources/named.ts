import { InputError } from "../errors.ts";
import type { PrepareMapping } from "../import-rows.ts";
import type { Source } from "./source.ts";

/**
 * Mapping of a known source's rows.
 *
 * @throws {InputError} when the rows lack the columns that the source's files have.
 */
export function namedMapping(source: Source, today: string): PrepareMapping {
  return (sample) => {
    const missing = (source.columns ?? []).filter((column) => sample.every((row) => !Object.hasOwn(row, column)));
    if (missing.length > 0) {
      throw new InputError(`is not a file of ${source.name}: it has no ${missing.join(", ")}`);
    }
    return {
      source: source.recordSource ?? source.name,
      datasets: source.datasets,
      map: (row) => source.map(row, { today }),
      unusedColumns: [],
    };
  };
}
