import { InputError } from "../errors.ts";
import { ColumnDate, type DateOrder, numericDate } from "../fields/date.ts";
import type { PrepareMapping } from "../import-rows.ts";
import { mapper } from "../mapping/apply.ts";
import { DateColumns } from "../mapping/date-columns.ts";
import { type MappingRequest, resolveMapping } from "../mapping/mapping.ts";
import { unusedColumns } from "../mapping/unused.ts";
import { isBroken, type ReadRows, type Row } from "../read/row.ts";
import { csvRows, ndjsonRows } from "../read/rows.ts";
import type { RawRow } from "./source.ts";

/** The kinds of file that any publisher's rows may come in. */
export type GenericFormat = "ndjson" | "csv";

export const genericFormats: readonly GenericFormat[] = ["ndjson", "csv"];

export const readersByFormat: Readonly<Record<GenericFormat, ReadRows>> = { ndjson: ndjsonRows, csv: csvRows };

/** Reads the input once more, from its first row, while it is being read. */
export type ReadAgain = () => AsyncIterable<Row>;

/**
 * Maps a file of any publisher's, as `--map`, `--set` and `--pad` say.
 *
 * @param dates what comes first in its dates; or a way to read the rows once more, to find out from all of them
 *   which columns have the day first. That is done at the first date for which it matters.
 * @throws {MappingError} when they do not fit the file.
 */
export function genericMapping(
  request: MappingRequest,
  source: string,
  dates: DateOrder | ReadAgain = "mdy",
): PrepareMapping {
  return (sample) => {
    const mapping = resolveMapping({ ...request, dates: typeof dates === "string" ? dates : undefined }, sample);
    const valuesOf = mapper(mapping);
    const { dataset } = mapping;
    let found: DateColumns | undefined;
    const orderOf = (column: string) => (typeof dates === "string" ? dates : (found?.orderOf(column) ?? "iso"));
    const readDate = (column: string, value: unknown) => new ColumnDate(value, orderOf(column));
    const common = { source, datasets: [dataset], unusedColumns: unusedColumns(mapping, sample) } as const;
    const map = (row: RawRow) => [{ dataset, values: valuesOf(row, readDate), isPartial: false }];
    if (typeof dates === "string") return { ...common, map };
    return {
      ...common,
      map,
      async beforeRow(row, isCut) {
        if (found === undefined && hasNumericDate(row, valuesOf)) found = await dateColumnsIn(dates(), valuesOf, isCut);
      },
      dateNotes: () => found?.report() ?? [],
    };
  };
}

type ValuesOf = ReturnType<typeof mapper>;

function hasNumericDate(row: RawRow, valuesOf: ValuesOf): boolean {
  let isFound = false;
  valuesOf(row, (_, value) => {
    isFound ||= numericDate(value) !== undefined;
    return value;
  });
  return isFound;
}

/** The date columns of all rows. Of an input that is not whole, of those before the fault: the import itself tells it. */
async function dateColumnsIn(
  rows: AsyncIterable<Row>,
  valuesOf: ValuesOf,
  isCut: (row: Row) => boolean,
): Promise<DateColumns> {
  const columns = new DateColumns();
  try {
    for await (const row of rows) {
      columns.isPart ||= isCut(row);
      if (isBroken(row) || isCut(row)) continue;
      valuesOf(row.values, (column, value) => {
        columns.note(column, value, row);
        return value;
      });
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    columns.isPart = true;
  }
  return columns;
}
