import { InputError } from "../errors.ts";
import { ByteReader } from "./byte-reader.ts";
import { markedLike } from "./final-line.ts";
import { gunzipped } from "./inflate.ts";
import type { ReadRows, Row } from "./row.ts";
import { zipMembers } from "./zip.ts";

/** A file to be imported, or standard input. */
export interface InputFile {
  /** What rows say they are from; absent where there is only one file. */
  label?: string;
  chunks: AsyncIterable<Uint8Array>;
}

/**
 * The rows of these files, in turn; of every file of data in a zip archive, and of what gzip packed.
 *
 * @throws {InputError} when a file is empty, cut short, damaged or of another kind.
 */
export async function* readFiles(
  files: Iterable<InputFile> | AsyncIterable<InputFile>,
  read: ReadRows,
): AsyncGenerator<Row> {
  for await (const file of files) {
    for await (const { label, chunks } of unpackedFiles(file)) {
      for await (const row of read(asText(chunks))) {
        yield label === undefined ? row : markedLike(row, { ...row, file: label });
      }
    }
  }
}

async function* unpackedFiles({ label, chunks }: InputFile): AsyncGenerator<InputFile> {
  const input = new ByteReader(chunks);
  const beginning = await input.exactly(4);
  input.unread(beginning);
  if (startsWith(beginning, [0x1f, 0x8b])) {
    yield { ...(label === undefined ? {} : { label }), chunks: gunzipped(input) };
  } else if (startsWith(beginning, [0x50, 0x4b, 0x03, 0x04])) {
    yield* dataMembers(input, label);
  } else {
    yield { ...(label === undefined ? {} : { label }), chunks: input.rest() };
  }
}

async function* dataMembers(input: ByteReader, label: string | undefined): AsyncGenerator<InputFile> {
  let hasData = false;
  for await (const { name, chunks } of zipMembers(input)) {
    if (isData(name)) {
      hasData = true;
      yield { label: label === undefined ? name : `${label}/${name}`, chunks };
    } else {
      for await (const _ of chunks); // Read over, since the next file is behind it.
    }
  }
  if (!hasData) throw new InputError("has no XML, CSV or JSON in its archive");
}

/** Archives also hold folders, notes to the reader and what macOS adds. */
function isData(name: string): boolean {
  return /\.(xml|csv|json|ndjson|jsonl)$/i.test(name) && !/(^|\/)(\.|__MACOSX\/)/.test(name);
}

/** How files begin that are not text in UTF-8, whatever their name says. */
const otherBeginnings: readonly [bytes: number[], predicate: string][] = [
  [[0x1f, 0x8b], "is packed twice; unpack it once first"],
  [[0x50, 0x4b], "is an archive within one; unpack it once first"],
  [[0x25, 0x50, 0x44, 0x46], "is a PDF file"],
  [[0xff, 0xfe], "is in UTF-16; convert it to UTF-8 first (iconv -f utf-16 -t utf-8)"],
  [[0xfe, 0xff], "is in UTF-16; convert it to UTF-8 first (iconv -f utf-16 -t utf-8)"],
];

async function* asText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    const other = isEmpty ? otherBeginnings.find(([bytes]) => startsWith(chunk, bytes)) : undefined;
    if (other !== undefined) throw new InputError(other[1]);
    isEmpty = false;
    yield chunk;
  }
  if (isEmpty) throw new InputError("is empty");
}

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, index) => bytes[index] === byte);
}
