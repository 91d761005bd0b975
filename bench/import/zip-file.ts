import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { crc32, createDeflateRaw } from "node:zlib";

/**
 * Writes a zip archive of one file as programs write it to a pipe: the sizes and the checksum follow the bytes, in a
 * trailing data descriptor. (PKWARE's APPNOTE.TXT, 4.3.)
 *
 * @returns the sizes of the file and of the archive.
 */
export async function writePipedZip(
  path: string,
  name: string,
  pieces: Iterable<string>,
): Promise<{ bytes: number; packedBytes: number }> {
  const output = createWriteStream(path);
  const local = header(0x04034b50, 30, (view) => {
    view.writeUInt16LE(20, 4);
    view.writeUInt16LE(0x0008, 6);
    view.writeUInt16LE(8, 8);
    view.writeUInt16LE(name.length, 26);
  });
  output.write(Buffer.concat([local, Buffer.from(name)]));

  const deflate = createDeflateRaw();
  let packedBytes = 0;
  deflate.on("data", (packed: Buffer) => {
    packedBytes += packed.length;
  });
  deflate.pipe(output, { end: false });
  let crc = 0;
  let bytes = 0;
  for (const chunk of toChunks(pieces)) {
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    if (!deflate.write(chunk)) await once(deflate, "drain");
  }
  deflate.end();
  await once(deflate, "end");
  const sums = (view: Buffer, start: number) => {
    view.writeUInt32LE(crc, start);
    view.writeUInt32LE(packedBytes, start + 4);
    view.writeUInt32LE(bytes, start + 8);
  };
  const contents = header(0x02014b50, 46, (view) => {
    view.writeUInt16LE(20, 4);
    view.writeUInt16LE(20, 6);
    view.writeUInt16LE(0x0008, 8);
    view.writeUInt16LE(8, 10);
    sums(view, 16);
    view.writeUInt16LE(name.length, 28);
  });
  const start = local.length + name.length + packedBytes + 16;
  output.write(header(0x08074b50, 16, (view) => sums(view, 4)));
  output.write(Buffer.concat([contents, Buffer.from(name)]));
  output.end(
    header(0x06054b50, 22, (view) => {
      view.writeUInt16LE(1, 8);
      view.writeUInt16LE(1, 10);
      view.writeUInt32LE(contents.length + name.length, 12);
      view.writeUInt32LE(start, 16);
    }),
  );
  await once(output, "finish");
  return { bytes, packedBytes };
}

function header(signature: number, length: number, fill: (view: Buffer) => void): Buffer {
  const view = Buffer.alloc(length);
  view.writeUInt32LE(signature, 0);
  fill(view);
  return view;
}

/** Joins pieces of text to chunks of about 64 kB. */
function* toChunks(pieces: Iterable<string>): Generator<Buffer> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}
