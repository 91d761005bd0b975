import { InputError, quoteValue } from "../errors.ts";
import { BoundError, maxColumns } from "./bounds.ts";
import { type CsvRecord, CsvRecordReader } from "./csv-records.ts";
import { type RowKind, RowWidths, recordsIn, sampleCharacters, sampleRows } from "./csv-widths.ts";
import { readLines } from "./lines.ts";
import { type BrokenRow, isBroken, type ReadRows, type Row } from "./row.ts";

/**
 * Rows of a CSV file whose first record names the columns. A row with more values is broken, because its values may be in
 * the wrong columns, unless they are the blank ones of delimiters that end every line. A row with fewer values is blank in
 * the rest if the file's writer omits blank values, and broken otherwise ({@link RowWidths}). Blank rows are skipped, and
 * so is the header where it comes again, between files that were joined.
 *
 * @throws {InputError} when the first record is no header; at another header; after the last row, when the file ends in the
 *   middle of it.
 */
export const csvRows: ReadRows = async function* (chunks) {
  const reader = new CsvRecordReader();
  const rows = new CsvRowBuilder();
  try {
    for await (const line of readLines(chunks)) yield* rows.add(reader.add(line));
  } catch (error) {
    yield* rows.add(reader.takeWhole());
    yield* rows.takeHeld();
    throw error;
  }
  yield* rows.add(reader.end());
  yield* rows.end(reader.cutLine);
};

/**
 * Converts records to rows. It holds the first ones back, which show how the file's rows end; later a few short ones,
 * and always the last: the last row of a file shows whether the file is complete.
 */
class CsvRowBuilder {
  #header: Header | undefined;
  #held: (CsvRecord | BrokenRow)[] = [];
  #heldCharacters = 0;
  #isSampled = false;
  /** Whether a row that is no longer held had fewer values than columns. */
  #hasShortRows = false;

