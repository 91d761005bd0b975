import type { CsvRecord } from "./csv-records.ts";
import { type BrokenRow, isBroken } from "./row.ts";

type Held = CsvRecord | BrokenRow;

/** Kind of a row by its number of values: `short` omits blank values, `piece` may be a part of a row. */
export type RowKind = "whole" | "short" | "piece";

/** Rows that show how a file's writer ends its rows. They are in memory together, so long ones are fewer. */
export const sampleRows = 100;
export const sampleCharacters = 1_000_000;

/** Rows of one width by which a block of short rows is known: Excel omits the blank columns of 16 rows at a time. */
const blockRows = 8;
/** The same of a block that the end of the file cuts short. */
const lastBlockRows = 3;

/**
 * Numbers of values in the rows of a file: which of them its header does not explain.
 *
 * A row with too few values omits blank ones, or a line break within a value was not quoted, and the row is one of two
 * pieces. The first rows show whether the writer omits blank values.
 */
export class RowWidths {
  readonly #columns: number;
  /** Columns up to the last with a name. Delimiters at the end of a header make columns without one. */
  readonly #named: number;
  #surplus = 0;
  #omitsBlanks = false;
  /** Whether none of the first rows ends with a blank value, as a writer that omits these would have it. */
  #endsWithoutBlanks = false;
  /** Number of values in the rows of the present block. */
  #blockWidth: number | undefined;
  /** Whether whole rows begin with several words, as names do and identifiers do not. */
  #beginsWithWords = false;
  /** Whether whole rows have values that begin with a space, as text behind a comma does. */
  #hasSpacedValues = false;
  /** Whether the row before was rejected, so that a short one may be its rest. */
  #wasRejected = false;
  /** The same for a whole row. */
  #isBehindRejected = false;

  /** @param names the header's, trimmed. */
  constructor(names: readonly string[]) {
    this.#columns = names.length;
    this.#named = names.findLastIndex((name) => name !== "") + 1;
  }

  /** Blank values behind those of the header that a row may have, since the file's lines end with delimiters. */
  get surplus(): number {
    return this.#surplus;
  }

  isShort(record: Held | undefined): record is CsvRecord {
    return record !== undefined && !isBroken(record) && record.values.length < this.#named;
  }

