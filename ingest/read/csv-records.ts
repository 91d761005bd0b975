import { parse } from "csv-parse/sync";
import type { Line } from "./lines.ts";
import { type BrokenRow, isBroken } from "./row.ts";

/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which it begins. */
  line: number;
  values: string[];
  /** True for a last record without a line break after it. */
  isUnterminated?: boolean;
}

/** Maximum of one record. In a longer one, a quote was left open, and the lines are read one by one again. */
const maxRecordLines = 2_000;
const maxRecordCharacters = 4_000_000;
/** Lines parsed together: csv-parse takes 115 us for a record of 500 characters alone, and 9 us in a group of 200. */
const groupSize = 200;
const groupCharacters = 4_000_000;

/**
 * Joins lines to CSV records and parses those with csv-parse.
 *
 * If a quote is left open, csv-parse alone would read to the end of the file. Here, a record that does not parse costs
 * only its first line: the lines after it are tried again.
 */
export class CsvRecordReader {
  #group: Line[] = [];
  #groupCharacters = 0;
  #open: Line[] = [];
  #openCharacters = 0;
  #openQuotes = 0;
  /** Whether a record showed that the file's writer escapes quotes by backslashes, as MySQL does: `\\"`. */
  #hasBackslashes = false;
  /** Number of values in a record: that of the header. */
  #width: number | undefined;
  #cutLine: number | undefined;

  /** @param width number of values in a record. Default: that of the first record. */
  constructor(width?: number) {
    this.#width = width;
  }

  /** First line of the record within whose quotes the input ended; set by {@link end}. */
  get cutLine(): number | undefined {
    return this.#cutLine;
  }

