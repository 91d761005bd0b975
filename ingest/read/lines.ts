import { maxRecordSize } from "./bounds.ts";
import { decode } from "./decode.ts";

/** A line of the input, without its line break. */
export interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
  /** Whether the line was longer than the limit, so that `text` is only its beginning. */
  isTruncated: boolean;
  /** False for a last line without a line break after it. */
  isTerminated: boolean;
}

const keptOfCutLineBytes = 1_000;
const lineFeed = 10;

/**
 * Splits bytes into lines at `\n` and any `\r` before it: some programs on Windows write `\r\r\n`. Each line is decoded by
 * itself; see `decode.ts`.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes = maxRecordSize,
): AsyncGenerator<Line> {
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;

  const keep = (piece: Uint8Array) => {
    const wasCut = length > maximumBytes;
    length += piece.length;
    if (!wasCut) pieces.push(piece);
    if (!wasCut && length > maximumBytes) pieces = [Buffer.concat(pieces).subarray(0, keptOfCutLineBytes)];
  };
  const finish = (isTerminated: boolean): Line => {
    const isTruncated = length > maximumBytes;
    const text = withoutReturns(decode(Buffer.concat(pieces)));
    const line = { number, text, isTruncated, isTerminated };
    number++;
    pieces = [];
    length = 0;
    return line;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, end));
      yield finish(true);
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (length > 0) yield finish(false);
}

/** Removes the carriage returns at the end of a line. An expression would take quadratic time for a line of them. */
function withoutReturns(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\r") end--;
  return text.slice(0, end);
}