  /** Learns from the first rows how the file's writer ends a row. */
  learn(rows: readonly Held[]): void {
    const records = recordsIn(rows);
    const short = records.filter((record) => this.isShort(record));
    // The text of a row with spaces behind commas may itself have the surplus comma.
    const surplus = records
      .filter((record) => record.values.length >= this.#named && !hasSpacedValues(record))
      .filter(({ values }) => isAllBlank(values.slice(this.#columns)))
      .map(({ values }) => values.length - this.#columns);
    // In a single row, a blank value too many may as well come from a comma without quotes.
    if (surplus.length > 1) this.#surplus = Math.max(0, leastOfMost(surplus));
    const whole = records.filter((record) => this.#isWhole(record));
    // Names of two words are usual where a twentieth of the whole rows begin with them. Spaces behind commas tell more. Without whole rows, half of
    // the rows may be pieces.
    const [usual, ofWords, ofSpaces] = whole.length > 0 ? [whole, 1 / 20, 1 / 4] : [short, 1 / 2, 1 / 2];
    this.#beginsWithWords = isUsual(usual, ofWords, beginsWithWords);
    this.#hasSpacedValues = isUsual(usual, ofSpaces, hasSpacedValues);
    // A writer that omits blank values leaves none at the end of a row.
    this.#endsWithoutBlanks = !records.some(({ values }) => isAllBlank(values.slice(-1)));
    // A tenth is more than slips are, and less than the pieces among the rows of a writer who quotes no line break.
    this.#omitsBlanks =
      short.length > 0 &&
      short.length * 10 >= records.length &&
      records.filter((record) => this.#isText(record)).length * 10 < records.length &&
      this.#endsWithoutBlanks &&
      !this.#runsOf(rows).every((run) => mayBePieces(run, this.#named));
  }

  /** Decides on the first of the held rows. Undefined if the decision needs more rows. */
  decide(held: readonly Held[], isEnd: boolean): RowKind | undefined {
    const kind = this.#decide(held, isEnd);
    const [first] = held;
    if (kind !== undefined && first !== undefined) {
      this.#wasRejected = kind === "piece" || isBroken(first) || !(this.#isWhole(first) || this.isShort(first));
      // No whole row is the rest of a whole one: otherwise one slip could take all rows behind it.
      this.#isBehindRejected = this.#wasRejected && (isBroken(first) || !this.#isWhole(first));
    }
    return kind;
  }

  #decide(held: readonly Held[], isEnd: boolean): RowKind | undefined {
    const [first, next] = held;
    if (!this.isShort(first)) {
      this.#blockWidth = undefined;
      const isRest = this.#isBehindRejected && first !== undefined && !isBroken(first) && this.#isText(first);
      return isRest ? "piece" : "whole";
    }
    if (first.values.length === this.#blockWidth && !this.#isPiece(first)) return "short";
    this.#blockWidth = undefined;
    if (this.#omitsBlanks) {
      if (next === undefined && !isEnd) return undefined;
      const isCut = this.#isPiece(first) || (this.isShort(next) && this.#isPiece(next));
      return isCut ? "piece" : "short";
    }
    return this.#decideOnBlock(first, held, isEnd);
  }

  #decideOnBlock(first: CsvRecord, held: readonly Held[], isEnd: boolean): RowKind | undefined {
    const width = first.values.length;
    const other = held.findIndex((row) => !this.isShort(row) || row.values.length !== width || this.#isPiece(row));
    const count = other === -1 ? held.length : other;
    if (width > 1 && (count >= blockRows || (isEnd && other === -1 && count >= lastBlockRows))) {
      this.#blockWidth = width;
      return "short";
    }
    if (other === -1 && !isEnd && count < blockRows) return undefined;
    const isAlone = other === 1 && !this.#wasRejected && this.#isPlainlyWhole(held[1]);
    return isAlone && this.#endsWithoutBlanks && width > 1 ? "short" : "piece";
  }

  /** Whether a row has all values, and does not look like a piece of text. */
  #isPlainlyWhole(row: Held | undefined): boolean {
    return row !== undefined && !isBroken(row) && this.#isWhole(row) && !this.#isText(row);
  }

  #isWhole({ values }: CsvRecord): boolean {
    return values.length >= this.#named && values.length <= this.#columns + this.#surplus;
  }

  /** Whether a row looks like a piece of text: it begins with words, or has spaces behind commas, unlike whole rows. */
  #isText(record: CsvRecord): boolean {
    return this.#isPiece(record) || (!this.#hasSpacedValues && hasSpacedValues(record));
  }

  /** The same where short rows are usual: of a real file's whole values in quotes, one in a hundred begins with a space. */
  #isPiece(record: CsvRecord): boolean {
    return !this.#beginsWithWords && beginsWithWords(record);
  }

  /** Short rows that follow each other. */
  #runsOf(rows: readonly Held[]): Run[] {
    const runs: Run[] = [];
    let run: Run | undefined;
    for (const row of rows) {
      if (!this.isShort(row)) {
        if (run !== undefined) run.isOpen = false;
        run = undefined;
      } else if (run === undefined) {
        run = { widths: [row.values.length], isOpen: true };
        runs.push(run);
      } else run.widths.push(row.values.length);
    }
    return runs;
  }
}

/** The rows that could be read. */
export function recordsIn(rows: readonly Held[]): CsvRecord[] {
  return rows.flatMap((row) => (isBroken(row) ? [] : [row]));
}

interface Run {
  /** Numbers of values of the rows. */
  widths: number[];
  /** Whether the run may go on behind the first rows. */
  isOpen: boolean;
}

/**
 * Whether short rows that follow each other may be rows that were cut at line breaks: the pieces of each have its commas
 * together. Rows that all have the same number of values omit blank ones.
 */
function mayBePieces({ widths, isOpen }: Run, columns: number): boolean {
  if (new Set(widths).size === 1) return false;
  let commas = 0;
  for (const width of widths) {
    if (commas === columns - 1 && width > 1) commas = 0;
    commas += width - 1;
    if (commas > columns - 1) return false;
  }
  return isOpen || commas === columns - 1;
}

/** The least of the numbers, without the least tenth of them. */
function leastOfMost(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 10)] ?? 0;
}

function isUsual(records: readonly CsvRecord[], share: number, is: (record: CsvRecord) => boolean): boolean {
  return records.filter(is).length > share * records.length;
}

function beginsWithWords({ values: [first = ""] }: CsvRecord): boolean {
  return /\S\s+\S/.test(first);
}

function hasSpacedValues({ values }: CsvRecord): boolean {
  return values.slice(1).some((value) => /^\s+\S/.test(value));
}

function isAllBlank(values: readonly string[]): boolean {
  return values.every((value) => value.trim() === "");
}
