import { readSourceId } from "../decide-row.ts";
import { InputError, MappingError } from "../errors.ts";
import { ColumnDate, type DateOrder, splitNumericDate } from "../fields/date.ts";
import type { PrepareMapping } from "../import-rows.ts";
import { createRowMapper } from "../mapping/apply.ts";
import { explainMissingColumn } from "../mapping/columns.ts";
import { DateColumns } from "../mapping/date-columns.ts";
import { createFitMeasure } from "../mapping/fit.ts";
import { findUnusedColumns, type MappingRequest, resolveMapping } from "../mapping/mapping.ts";
import { createSeveralValuesCheck, type SeveralValues } from "../mapping/several-values.ts";
import { csvRows } from "../read/csv.ts";
import { JsonRecordsReader } from "../read/json-records.ts";
import { isBroken, type ReadRows, type Row } from "../read/row.ts";
import { readAgencyPath } from "./agency-paths.ts";
import { type Mapped, noRecord, type RawRow } from "./source.ts";

/** Formats of files with any publisher's rows. */
export type GenericFormat = "ndjson" | "csv";

export const genericFormats: readonly GenericFormat[] = ["ndjson", "csv"];

/** Reader of a generic format. `describe` returns sentences for the summary: how the files were read. */
export interface GenericReader {
  read: ReadRows;
  describe(): string[];
}

/**
 * Makes the reader of a format.
 *
 * @param request options of the mapping, by which the records of a JSON document are found.
 * @param records name of the list of records in a JSON document.
 */
export function createGenericReader(
  format: GenericFormat,
  request: MappingRequest = { dataset: "grants", maps: [], sets: [], pads: [] },
  records?: string,
): GenericReader {
  if (format === "csv") return { read: csvRows, describe: () => [] };
  return new JsonRecordsReader({ records, measure: createFitMeasure(request) });
}

/** Reads the input a second time, from its first row, while the first reading is in progress. */
export type ReadRowsAgain = () => AsyncIterable<Row>;

/**
 * Mapping of any publisher's file by the options `--map`, `--set` and `--pad`.
 *
 * @param dates order of its dates; or a function that reads the rows a second time, to detect from all of them which
 *   columns have the day first. That happens at the first ambiguous date.
 * @param format of the files. A row of CSV that lacks a column of the mapping is rejected: its file has another header than the first.
 * @throws {MappingError} when the options do not fit the file.
 */
export function genericMapping(
  request: MappingRequest,
  source: string,
  dates: DateOrder | ReadRowsAgain = "mdy",
  format: GenericFormat = "csv",
): PrepareMapping {
  return (sample) => {
    const mapping = resolveMapping({ ...request, dates: typeof dates === "string" ? dates : undefined }, sample);
    const valuesOf = createRowMapper(mapping);
    const { dataset } = mapping;
    let found: DateColumns | undefined;
    const orderOf = (column: string) => (typeof dates === "string" ? dates : (found?.orderOf(column) ?? "iso"));
    const readDate = (column: string, value: unknown) => new ColumnDate(value, orderOf(column));
    const common = {
      source,
      datasets: [dataset],
      unusedColumns: findUnusedColumns(mapping, sample),
      constants: new Set([...mapping.constants.keys()].filter((field) => !mapping.columns.has(field))),
    } as const;
    // Rows of JSON need not have every member.
    const required = format === "csv" ? [...mapping.columns.values()].flat() : [];
    const checkSeveral = createSeveralValuesCheck(mapping);
    refuseSample(sample.map(checkSeveral));
    const map = (row: RawRow): Mapped => {
      const { refusal, notes } = checkSeveral(row);
      const values = readAgencyPath(valuesOf(row, readDate), mapping.columns);
      const records = [{ dataset, values, isPartial: false, notes }];
      if (refusal !== undefined)
        return noRecord(refusal, refusal.startsWith("source_id") ? null : readSourceId(records));
      const reason = explainMissingColumn(required, row);
      return reason === undefined ? records : noRecord(reason, readSourceId(records));
    };
    if (typeof dates === "string") return { ...common, map };
    return {
      ...common,
      map,
      async beforeRow({ values }, isCut) {
        if (found === undefined && hasNumericDate(values, valuesOf))
          found = await readDateColumns(dates(), valuesOf, isCut);
      },
      dateNotes: () => found?.report() ?? [],
    };
  };
}

/** @throws {MappingError} when every row of the sample would be rejected for a path with several values. */
function refuseSample(checks: readonly SeveralValues[]): void {
  const refusals = checks.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal]));
  const [first] = refusals;
  if (first !== undefined && refusals.length === checks.length) throw new MappingError(`${first}.`);
}

type ValuesOf = ReturnType<typeof createRowMapper>;

function hasNumericDate(row: RawRow, valuesOf: ValuesOf): boolean {
  let isFound = false;
  valuesOf(row, (_, value) => {
    isFound ||= splitNumericDate(value) !== undefined;
    return value;
  });
  return isFound;
}

/** Reads the date columns of all rows, or of those before a fault in the input. The import itself reports the fault. */
async function readDateColumns(
  rows: AsyncIterable<Row>,
  valuesOf: ValuesOf,
  isCut: (row: Row) => boolean,
): Promise<DateColumns> {
  const columns = new DateColumns();
  try {
    for await (const row of rows) {
      columns.isIncomplete ||= isCut(row);
      if (isBroken(row) || isCut(row)) continue;
      valuesOf(row.values, (column, value) => {
        columns.note(column, value, row);
        return value;
      });
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    columns.isIncomplete = true;
  }
  return columns;
}
