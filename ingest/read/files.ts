import { InputError } from "../errors.ts";
import { BarrenBound, BoundError, UnpackingBound } from "./bounds.ts";
import { ByteReader } from "./byte-reader.ts";
import { gunzip } from "./inflate.ts";
import type { ReadRows, Row } from "./row.ts";
import { readZipMembers } from "./zip.ts";

/** A file to be imported, or standard input. */
export interface InputFile {
  /** Name in the rows of this file; absent when there is only one file. */
  label?: string;
  chunks: AsyncIterable<Uint8Array>;
}

/**
 * Yields the rows of files, one after the other. Gzip is unpacked; of a zip archive, every file of data is read.
 *
 * @param onBytes is told how much was read since the last call, unpacked.
 * @throws {InputError} when a file is empty, cut short, damaged, of another kind or beyond a bound.
 */
export async function* readFiles(
  files: Iterable<InputFile> | AsyncIterable<InputFile>,
  read: ReadRows,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<Row> {
  for await (const file of files) {
    for await (const { label, chunks } of unpackFile(file)) {
      const barren = new BarrenBound();
      const measured = measureChunks(chunks, (chunk) => {
        onBytes(chunk.length);
        barren.add(chunk);
      });
      try {
        for await (const row of read(checkText(measured))) {
          barren.reset();
          yield label === undefined ? row : { ...row, file: label };
        }
      } catch (error) {
        const isMember = label !== undefined && label !== file.label;
        throw error instanceof BoundError && isMember ? new InputError(`${error.message}, in ${label}`) : error;
      }
    }
  }
}

async function* measureChunks(
  chunks: AsyncIterable<Uint8Array>,
  measure: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    measure(chunk);
    yield chunk;
  }
}

async function* unpackFile({ label, chunks }: InputFile): AsyncGenerator<InputFile> {
  const input = new ByteReader(chunks);
  const beginning = await input.exactly(4);
  input.unread(beginning);
  if (startsWith(beginning, [0x1f, 0x8b])) {
    yield { ...(label === undefined ? {} : { label }), chunks: gunzip(input, new UnpackingBound()) };
  } else if (startsWith(beginning, [0x50, 0x4b, 0x03, 0x04])) {
    yield* readDataMembers(input, label);
  } else {
    yield { ...(label === undefined ? {} : { label }), chunks: input.rest() };
  }
}

async function* readDataMembers(input: ByteReader, label: string | undefined): AsyncGenerator<InputFile> {
  let hasData = false;
  let isOffice = false;
  for await (const { name, chunks } of readZipMembers(input)) {
    const kind = officeKinds.find(([pattern]) => pattern.test(name))?.[1];
    if (kind !== undefined) throw new InputError(kind);
    isOffice ||= isOfficePart(name);
    if (isData(name) && !isOffice) {
      hasData = true;
      yield { label: label === undefined ? name : `${label}/${name}`, chunks };
    } else {
      for await (const _ of chunks); // Skipped: the next file is behind it.
    }
  }
  if (isOffice) throw new InputError("is an Office document, not data; save its table as CSV (UTF-8) first");
  if (!hasData) throw new InputError("has no XML, CSV or JSON in its archive");
}

/** Files by which an Office document, which is an archive of XML files, is recognized. */
const officeKinds: readonly [name: RegExp, predicate: string][] = [
  [/^xl\//, "is an Excel workbook (.xlsx); save it as CSV (UTF-8) first"],
  [/^word\//, "is a Word document (.docx), not data; save its table as CSV (UTF-8) first"],
  [/^ppt\//, "is a PowerPoint presentation (.pptx), not data"],
  [/^META-INF\/manifest\.xml$/, "is an OpenDocument file (.ods); save it as CSV (UTF-8) first"],
];

/** Whether a file may precede those, since programs write them in different orders. */
function isOfficePart(name: string): boolean {
  return /^(\[Content_Types\]\.xml|_rels\/.*|docProps\/.*|customXml\/.*|mimetype)$/.test(name);
}

/** Whether a file of an archive is data, and no folder, readme or metadata of macOS. */
function isData(name: string): boolean {
  return /\.(xml|csv|json|ndjson|jsonl)$/i.test(name) && !/(^|\/)(\.|__MACOSX\/)/.test(name);
}

/** First bytes of files that are not text in UTF-8, whatever their name says. */
const magicNumbers: readonly [bytes: number[], predicate: string][] = [
  [[0x1f, 0x8b], "is packed twice; unpack it once first"],
  [[0x50, 0x4b], "is an archive within one; unpack it once first"],
  [[0x25, 0x50, 0x44, 0x46], "is a PDF file"],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    "is an old Excel workbook (.xls) or another old Office file; save it as CSV (UTF-8) first",
  ],
  [[0x42, 0x5a, 0x68], "is packed with bzip2; unpack it first"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "is packed with xz; unpack it first"],
  [[0x28, 0xb5, 0x2f, 0xfd], "is packed with zstd; unpack it first"],
  [[0x37, 0x7a, 0xbc, 0xaf], "is a 7z archive; unpack it first"],
  [[0x52, 0x61, 0x72, 0x21], "is a RAR archive; unpack it first"],
  [[0x50, 0x41, 0x52, 0x31], "is a Parquet file; write it as CSV or ndjson first"],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], "is an SQLite database; write its table as CSV first"],
  [[0xff, 0xfe], "is in UTF-16; convert it to UTF-8 first (iconv -f utf-16 -t utf-8)"],
  [[0xfe, 0xff], "is in UTF-16; convert it to UTF-8 first (iconv -f utf-16 -t utf-8)"],
];

/** Bytes from which the kind of a file is detected. */
const beginningBytes = 64;

async function* checkText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const kept: Uint8Array[] = [];
  let length = 0;
  let isKnown = false;
  try {
    for await (const chunk of chunks) {
      if (isKnown) yield chunk;
      else {
        // A copy, since the stream may use the chunk's memory again.
        kept.push(Uint8Array.from(chunk));
        length += chunk.length;
        isKnown = length >= beginningBytes;
        if (isKnown) yield checkBeginning(kept);
      }
    }
  } catch (error) {
    // The bytes before the failure are still read.
    if (!isKnown && length > 0 && !(error instanceof OtherKindError)) yield checkBeginning(kept);
    throw error;
  }
  if (length === 0) throw new InputError("is empty");
  if (!isKnown) yield checkBeginning(kept);
}

class OtherKindError extends InputError {}

/** Returns the first bytes of a file. @throws {OtherKindError} when the file is not text in UTF-8. */
function checkBeginning(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat(pieces);
  const other = magicNumbers.find(([beginning]) => startsWith(bytes, beginning));
  if (other !== undefined) throw new OtherKindError(other[1]);
  if (/^(\xef\xbb\xbf)?\s*<(!doctype\s+html|html)\b/i.test(bytes.subarray(0, beginningBytes).toString("latin1"))) {
    throw new OtherKindError("begins like XML or HTML: perhaps it is a web page, such as an error or a sign-in page");
  }
  return bytes;
}

function startsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, index) => bytes[index] === byte);
}
