import type { Connection } from "../database/connection.ts";
import { BatchWriter } from "./batch-writer.ts";
import { RowDecider, type RowMapping } from "./decide-row.ts";
import { InputError } from "./errors.ts";
import type { PlaceReadingMode } from "./fields/place.ts";
import { peek } from "./peek.ts";
import { unterminated } from "./read/final-line.ts";
import { isBroken, type Row } from "./read/row.ts";
import type { RejectSink } from "./reject-file.ts";
import type { RawRow } from "./sources/source.ts";
import type { ImportSummary } from "./summary.ts";

/** Makes the mapping of a file from rows at its beginning, or refuses the file. */
export type PrepareMapping = (sample: readonly RawRow[]) => RowMapping & {
  unusedColumns: string[];
  /**
   * Finds out what the mapping has to know of other rows before it maps this one.
   *
   * @param isCut whether a row is where its file was cut.
   */
  beforeRow?(row: RawRow, isCut: (row: Row) => boolean): Promise<void>;
  /** How the input's dates were read, where that is not plain: sentences for the summary. */
  dateNotes?(): string[];
};

export interface ImportOptions {
  prepare: PrepareMapping;
  /**
   * Opens the database, once the input and the mapping are found good; over several connections as many batches
   * are written at a time. Absent on a dry run.
   */
  connect?(mapping: RowMapping): Promise<readonly Connection[]>;
  /** Whether the source's files end with a line break, so that one without it was cut. Asked after `connect`. */
  expectsFinalLineBreak?(): boolean;
  /** The day of the import, `YYYY-MM-DD`. */
  today: string;
  /** How states are found; absent, they are read out of addresses. */
  places?: PlaceReadingMode;
  rejects: RejectSink;
  /** Is told after every batch. */
  report?(summary: ImportSummary): void;
  /** When aborted, the import ends after the batch at hand, with the signal's reason thrown. */
  signal?: AbortSignal;
  /** Where what becomes of the rows is counted, also when the import fails. */
  summary: ImportSummary;
}

export interface ImportResult {
  mapping: RowMapping;
  /** Knows which identifiers the rows had. */
  decider: RowDecider;
  /** Whether every file that consists of lines ended with a line break. */
  hasFinalLineBreak: boolean;
}

/** The rows that a mapping is checked against: JSON rows need not have every member. */
const sampleRows = 100;

/**
 * Imports rows. A bad row goes to the rejects and costs no other; what was
 * read before an error is written before the error is thrown, and stays.
 *
 * @throws {InputError} when there is no row, or the input fails.
 * @throws {MappingError} when the mapping does not fit.
 */
export async function importRows(input: AsyncIterable<Row>, options: ImportOptions): Promise<ImportResult> {
  const { sample, rows, failure } = await peek(input, sampleRows);
  const [first] = sample;
  if (first === undefined) throw failure ?? new InputError("has no rows");
  const readable = sample.flatMap((row) => (isBroken(row) ? [] : [row.values]));
  if (readable.length === 0 && isBroken(first)) {
    throw new InputError(
      `has no row that can be read among its first ${sample.length} (line ${first.line}: ${first.reason})`,
    );
  }
  const { unusedColumns, beforeRow, dateNotes, ...mapping } = options.prepare(readable);
  options.summary.unusedColumns = unusedColumns;
  const decider = new RowDecider(mapping, options.today, options.places);
  const writer = new BatchWriter((await options.connect?.(mapping)) ?? [], options, options.summary);
  let hasFinalLineBreak = true;
  const isCutIn = (row: Row) => unterminated(row) !== undefined && options.expectsFinalLineBreak?.() === true;
  try {
    for await (const row of rows) {
      const ending = unterminated(row);
      const isCut = isCutIn(row);
      if (ending !== undefined) hasFinalLineBreak = false;
      if (!isBroken(row)) await beforeRow?.(row.values, isCutIn);
      await writer.add(decider.decide(isCut && ending?.isDoubtful ? cutRow(row) : row));
      if (isCut) throw new InputError(withoutLineBreak);
      options.signal?.throwIfAborted();
    }
  } catch (error) {
    await writer.endAfterFailure();
    throw error;
  } finally {
    options.summary.dateNotes = dateNotes?.() ?? [];
  }
  await writer.end();
  return { mapping, decider, hasFinalLineBreak };
}

const withoutLineBreak =
  "is cut short: it lacks the line break at its end that this source's files had before. If it is whole indeed, --force takes it as it is";

/** A row whose last value may be only its beginning. */
function cutRow(row: Row): Row {
  if (isBroken(row)) return row;
  const { values, ...place } = row;
  return { ...place, values, reason: "the file ends in this row, without a line break", text: JSON.stringify(values) };
}
