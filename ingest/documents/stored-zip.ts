import { crc32 } from "node:zlib";

/** File of an archive. */
export interface StoredFile {
  name: string;
  content: Buffer;
}

/** Writes a zip archive without compression (PKWARE's APPNOTE.TXT, 4.3). */
export function writeStoredZip(files: readonly StoredFile[]): Buffer {
  const parts: Buffer[] = [];
  const contents: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const path = Buffer.from(name);
    // From the version that is needed to the length of the extra field: the same in both headers.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from("PK\x03\x04", "latin1"), common, path, content);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    contents.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, rest, path);
    offset += 30 + path.length + content.length;
  }
  const directory = Buffer.concat(contents);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from("PK\x05\x06", "latin1"), end]);
}
