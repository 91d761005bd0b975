import { InputError } from "../errors.ts";
import { readCsvRows } from "./csv.ts";
import { readLines } from "./lines.ts";
import { readNdjsonRows } from "./ndjson.ts";
import type { Format, Row } from "./row.ts";

/**
 * The rows of an input, one after the other, in memory that does not grow with it.
 *
 * @throws {InputError} when it is empty or of another kind.
 */
export function readRows(format: Format, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const lines = readLines(withTextBeginning(chunks));
  return format === "csv" ? readCsvRows(lines) : readNdjsonRows(lines);
}

/** How files begin that are not text in UTF-8, whatever their name says. */
const otherBeginnings: readonly [bytes: number[], predicate: string][] = [
  [[0x1f, 0x8b], "is compressed with gzip; unpack it first (gunzip -c FILE | npm run import -- ... -)"],
  [[0x50, 0x4b, 0x03, 0x04], "is a zip archive or a spreadsheet; unpack it, or export it as CSV, first"],
  [[0x25, 0x50, 0x44, 0x46], "is a PDF file"],
  [[0xff, 0xfe], "is in UTF-16; convert it to UTF-8 first (iconv -f utf-16 -t utf-8)"],
  [[0xfe, 0xff], "is in UTF-16; convert it to UTF-8 first (iconv -f utf-16 -t utf-8)"],
];

async function* withTextBeginning(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    if (isEmpty) {
      const other = otherBeginnings.find(([bytes]) => bytes.every((byte, index) => chunk[index] === byte));
      if (other !== undefined) throw new InputError(other[1]);
    }
    isEmpty = false;
    yield chunk;
  }
  if (isEmpty) throw new InputError("is empty");
}
