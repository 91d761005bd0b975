import { crc32 } from "node:zlib";
import { InputError } from "../errors.ts";
import type { ByteReader } from "./byte-reader.ts";
import { inflated } from "./inflate.ts";

/** A file in an archive. Its bytes must be read to their end before the next one is asked for. */
export interface ZipMember {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
}

/**
 * The files of a zip archive, read from its front to its end, so that it may come from a pipe, be of any
 * size, and lack its end. Sizes and checksums are checked, whether they stand before a file's bytes or,
 * as in archives that were written to a pipe, after them. (PKWARE's APPNOTE.TXT, 4.3 and 4.4.)
 *
 * @throws {InputError} when the archive is cut short, damaged or encrypted: after the bytes that are good.
 */
export async function* zipMembers(input: ByteReader): AsyncGenerator<ZipMember> {
  for (;;) {
    const signature = await input.exactly(4);
    if (signature.length < 4) throw new InputError("is cut short: the archive has no table of contents");
    const kind = signature.readUInt32LE();
    if (kind === signatures.entryInContents || kind === signatures.endOfContents) return;
    if (kind !== signatures.file) throw new InputError("is damaged: it is no zip archive after its first file");
    const header = await readHeader(input);
    yield { name: header.name, chunks: memberBytes(input, header) };
  }
}

const signatures = { file: 0x04034b50, entryInContents: 0x02014b50, endOfContents: 0x06054b50, sizes: 0x08074b50 };
const stored = 0;
const deflated = 8;
/** A size that is in the extra field instead, in eight bytes. */
const inExtraField = 0xffffffff;

interface Header {
  name: string;
  method: number;
  /** Where the sizes come after the file's bytes, undefined. */
  sums: { crc: number; packedBytes: number; bytes: number } | undefined;
  isZip64: boolean;
}

async function readHeader(input: ByteReader): Promise<Header> {
  const fixed = await all(input, 26);
  const flags = fixed.readUInt16LE(2);
  const method = fixed.readUInt16LE(4);
  const name = (await all(input, fixed.readUInt16LE(22))).toString("utf8");
  const extra = extraField(await all(input, fixed.readUInt16LE(24)), 0x0001);
  if ((flags & 0x1) !== 0) throw new InputError("is an encrypted archive");
  if (method !== stored && method !== deflated) throw new InputError(`packs ${name} in a way that is not known`);
  const isZip64 = extra !== undefined;
  if ((flags & 0x8) !== 0) {
    if (method === stored) throw new InputError(`does not say where ${name} ends`);
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

async function* memberBytes(input: ByteReader, header: Header): AsyncGenerator<Uint8Array> {
  const { name, method, sums, isZip64 } = header;
  let crc = 0;
  let bytes = 0;
  for await (const chunk of method === stored ? taken(input, sums?.packedBytes ?? 0) : inflated(input)) {
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    yield chunk;
  }
  const said = sums ?? (await readTrailingSums(input, isZip64));
  if (said.crc !== crc || said.bytes !== bytes) throw new InputError(`is damaged: ${name} is not what was packed`);
}

/** The trailing data descriptor, whose signature is optional. */
async function readTrailingSums(input: ByteReader, isZip64: boolean): Promise<{ crc: number; bytes: number }> {
  const first = await all(input, 4);
  const crc = (first.readUInt32LE() === signatures.sizes ? await all(input, 4) : first).readUInt32LE();
  const sizes = await all(input, isZip64 ? 16 : 8);
  // Without zip64 a size is what is left of it in 32 bits; no file here comes near.
  return { crc, bytes: isZip64 ? Number(sizes.readBigUInt64LE(8)) : sizes.readUInt32LE(4) };
}

async function* taken(input: ByteReader, count: number): AsyncGenerator<Uint8Array> {
  for (let missing = count; missing > 0; ) {
    const piece = await input.next(missing);
    if (piece === undefined) throw cutShort();
    missing -= piece.length;
    yield piece;
  }
}

async function all(input: ByteReader, count: number): Promise<Buffer> {
  const bytes = await input.exactly(count);
  if (bytes.length < count) throw cutShort();
  return bytes;
}

function cutShort(): InputError {
  return new InputError("is cut short in the middle of its archive");
}

function extraField(extra: Buffer, wanted: number): Buffer | undefined {
  for (let start = 0; start + 4 <= extra.length; ) {
    const end = start + 4 + extra.readUInt16LE(start + 2);
    if (extra.readUInt16LE(start) === wanted) return extra.subarray(start + 4, end);
    start = end;
  }
  return undefined;
}
