import { decode, decodeUtf8 } from "./decode.ts";

const lineFeed = 10;
const lessThan = 60;
/** Maximum of a piece without a line break or a `<`. It then ends behind any character. */
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
    if (boundary <= 0 && isLong) {
      const bytes = Buffer.concat([...rest, chunk]);
      const end = endOfCharacters(bytes);
      yield decodeLines(bytes.subarray(0, end));
      rest = [Uint8Array.from(bytes.subarray(end))];
      restBytes = bytes.length - end;
      continue;
    }
    const hasPiece = boundary > 0 || (restBytes > 0 && chunk[0] === lessThan);
    const end = Math.max(boundary, 0);
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

/** Returns the end of the last UTF-8 character that is whole: the end, or up to three bytes before it. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let start = bytes.length - 1; start >= bytes.length - 3; start--) {
    const byte = bytes[start] ?? 0;
    // Bytes from 0x80 to 0xbf continue a character.
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return start + length > bytes.length ? start : bytes.length;
  }
  return bytes.length;
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
