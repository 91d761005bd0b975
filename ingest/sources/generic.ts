import type { PrepareMapping } from "../import-rows.ts";
import { mapper } from "../mapping/apply.ts";
import { type MappingRequest, resolveMapping } from "../mapping/mapping.ts";
import { unusedColumns } from "../mapping/unused.ts";
import type { ReadRows } from "../read/row.ts";
import { csvRows, ndjsonRows } from "../read/rows.ts";

/** The kinds of file that any publisher's rows may come in. */
export type GenericFormat = "ndjson" | "csv";

export const genericFormats: readonly GenericFormat[] = ["ndjson", "csv"];

export const readersByFormat: Readonly<Record<GenericFormat, ReadRows>> = { ndjson: ndjsonRows, csv: csvRows };

/**
 * Maps a file of any publisher's, as `--map`, `--set` and `--pad` say.
 *
 * @throws {MappingError} when they do not fit the file.
 */
export function genericMapping(request: MappingRequest, source: string): PrepareMapping {
  return (sample) => {
    const mapping = resolveMapping(request, sample);
    const valuesOf = mapper(mapping);
    const { dataset } = mapping;
    return {
      source,
      datasets: [dataset],
      map: (row) => [{ dataset, values: valuesOf(row), isPartial: false }],
      unusedColumns: unusedColumns(mapping, sample),
    };
  };
}
