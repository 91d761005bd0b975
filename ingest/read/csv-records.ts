import { parse } from "csv-parse/sync";
import type { Line } from "./lines.ts";
import { type BrokenRow, isBroken } from "./row.ts";

/** A record of a CSV file: its values, and the line on which it begins. */
export interface CsvRecord {
  line: number;
  values: string[];
  /** True of a last record that has no line break behind it. */
  isUnterminated?: boolean;
}

/** One record may span this much. Beyond it, a quote was left open, and the lines are taken apart again. */
const longestRecordLines = 2_000;
const longestRecordCharacters = 4_000_000;
/** csv-parse takes 115 us for a record of 500 characters by itself and 9 us among 200. */
const groupSize = 200;

/**
 * Puts lines together to CSV records, and has csv-parse read those.
 *
 * csv-parse by itself reads on to the end of the file when a quote is left open. Here, a record that
 * does not parse costs its first line only: the lines after it are tried anew.
 */
export class CsvRecordReader {
  #group: Line[] = [];
  #open: Line[] = [];
  #openCharacters = 0;
  #openQuotes = 0;
  /** How many values a record has: as many as the header. */
  #width: number | undefined;
  #cutLine: number | undefined;

  /** @param width how many values a record has, where that is known; else as many as the first. */
  constructor(width?: number) {
    this.#width = width;
  }

  /** The line of the record in whose quotes the input ended; known after {@link end}. */
  get cutLine(): number | undefined {
    return this.#cutLine;
  }

  /** The records that this line completes. */
  add(line: Line): (CsvRecord | BrokenRow)[] {
    const results: (CsvRecord | BrokenRow)[] = [];
    const queue = [line];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (next.isCut) {
        results.push(...this.end(), { line: next.number, reason: "the line is longer than 16 MB", text: next.text });
      } else if (this.#open.length === 0 && quotesIn(next.text) % 2 === 0) {
        if (next.text.trim() !== "") this.#group.push(next);
        if (this.#group.length >= groupSize || this.#width === undefined) results.push(...this.#readGroup());
      } else {
        this.#addOpen(next, results, queue);
      }
    }
    return results;
  }

  /** The records that are whole, where the input failed: what is open may lack its other half. */
  whole(): (CsvRecord | BrokenRow)[] {
    return this.#readGroup();
  }

  /** The records that the end of the input completes. */
  end(): (CsvRecord | BrokenRow)[] {
    const results = this.#readGroup();
    const [first, ...rest] = this.#takeOpen();
    if (first === undefined) return results;
    const alone = this.#readAlone(first);
    const following = isBroken(alone) ? this.#recordsIn(rest) : undefined;
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
   * The records that the lines behind an open quote are, where they are plainly records, so that the quote was a slip:
   * whole ones, each with as many values as the header. The text of a cut value has no commas without a space behind
   * them, or not so many in every line. Undefined where it may be such a text.
   */
  #recordsIn(lines: readonly Line[]): CsvRecord[] | undefined {
    const [width, last] = [this.#width ?? 1, lines.at(-1)];
    if (last?.isTerminated !== true || width < 2) return undefined;
    const reader = new CsvRecordReader(width);
    const found = [...lines.flatMap((line) => reader.add(line)), ...reader.whole()];
    const records = found.flatMap((record) => (isBroken(record) ? [] : [record]));
    const separators = records.map(({ values }) => values.slice(1).filter((value) => !/^\s/.test(value)).length);
    const isPlain = separators.every((count) => count >= width - 1) && separators.length * (width - 1) >= 3;
    return isPlain && records.length === found.length && reader.#open.length === 0 ? records : undefined;
  }

  /** A record's quotes are even in number, and those of its first lines odd, if a value has line breaks. */
  #addOpen(line: Line, results: (CsvRecord | BrokenRow)[], queue: Line[]): void {
    this.#open.push(line);
    this.#openQuotes += quotesIn(line.text);
    this.#openCharacters += line.text.length;
    const isTooLong = this.#open.length > longestRecordLines || this.#openCharacters > longestRecordCharacters;
    if (this.#openQuotes % 2 === 1 && !isTooLong) return;

    results.push(...this.#readGroup());
    const lines = this.#takeOpen();
    const [first, ...rest] = lines;
    if (first === undefined) return;
    const values = isTooLong ? undefined : parseOne(lines.map(({ text }) => text).join("\n"));
    // A last row whose quotes are closed, and that is then cut, is short.
    const isCut = values !== undefined && !line.isTerminated && values.length < (this.#width ?? 0);
    if (values !== undefined && (isCut || this.#fits(values))) {
      results.push(recordOf(first.number, values, lines.at(-1)));
    } else {
      results.push(this.#readAlone(first));
      queue.unshift(...rest);
    }
  }

  #takeOpen(): Line[] {
    const lines = this.#open;
    this.#open = [];
    this.#openQuotes = 0;
    this.#openCharacters = 0;
    return lines;
  }

  #readGroup(): (CsvRecord | BrokenRow)[] {
    const lines = this.#group;
    this.#group = [];
    if (lines.length === 0) return [];
    const records = parseAll(lines.map(({ text }) => text).join("\n"));
    const results =
      records?.length === lines.length
        ? lines.map((line, index) => recordOf(line.number, records[index] ?? [], line))
        : lines.map((line) => this.#readAlone(line));
    const [first] = results;
    if (first !== undefined && !isBroken(first)) this.#width ??= first.values.length;
    return results;
  }

  /** One line by itself. A quote in the middle of a value (6" pipe) is taken as it stands. */
  #readAlone(line: Line): CsvRecord | BrokenRow {
    const { number, text } = line;
    const strict = parseOne(text);
    if (strict !== undefined) return recordOf(number, strict, line);
    const relaxed = parseOne(text, { relax_quotes: true });
    if (relaxed !== undefined && this.#fits(relaxed)) return recordOf(number, relaxed, line);
    return { line: number, reason: "the quotes of this line do not match", text };
  }

  #fits(values: string[]): boolean {
    this.#width ??= values.length;
    return values.length === this.#width;
  }
}

function recordOf(line: number, values: string[], last: Line | undefined): CsvRecord {
  return last?.isTerminated === false ? { line, values, isUnterminated: true } : { line, values };
}

function parseOne(text: string, options: { relax_quotes?: true } = {}): string[] | undefined {
  const records = parseAll(text, options);
  return records?.length === 1 ? records[0] : undefined;
}

function parseAll(text: string, options: { relax_quotes?: true } = {}): string[][] | undefined {
  try {
    return parse(text, { relax_column_count: true, record_delimiter: "\n", ...options });
  } catch {
    return undefined;
  }
}

function quotesIn(text: string): number {
  let count = 0;
  for (let place = text.indexOf('"'); place !== -1; place = text.indexOf('"', place + 1)) count++;
  return count;
}
