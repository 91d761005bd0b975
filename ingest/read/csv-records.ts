import { parse } from "csv-parse/sync";
import type { Line } from "./lines.ts";
import { type BrokenRow, isBroken } from "./row.ts";

/** A record of a CSV file: its values, and the line on which it begins. */
export interface CsvRecord {
  line: number;
  values: string[];
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
    while (this.#open.length > 0) {
      const [first, ...rest] = this.#takeOpen();
      if (first !== undefined) results.push(this.#readAlone(first));
      for (const line of rest) results.push(...this.add(line));
      results.push(...this.#readGroup());
    }
    return results;
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
    if (values !== undefined && this.#fits(values)) {
      results.push({ line: first.number, values });
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
        ? lines.map(({ number }, index) => ({ line: number, values: records[index] ?? [] }))
        : lines.map((line) => this.#readAlone(line));
    const [first] = results;
    if (first !== undefined && !isBroken(first)) this.#width ??= first.values.length;
    return results;
  }

  /** One line by itself. A quote in the middle of a value (6" pipe) is taken as it stands. */
  #readAlone({ number, text }: Line): CsvRecord | BrokenRow {
    const strict = parseOne(text);
    if (strict !== undefined) return { line: number, values: strict };
    const relaxed = parseOne(text, { relax_quotes: true });
    if (relaxed !== undefined && this.#fits(relaxed)) return { line: number, values: relaxed };
    return { line: number, reason: "the quotes of this line do not match", text };
  }

  #fits(values: string[]): boolean {
    this.#width ??= values.length;
    return values.length === this.#width;
  }
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