  *add(records: readonly (CsvRecord | BrokenRow)[]): Generator<Row> {
    for (const record of records) {
      if (this.#header === undefined) this.#header = readHeader(record);
      else if (isBroken(record) || !isBlankRecord(record)) yield* this.#addRow(record, this.#header);
    }
  }

  *#addRow(record: CsvRecord | BrokenRow, header: Header): Generator<Row> {
    const repetition = isBroken(record) ? undefined : header.findRepetition(record);
    if (repetition === "same") return;
    if (repetition === "reordered") {
      yield* this.takeHeld();
      throw new InputError(
        `has a second header in line ${record.line}, with the columns in another order; import the joined files one by one`,
      );
    }
    this.#held.push(record);
    if (!this.#isSampled && this.#measureHeld(record)) this.#learn();
    if (this.#isSampled) yield* this.#decide(false);
  }

  /** Yields the rows that are held, after the input failed. */
  *takeHeld(): Generator<Row> {
    if (!this.#isSampled) this.#learn();
    yield* this.#decide(true);
  }

  /** @param cutLine the line of the record in whose quotes the file ended. */
  *end(cutLine: number | undefined): Generator<Row> {
    const last = this.#held.at(-1);
    if (cutLine !== undefined) {
      yield* this.takeHeld();
      throw new InputError(`is cut short: it ends within the quotes of the row in line ${cutLine}`);
    }
    if (!this.#isSampled) this.#learn();
    // A file may omit blank values at the end of its rows. If only its last row is short, the file was cut.
    if (this.#isShort(last)) {
      const hasOthers = this.#hasShortRows || this.#held.slice(0, -1).some((record) => this.#isShort(record));
      if (last.isUnterminated === true || !hasOthers) {
        this.#held.pop();
        yield* this.#decide(true);
        const text = JSON.stringify(last.values);
        const values = this.#header?.valuesOf(last) ?? {};
        yield { line: last.line, reason: "the file ends in the middle of this row", text, values };
        throw new InputError(`is cut short: it ends in the middle of the row in line ${last.line}`);
      }
    }
    const isUnterminated = last !== undefined && !isBroken(last) && last.isUnterminated === true;
    const rows = [...this.#decide(true)];
    const lastRow = rows.pop();
    yield* rows;
    if (lastRow !== undefined) yield isUnterminated ? { ...lastRow, unterminated: "doubtful" } : lastRow;
  }

  /** Counts the characters of the rows held, and tells whether they are enough to learn from. */
  #measureHeld(record: CsvRecord | BrokenRow): boolean {
    const values = isBroken(record) ? [record.text] : record.values;
    for (const value of values) this.#heldCharacters += value.length;
    return this.#held.length >= sampleRows || this.#heldCharacters >= sampleCharacters;
  }

  #learn(): void {
    this.#isSampled = true;
    const title = this.#header?.findTitle(this.#held);
    if (title !== undefined) {
      this.#held = [];
      throw new InputError(title);
    }
    this.#header?.widths.learn(this.#held);
  }

  #isShort(record: CsvRecord | BrokenRow | undefined): record is CsvRecord {
    return this.#header?.widths.isShort(record) === true;
  }

  /** Yields the held rows that can be decided. Before the end, the last row stays held. */
  *#decide(isEnd: boolean): Generator<Row> {
    const header = this.#header;
    while (header !== undefined && this.#held.length > (isEnd ? 0 : 1)) {
      const kind = header.widths.decide(this.#held, isEnd);
      const record = kind === undefined ? undefined : this.#held.shift();
      if (kind === undefined || record === undefined) return;
      this.#hasShortRows ||= this.#isShort(record);
      yield isBroken(record) ? record : header.toRow(record, kind);
    }
  }
}

/** The header of a file: the names of its columns. */
class Header {
  readonly #names: readonly string[];
  readonly #nameSet: ReadonlySet<string>;
  readonly #columns: readonly string[];
  readonly widths: RowWidths;

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#nameSet = new Set(names);
    this.#columns = numberRepeats(names);
    this.widths = new RowWidths(names);
  }

  /** Whether a record is the header again, or has its names in another order. */
  findRepetition({ values }: CsvRecord): "same" | "reordered" | undefined {
    if (!this.#nameSet.has(values[0]?.trim() ?? "")) return undefined;
    const own = withoutBlankEnd(this.#names);
    const given = withoutBlankEnd(values.map((value) => value.trim()));
    if (JSON.stringify(given) === JSON.stringify(own)) return "same";
    return JSON.stringify(given.toSorted()) === JSON.stringify(own.toSorted()) ? "reordered" : undefined;
  }

  /** Explains that the header is a title above the real one: most rows have several values, and it names one column. */
  findTitle(rows: readonly (CsvRecord | BrokenRow)[]): string | undefined {
    const [title = "", ...others] = this.#names.filter((name) => name !== "");
    const records = recordsIn(rows);
    const wider = records.filter(({ values }) => values.filter((value) => value.trim() !== "").length > 1);
    const [first] = wider;
    if (others.length > 0 || first === undefined || 2 * wider.length <= records.length) return undefined;
    return `has one column, ${quoteValue(title)}, and more values from line ${first.line} on; remove the lines above the header`;
  }

  toRow(record: CsvRecord, kind: RowKind): Row {
    const { line, values } = record;
    const [width, columns] = [values.length, this.#columns.length];
    const isTooLong = width > columns + this.widths.surplus;
    if (isTooLong || values.slice(columns).some((value) => value.trim() !== "")) {
      return { line, reason: `the row has ${width} values for ${columns} columns`, text: JSON.stringify(values) };
    }
    if (kind === "piece") {
      const isShort = this.widths.isShort(record);
      const what = isShort
        ? `has ${countOf(width, "value")} for ${columns} columns`
        : "looks like the rest of the one before it";
      const reason = `the row ${what}; perhaps a line break within a value is not in quotes`;
      return { line, reason, text: JSON.stringify(values), values: this.valuesOf(record) };
    }
    const row = { line, values: this.valuesOf(record) };
    return kind === "short" ? { ...row, note: omittedValues } : row;
  }

  valuesOf({ values }: CsvRecord): Record<string, string> {
    return Object.fromEntries(this.#columns.map((column, index) => [column, values[index] ?? ""]));
  }
}

const omittedValues = { reason: "the row has fewer values than the header, and is blank in the rest" };

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function withoutBlankEnd(names: readonly string[]): readonly string[] {
  return names.slice(0, names.findLastIndex((name) => name !== "") + 1);
}

function isBlankRecord({ values }: CsvRecord): boolean {
  return values.every((value) => value.trim() === "");
}

const endsLinesWithReturns =
  'ends its lines with carriage returns alone, as "CSV (Macintosh)" of Excel does; save it as "CSV UTF-8"';

function readHeader(record: CsvRecord | BrokenRow): Header {
  if (isBroken(record)) {
    if (record.text.includes("\r")) throw new InputError(endsLinesWithReturns);
    throw new InputError(`has no CSV header in line ${record.line}: ${record.reason}`);
  }
  const [first = "", ...others] = record.values;
  if (/^\s*[[{]/.test(first))
    throw new InputError("begins like JSON, which ndjson reads: npm run import -- ndjson FILE --type ...");
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
  return new Header(record.values.map((name) => name.trim()));
}

/** Adds a number to the second column of a name, so that neither hides the other. */
function numberRepeats(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}
