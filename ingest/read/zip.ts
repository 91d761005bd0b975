import { crc32 } from "node:zlib";
import { InputError } from "../errors.ts";
import { maxFiles, maxNameBytes, UnpackingBound } from "./bounds.ts";
import type { ByteReader } from "./byte-reader.ts";
import { inflate } from "./inflate.ts";

/** A file in an archive. Its bytes must be read to their end before the next one is asked for. */
export interface ZipMember {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
}

/**
 * Reads the files of a zip archive from front to end, so that the archive may come from a pipe, have any size, and lack
 * its end. Sizes and checksums are checked, whether they are before a file's bytes or after them, as in archives that
 * were written to a pipe. (PKWARE's APPNOTE.TXT, 4.3 and 4.4.)
 *
 * @throws {InputError} when the archive is cut short, damaged, encrypted or beyond a bound, after the bytes before that.
 */
export async function* readZipMembers(input: ByteReader): AsyncGenerator<ZipMember> {
  const bound = new UnpackingBound();
  for (let files = 1; ; files++) {
    const signature = await input.exactly(4);
    if (signature.length < 4) throw new InputError("is cut short: the archive has no table of contents");
    const kind = signature.readUInt32LE();
    if (kind === signatures.entryInContents || kind === signatures.endOfContents) return;
    if (kind !== signatures.file) throw new InputError("is damaged: it is not a zip archive after its first file");
    if (files > maxFiles) {
      throw new InputError(
        `has more than ${maxFiles.toLocaleString("en-US")} files in its archive. Unpack it and import the files in it`,
      );
    }
    const header = await readHeader(input);
    yield { name: header.name, chunks: memberBytes(input, header, bound) };
  }
}

const signatures = { file: 0x04034b50, entryInContents: 0x02014b50, endOfContents: 0x06054b50, sizes: 0x08074b50 };
const stored = 0;
const deflated = 8;
/** Size field whose value is in the extra field instead, in eight bytes. */
const inExtraField = 0xffffffff;

interface Header {
  name: string;
  method: number;
  /** Checksum and sizes; undefined if they follow the file's bytes. */
  sums: { crc: number; packedBytes: number; bytes: number } | undefined;
  isZip64: boolean;
}

async function readHeader(input: ByteReader): Promise<Header> {
  const fixed = await readExactly(input, 26);
  const flags = fixed.readUInt16LE(2);
  const method = fixed.readUInt16LE(4);
  const nameBytes = fixed.readUInt16LE(22);
  if (nameBytes > maxNameBytes) {
    throw new InputError(
      `has a file in its archive whose name is longer than ${maxNameBytes.toLocaleString("en-US")} bytes`,
    );
  }
  const name = (await readExactly(input, nameBytes)).toString("utf8");
  const extra = findExtraField(await readExactly(input, fixed.readUInt16LE(24)), 0x0001);
  if ((flags & 0x1) !== 0) throw new InputError("is an encrypted archive");
  if (method !== stored && method !== deflated) throw new InputError(`packs ${name} with an unknown method`);
  const isZip64 = extra !== undefined;
  if ((flags & 0x8) !== 0) {
    if (method === stored) throw new InputError(`does not give the size of ${name}`);
    return { name, method, sums: undefined, isZip64 };
  }
  const packedBytes = fixed.readUInt32LE(14);
  const bytes = fixed.readUInt32LE(18);
  const isLarge = packedBytes === inExtraField && extra !== undefined && extra.length >= 16;
  const sums = isLarge
    ? { bytes: Number(extra.readBigUInt64LE(0)), packedBytes: Number(extra.readBigUInt64LE(8)) }
    : { bytes, packedBytes };
  return { name, method, sums: { crc: fixed.readUInt32LE(10), ...sums }, isZip64 };
}

async function* memberBytes(input: ByteReader, header: Header, bound: UnpackingBound): AsyncGenerator<Uint8Array> {
  const { name, method, sums, isZip64 } = header;
  let crc = 0;
  let bytes = 0;
  for await (const chunk of method === stored
    ? readStored(input, sums?.packedBytes ?? 0)
    : inflate(input, bound, name)) {
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    yield chunk;
  }
  const expected = sums ?? (await readTrailingSums(input, isZip64));
  if (expected.crc !== crc || expected.bytes !== bytes)
    throw new InputError(`is damaged: the checksum or size of ${name} is wrong`);
}

/** Reads the trailing data descriptor, whose signature is optional. */
async function readTrailingSums(input: ByteReader, isZip64: boolean): Promise<{ crc: number; bytes: number }> {
  const first = await readExactly(input, 4);
  const crc = (first.readUInt32LE() === signatures.sizes ? await readExactly(input, 4) : first).readUInt32LE();
  const sizes = await readExactly(input, isZip64 ? 16 : 8);
  // Without zip64, a size is stored modulo 2 to the power of 32, which no file here reaches.
  return { crc, bytes: isZip64 ? Number(sizes.readBigUInt64LE(8)) : sizes.readUInt32LE(4) };
}

async function* readStored(input: ByteReader, count: number): AsyncGenerator<Uint8Array> {
  for (let missing = count; missing > 0; ) {
    const piece = await input.next(missing);
    if (piece === undefined) throw cutShort();
    missing -= piece.length;
    yield piece;
  }
}

async function readExactly(input: ByteReader, count: number): Promise<Buffer> {
  const bytes = await input.exactly(count);
  if (bytes.length < count) throw cutShort();
  return bytes;
}

function cutShort(): InputError {
  return new InputError("is cut short in the middle of its archive");
}

function findExtraField(extra: Buffer, wanted: number): Buffer | undefined {
  for (let start = 0; start + 4 <= extra.length; ) {
    const end = start + 4 + extra.readUInt16LE(start + 2);
    if (extra.readUInt16LE(start) === wanted) return extra.subarray(start + 4, end);
    start = end;
  }
  return undefined;
}
