import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pieceBytes = 256 * 1024;

/**
 * Stream that can be read more than once, each time from its beginning, also by several readers at once. The bytes are
 * kept in a temporary file, which is unlinked as soon as it is open: nothing is left behind, however the process ends.
 */
export class Spool {
  readonly #source: AsyncIterator<Uint8Array>;
  #file: Promise<FileHandle> | undefined;
  #length = 0;
  #end: { error?: unknown } | undefined;
  #fetching: Promise<void> | undefined;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Yields the bytes from the first on. */
  async *read(): AsyncGenerator<Uint8Array> {
    for (let position = 0; ; ) {
      if (position < this.#length) {
        const file = await this.#openOnce();
        const most = Math.min(pieceBytes, this.#length - position);
        const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, position);
        if (bytesRead === 0) throw new Error("the temporary file was cut short");
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      } else if (this.#end === undefined) {
        this.#fetching ??= this.#fetchNext();
        await this.#fetching;
      } else {
        if ("error" in this.#end) throw this.#end.error;
        return;
      }
    }
  }

  async close(): Promise<void> {
    await (await this.#file)?.close();
  }

  async #fetchNext(): Promise<void> {
    try {
      const { done, value } = await this.#source.next();
      if (done) this.#end = {};
      else await this.#append(value);
    } catch (error) {
      this.#end = { error };
    } finally {
      this.#fetching = undefined;
    }
  }

  async #append(bytes: Uint8Array): Promise<void> {
    const file = await this.#openOnce();
    for (let start = 0; start < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, start, bytes.length - start, this.#length);
      start += bytesWritten;
      this.#length += bytesWritten;
    }
  }

  #openOnce(): Promise<FileHandle> {
    this.#file ??= openUnlinked();
    return this.#file;
  }
}

async function openUnlinked(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "import-"));
  try {
    return await open(join(folder, "input"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