  /** Adds a line and returns the records that it completes. */
  add(line: Line): (CsvRecord | BrokenRow)[] {
    const results: (CsvRecord | BrokenRow)[] = [];
    const queue = [line];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (next.isTruncated) {
        results.push(...this.end(), { line: next.number, reason: "the line is longer than 16 MB", text: next.text });
      } else if (this.#open.length === 0 && this.#countQuotes(next.text) % 2 === 0) {
        if (next.text.trim() !== "" && !this.#isSeparatorLine(next)) this.#addToGroup(next);
        const isLarge = this.#group.length >= groupSize || this.#groupCharacters >= groupCharacters;
        if (isLarge || this.#width === undefined) results.push(...this.#readGroup());
      } else {
        this.#addOpen(next, results, queue);
      }
    }
    return results;
  }

  /** Returns the complete records after the input failed. An open record is dropped, since its end may be missing. */
  takeWhole(): (CsvRecord | BrokenRow)[] {
    return this.#readGroup();
  }

  /** Returns the records that the end of the input completes. */
  end(): (CsvRecord | BrokenRow)[] {
    const results = this.#readGroup();
    const [first, ...rest] = this.#takeOpen();
    if (first === undefined) return results;
    const alone = this.#readAlone(first);
    const following = isBroken(alone) ? this.#parseFollowing(rest) : undefined;
    if (!isBroken(alone)) {
      results.push(alone);
      for (const line of rest) results.push(...this.add(line));
      results.push(...this.end());
    } else if (following !== undefined) {
      results.push(alone, ...following);
    } else {
      this.#cutLine = first.number;
      const text = [first, ...rest].map((line) => line.text).join("\n");
      results.push({ line: first.number, reason: "the file ends within the quotes of this row", text });
    }
    return results;
  }

  /**
   * Parses the lines after an open quote as records, if they clearly are records, so that the quote was a mistake: all
   * complete, each with as many values as the header. In the text of a cut value, commas are followed by a space, or
   * there are fewer of them. Returns undefined if the lines may be such a text.
   */
  #parseFollowing(lines: readonly Line[]): CsvRecord[] | undefined {
    const [width, last] = [this.#width ?? 1, lines.at(-1)];
    if (last?.isTerminated !== true || width < 2) return undefined;
    const reader = new CsvRecordReader(width);
    const found = [...lines.flatMap((line) => reader.add(line)), ...reader.takeWhole()];
    const records = found.flatMap((record) => (isBroken(record) ? [] : [record]));
    const separators = records.map(({ values }) => countSeparators(values));
    const isPlain = separators.every((count) => count >= width - 1) && separators.length * (width - 1) >= 3;
    return isPlain && records.length === found.length && reader.#open.length === 0 ? records : undefined;
  }

  /** Adds a line to the open record. A record is complete when its number of quotes is even. */
  #addOpen(line: Line, results: (CsvRecord | BrokenRow)[], queue: Line[]): void {
    this.#open.push(line);
    this.#openQuotes += this.#countQuotes(line.text);
    this.#openCharacters += line.text.length;
    const isTooLong = this.#open.length > maxRecordLines || this.#openCharacters > maxRecordCharacters;
    if (this.#openQuotes % 2 === 1 && !isTooLong) return;

    results.push(...this.#readGroup());
    const lines = this.#takeOpen();
    const [first, ...rest] = lines;
    if (first === undefined) return;
    const text = lines.map(({ text }) => text).join("\n");
    const values = isTooLong ? undefined : (parseOne(text) ?? this.#parseBackslashes(text));
    // A last row that was cut after its quotes closed has too few values.
    const isCut = values !== undefined && !line.isTerminated && values.length < (this.#width ?? 0);
    if (values !== undefined && (isCut || this.#fits(values) || this.#omitsBlanks(values, rest))) {
      results.push(toRecord(first.number, values, lines.at(-1)));
    } else {
      results.push(this.#readAlone(first));
      queue.unshift(...rest);
    }
  }

  /** Whether a line stands above the header and names the separator for Excel: `sep=,`. */
  #isSeparatorLine({ text }: Line): boolean {
    return this.#width === undefined && /^"?sep=[^"]?"?$/i.test(text);
  }

  #takeOpen(): Line[] {
    const lines = this.#open;
    this.#open = [];
    this.#openQuotes = 0;
    this.#openCharacters = 0;
    return lines;
  }

  #addToGroup(line: Line): void {
    this.#group.push(line);
    this.#groupCharacters += line.text.length;
  }

  #readGroup(): (CsvRecord | BrokenRow)[] {
    const lines = this.#group;
    this.#group = [];
    this.#groupCharacters = 0;
    if (lines.length === 0) return [];
    const records = parseAll(lines.map(({ text }) => text).join("\n"));
    const results =
      records?.length === lines.length
        ? lines.map((line, index) => toRecord(line.number, records[index] ?? [], line))
        : lines.map((line) => this.#readAlone(line));
    const [first] = results;
    if (first !== undefined && !isBroken(first)) this.#width ??= first.values.length;
    return results;
  }

  /** Parses one line alone. A quote in the middle of a value (6" pipe) is kept as a character. */
  #readAlone(line: Line): CsvRecord | BrokenRow {
    const { number, text } = line;
    const strict = parseOne(text);
    if (strict !== undefined) return toRecord(number, strict, line);
    const escaped = this.#parseBackslashes(text);
    if (escaped !== undefined) return toRecord(number, escaped, line);
    const relaxed = mixesQuotes(text) ? undefined : parseOne(text, { relax_quotes: true });
    if (relaxed !== undefined && this.#fits(relaxed)) return toRecord(number, relaxed, line);
    const advice = mixesQuotes(text)
      ? '; quotes within a value are doubled ("") or have a backslash (\\"), not both'
      : "";
    return { line: number, reason: `the quotes of this line do not match${advice}`, text };
  }

  /** Parses a record whose quotes have backslashes. Undefined where it has none, or not the header's number of values. */
  #parseBackslashes(text: string): string[] | undefined {
    if (!text.includes('\\"')) return undefined;
    const values = parseOne(text, { escape: "\\" });
    if (values === undefined || !this.#fits(values)) return undefined;
    this.#hasBackslashes = true;
    return values;
  }

  #countQuotes(text: string): number {
    return countQuotes(this.#hasBackslashes ? text.replaceAll(/\\[\\"]/g, "") : text);
  }

  /** Whether a record has the header's number of values, and behind them only blank ones. */
  #fits(values: string[]): boolean {
    this.#width ??= values.length;
    return values.length >= this.#width && values.slice(this.#width).every((value) => value.trim() === "");
  }

  /**
   * Whether a record of several lines has fewer values than the header because it omits blank ones at its end. Otherwise
   * its quotes are two slips, and there are rows between them: a line behind its first has as many values as itself.
   */
  #omitsBlanks(values: string[], rest: readonly Line[]): boolean {
    const isRow = ({ text }: Line) => {
      const own = parseOne(text) ?? parseOne(text, { relax_quotes: true });
      return own !== undefined && countSeparators(own) >= values.length - 1;
    };
    return values.length < (this.#width ?? 0) && !rest.some(isRow);
  }
}

/** Number of commas that separate values. In a text, a space follows a comma. */
function countSeparators(values: readonly string[]): number {
  return values.slice(1).filter((value) => !/^\s/.test(value)).length;
}

function toRecord(line: number, values: string[], last: Line | undefined): CsvRecord {
  return last?.isTerminated === false ? { line, values, isUnterminated: true } : { line, values };
}

/** Whether a line has values in quotes, and quotes with backslashes: a value's end cannot be told from a quote in it. */
function mixesQuotes(text: string): boolean {
  return /(^|,)"/.test(text) && text.includes('\\"');
}

interface QuoteOptions {
  relax_quotes?: true;
  escape?: "\\";
}

function parseOne(text: string, options: QuoteOptions = {}): string[] | undefined {
  const records = parseAll(text, options);
  return records?.length === 1 ? records[0] : undefined;
}

function parseAll(text: string, options: QuoteOptions = {}): string[][] | undefined {
  try {
    return parse(text, { relax_column_count: true, record_delimiter: "\n", ...options });
  } catch {
    return undefined;
  }
}

function countQuotes(text: string): number {
  let count = 0;
  for (let index = text.indexOf('"'); index !== -1; index = text.indexOf('"', index + 1)) count++;
  return count;
}
