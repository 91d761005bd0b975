// The build for browsers, because the other one needs Node.
import { stringify } from "csv-stringify/browser/esm/sync";
import { membersOf } from "../catalogue/fields.generated.ts";
import { guardFormula } from "./formula.ts";

/** A record, which may have details. */
type Detailed = object & { details?: object | undefined };

/**
 * Writes records as CSV (RFC 4180): UTF-8, CRLF, null as an empty cell. Text that a spreadsheet might run as a formula gets
 * an apostrophe in front. A list's items are separated by `; `; an item is quoted if it contains `;`, a quote or a line
 * break, begins or ends with white space, or is empty. Each of a record's details has a column of its own; a document is its
 * address, an assistance listing its number and title, a place its parts.
 *
 * @param records groups of records. A group is read when its lines are asked for.
 * @yields the header line with the first group's lines, then each further group's lines.
 */
export async function* writeCsv(
  columns: readonly string[],
  records: AsyncIterable<readonly Detailed[]>,
): AsyncGenerator<string> {
  let header = true;
  for await (const group of records) {
    yield stringify(group.map(recordToCells), {
      header,
      columns: [...columns],
      record_delimiter: "\r\n",
      // Off by default once the delimiter is given. Most readers would end the record at an unquoted line break.
      quote_record_delimiter: true,
      quoted_match: [bareSpace, otherBreak],
    });
    header = false;
  }
}

/** White space at either end, which readers may drop outside quotes. */
const bareSpace = /^[\s\ufeff]|[\s\ufeff]$/;
/** Control characters and Unicode's line breaks. Some readers end a line at them. */
const otherBreak = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Cells of a record. Each of its details has a cell of its own. */
function recordToCells({ details = {}, ...record }: Detailed): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries({ ...record, ...details }).map(([name, value]) => [name, valueToCell(value, membersOf[name])]),
  );
}

function valueToCell(value: unknown, members?: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => quoteItem(guardFormula(itemText(item, members)))).join("; ");
  // A number is not text that somebody wrote: -5 stays a number.
  if (typeof value === "boolean") return String(value);
  return typeof value === "string"
    ? guardFormula(value)
    : isObject(value)
      ? guardFormula(objectText(value, members))
      : value;
}

function itemText(item: unknown, members?: readonly string[]): string {
  return isObject(item) ? objectText(item, members) : String(item);
}

/** Writes an object with an address as the address, an assistance listing as number and title, any other as its members. */
function objectText(value: Readonly<Record<string, unknown>>, members: readonly string[] = Object.keys(value)): string {
  if (typeof value.url === "string") return value.url;
  const parts = members.map((name) => value[name]).filter((part) => part !== null && part !== undefined);
  return parts.join("number" in value ? " " : ", ");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function quoteItem(item: string): string {
  const isPlain = item !== "" && !/[;"]/.test(item) && !bareSpace.test(item) && !otherBreak.test(item);
  return isPlain ? item : `"${item.replaceAll('"', '""')}"`;
}
