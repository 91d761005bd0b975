/** A line of the input, without its line break. */
export interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
  /** True when the line was longer than the limit, and `text` is only its beginning. */
  isCut: boolean;
}

/** 16 MiB: no record is that long, but a file without line breaks is, and must not fill the memory. */
const longestLineBytes = 16 * 1024 * 1024;
const keptOfCutLineBytes = 1_000;
const lineFeed = 10;

/** Splits bytes into lines at `\n` or `\r\n`. Text is decoded line by line; see {@link decode}. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes = longestLineBytes,
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
  const finish = (): Line => {
    const isCut = length > maximumBytes;
    const line = { number, text: decode(Buffer.concat(pieces)), isCut };
    number++;
    pieces = [];
    length = 0;
    return line;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (length > 0) yield finish();
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** What Windows-1252 has where Latin-1 has the control characters 0x80 to 0x9f. */
const windowsCharacters = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/**
 * Text from UTF-8, with or without a byte-order mark; or, when the bytes are not UTF-8, from
 * Windows-1252, in which every byte is a character and which is what spreadsheets export otherwise.
 */
function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    // Not TextDecoder's windows-1252, which is Latin-1 in Node 20.
    const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    text = latin1.replaceAll(/[\x80-\x9f]/g, (character) => windowsCharacters.charAt(character.charCodeAt(0) - 0x80));
  }
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
