import { decode, decodeUtf8 } from "./decode.ts";

const lineFeed = 10;
const lessThan = 60;
/** Maximum of a piece without a line break or a `<`. It then ends anywhere. */
const maxPieceBytes = 4_000_000;

/**
 * Decodes an input in pieces of about a chunk. Each ends at a line break or before a `<`, so that no character is split.
 * A line that is not UTF-8 is decoded as Windows-1252.
 */
export async function* readText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // Chunks since the last boundary. They are not searched again.
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    const boundary = Math.max(chunk.lastIndexOf(lineFeed) + 1, chunk.lastIndexOf(lessThan));
    const isLong = restBytes + chunk.length > maxPieceBytes;
    const end = boundary > 0 || !isLong ? boundary : chunk.length;
    const hasPiece = end > 0 || (restBytes > 0 && chunk[0] === lessThan);
    if (hasPiece) {
      yield decodeLines(Buffer.concat([...rest, chunk.subarray(0, end)]));
      rest = [];
      restBytes = 0;
    }
    // A copy, since the stream may use the chunk's memory again.
    rest.push(Uint8Array.from(chunk.subarray(end)));
    restBytes += chunk.length - end;
  }
  if (restBytes > 0) yield decodeLines(Buffer.concat(rest));
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
