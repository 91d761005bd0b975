import { InputError } from "../errors.ts";
import { BoundError, maxColumns } from "./bounds.ts";
import { type CsvRecord, CsvRecordReader } from "./csv-records.ts";
import { readLines } from "./lines.ts";
import { type BrokenRow, type GoodRow, isBroken, type ReadRows, type Row } from "./row.ts";

/**
 * Rows of a CSV file whose first record names the columns. In a row with fewer values than columns, the rest is blank. A
 * row with more is broken, because its values may be in the wrong columns. Blank rows are skipped.
 *
 * @throws {InputError} when the first record is no header; after the last row, when the file ends in the middle of it.
 */
export const csvRows: ReadRows = async function* (chunks) {
  const reader = new CsvRecordReader();
  const rows = new CsvRowBuilder();
  try {
    for await (const line of readLines(chunks)) yield* rows.add(reader.add(line));
  } catch (error) {
    yield* rows.add(reader.takeWhole());
    yield* rows.takeLast();
    throw error;
  }
  yield* rows.add(reader.end());
  yield* rows.end(reader.cutLine);
};

/** Converts records to rows, and holds one back: the last row of a file shows whether the file is complete. */
class CsvRowBuilder {
  #columns: string[] | undefined;
  #last: CsvRecord | BrokenRow | undefined;
  /** Whether a row before the last had fewer values than columns. */
  #hasShortRows = false;

  *add(records: readonly (CsvRecord | BrokenRow)[]): Generator<Row> {
    for (const record of records) {
      if (this.#columns === undefined) this.#columns = readHeader(record);
      else if (isBroken(record) || record.values.some((value) => value.trim() !== "")) {
        this.#hasShortRows ||= this.#isShort(this.#last);
        yield* this.takeLast();
        this.#last = record;
      }
    }
  }

  *takeLast(): Generator<Row> {
    const last = this.#last;
    this.#last = undefined;
    if (last !== undefined) yield isBroken(last) ? last : toRow(last, this.#columns ?? []);
  }

  /** @param cutLine the line of the record in whose quotes the file ended. */
  *end(cutLine: number | undefined): Generator<Row> {
    const last = this.#last;
    if (cutLine !== undefined) {
      yield* this.takeLast();
      throw new InputError(`is cut short: it ends within the quotes of the row in line ${cutLine}`);
    }
    // A file may omit blank values at the end of its rows. If only its last row is short, the file was cut.
    const isCut = this.#isShort(last) && (last?.isUnterminated === true || !this.#hasShortRows);
    if (isCut) {
      const { values } = toRow(last, this.#columns ?? []) as GoodRow;
      const text = JSON.stringify(last.values);
      yield { line: last.line, reason: "the file ends in the middle of this row", text, values };
      throw new InputError(`is cut short: it ends in the middle of the row in line ${last.line}`);
    }
    const isUnterminated = last !== undefined && !isBroken(last) && last.isUnterminated === true;
    for (const row of this.takeLast()) yield isUnterminated ? { ...row, unterminated: "doubtful" } : row;
  }

  #isShort(record: CsvRecord | BrokenRow | undefined): record is CsvRecord {
    return record !== undefined && !isBroken(record) && record.values.length < (this.#columns?.length ?? 0);
  }
}

function toRow({ line, values }: CsvRecord, columns: string[]): Row {
  const surplus = values.slice(columns.length);
  if (surplus.some((value) => value.trim() !== "")) {
    return {
      line,
      reason: `the row has ${values.length} values for ${columns.length} columns`,
      text: JSON.stringify(values),
    };
  }
  return { line, values: Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""])) };
}

const endsLinesWithReturns =
  'ends its lines with carriage returns alone, as "CSV (Macintosh)" of Excel does; save it as "CSV UTF-8"';

function readHeader(record: CsvRecord | BrokenRow): string[] {
  if (isBroken(record)) {
    if (record.text.includes("\r")) throw new InputError(endsLinesWithReturns);
    throw new InputError(`has no CSV header in line ${record.line}: ${record.reason}`);
  }
  const [first = "", ...others] = record.values;
  if (/^\s*[[{]/.test(first)) throw new InputError("begins like JSON; perhaps it is an ndjson file");
  if (/^\s*</.test(first)) throw new InputError("begins like XML or HTML, not with a CSV header");
  // A file without a line feed is one line. A name in quotes may hold a carriage return where other lines follow.
  const isOneLine = record.isUnterminated === true;
  if (isOneLine && record.values.some((name) => name.includes("\r"))) throw new InputError(endsLinesWithReturns);
  if (others.length === 0 && /[\t;]/.test(first)) {
    throw new InputError("is separated by tabs or semicolons; commas are expected");
  }
  if (record.values.length > maxColumns) {
    const [columns, most] = [record.values.length, maxColumns].map((count) => count.toLocaleString("en-US"));
    throw new BoundError(`has ${columns} columns, more than ${most}`);
  }
  return numberRepeats(record.values.map((name) => name.trim()));
}

/** Adds a number to the second column of a name, so that neither hides the other. */
function numberRepeats(names: string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}
