import { type FileHandle, open } from "node:fs/promises";

/** Bytes of one chunk. */
const chunkBytes = 65_536;

/**
 * Streams a part of a file, read when it is asked for. The file is opened at the first read, and closed at the end, after an error, or when the reader
 * leaves.
 *
 * `Readable.toWeb(createReadStream(path))` is no substitute: its events go on after the reader has left, and what they throw then is nobody's, which
 * ends the process.
 *
 * @param end the last byte, included. Default: the file's.
 */
export function streamFile(
  path: string,
  { start = 0, end = Number.POSITIVE_INFINITY }: { start?: number; end?: number } = {},
): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  let position = start;
  const close = async () => {
    await file?.close();
    file = undefined;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          file ??= await open(path);
          const buffer = new Uint8Array(Math.min(chunkBytes, end - position + 1));
          const { bytesRead } =
            buffer.length === 0 ? { bytesRead: 0 } : await file.read(buffer, 0, buffer.length, position);
          position += bytesRead;
          if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
          await close();
          controller.close();
        } catch (error) {
          await close();
          throw error;
        }
      },
      // A read under way ends first: the file is closed after it.
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
