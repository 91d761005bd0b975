import { guardFormula } from "./formula-guard.ts";

/**
 * Records as CSV (RFC 4180): UTF-8, CRLF, null as nothing. Text that a spreadsheet might run as a formula has an apostrophe
 * before it. A list's items are separated by `; `; an item that contains `;`, a quote or a line break, begins or ends with
 * space or is empty, is in quotes.
 *
 * @param records pages of them, one after the other.
 * @yields the header line with the first page's lines, then each page's lines.
 */
export async function* csvOf(
  columns: readonly string[],
  records: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  // Only those who ask for CSV wait for it. The build for browsers, since the other needs Node.
  const { stringify } = await import("csv-stringify/browser/esm/sync");
  let header = true;
  for await (const page of records) {
    yield stringify(page.map(recordToCells), {
      header,
      columns: [...columns],
      record_delimiter: "\r\n",
      // Off by default where the delimiter is given. A line break left bare would end the record in most readers.
      quote_record_delimiter: true,
      quoted_match: [bareSpace, otherBreak],
    });
    header = false;
  }
}

/** Readers may drop it outside quotes. */
const bareSpace = /^[\s\ufeff]|[\s\ufeff]$/;
/** Control characters and Unicode's line breaks, which end a line in some readers. */
const otherBreak = /[\p{Cc}\p{Zl}\p{Zp}]/u;

function recordToCells(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, valueToCell(value)]));
}

function valueToCell(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => quoteItem(guardFormula(String(item)))).join("; ");
  // A number is none that somebody wrote: -5 stays one.
  return typeof value === "string" ? guardFormula(value) : value;
}

function quoteItem(item: string): string {
  const isPlain = item !== "" && !/[;"]/.test(item) && !bareSpace.test(item) && !otherBreak.test(item);
  return isPlain ? item : `"${item.replaceAll('"', '""')}"`;
}
