import { crc32, deflateRawSync } from "node:zlib";

/** A file to be put in an archive. */
export interface ArchiveFile {
  name: string;
  content: string | Uint8Array;
}

/**
 * A zip archive as a program writes one to a pipe: sizes and checksums follow each file's bytes, in a
 * trailing data descriptor.
 */
export function pipedZip(files: readonly ArchiveFile[], options: { hasSignature?: boolean } = {}): Buffer {
  const pieces: Buffer[] = [];
  for (const { name, content } of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(0x0808, 6);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const descriptor = Buffer.alloc(12);
    descriptor.writeUInt32LE(crc32(bytes), 0);
    descriptor.writeUInt32LE(packed.length, 4);
    descriptor.writeUInt32LE(bytes.length, 8);
    const signature = options.hasSignature === false ? Buffer.alloc(0) : Buffer.from("PK\x07\x08", "latin1");
    pieces.push(local, Buffer.from(name), packed, signature, descriptor);
  }
  // A table of contents is not read; its beginning says that the files are over.
  return Buffer.concat([...pieces, Buffer.from("PK\x01\x02", "latin1"), Buffer.alloc(42)]);
}
