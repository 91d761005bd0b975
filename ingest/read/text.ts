import { decode, decodeUtf8 } from "./decode.ts";

const lineFeed = 10;
const lessThan = 60;
/** A piece without a line break or a `<` is passed on at this length, wherever it then ends. */
const longestPieceBytes = 4_000_000;

/**
 * The text of an input in pieces of about a chunk, each ending at a line break or before a `<`, so that no
 * character is split. A line that is not UTF-8 is read as Windows-1252.
 */
export async function* readText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = lastBoundary(bytes);
    if (end > 0) yield decodeLines(bytes.subarray(0, end));
    // A copy, since the stream may use the chunk's memory again.
    rest = Uint8Array.from(bytes.subarray(end));
  }
  if (rest.length > 0) yield decodeLines(rest);
}

function lastBoundary(bytes: Uint8Array): number {
  const end = Math.max(bytes.lastIndexOf(lineFeed) + 1, bytes.lastIndexOf(lessThan));
  return end === 0 && bytes.length > longestPieceBytes ? bytes.length : end;
}

function decodeLines(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    pieces.push(decode(bytes.subarray(start, end)));
    start = end;
  }
  return pieces.join("");
}
