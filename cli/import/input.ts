import { constants, createReadStream, type Stats } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { InputError } from "../../ingest/errors.ts";
import type { InputFile } from "../../ingest/read/files.ts";
import { Spool } from "./spool.ts";

/** Input files of a command. */
export class Input {
  readonly #paths: readonly (string | undefined)[];
  readonly #isReadTwice: boolean;
  /** Spools by index in the paths: copies of inputs that are not files on a disk and may have to be read twice. */
  readonly #spools = new Map<number, Spool>();
  readonly #stats = new Map<number, Stats>();
  #current: string | undefined;

  /**
   * @param paths undefined stands for standard input.
   * @param isReadTwice whether {@link again} may be called.
   */
  constructor(paths: readonly (string | undefined)[], isReadTwice = false) {
    this.#paths = paths;
    this.#isReadTwice = isReadTwice;
    this.#current = paths[0];
  }

  /** Name of the current file in messages. */
  get name(): string {
    return this.#current ?? "Standard input";
  }

  /** Label of the import in `funding.imports`: file names, without their folders. */
  get label(): string {
    return this.#paths.map((path) => (path === undefined ? "-" : basename(path))).join(", ");
  }

  /**
   * Returns the oldest file's time of change: the files' data is at least that recent.
   *
   * @throws {InputError} when one of the files does not exist, or is a folder.
   */
  async asOf(): Promise<Date> {
    let oldest = new Date();
    for (const [index, path] of this.#paths.entries()) {
      if (path === undefined) continue;
      this.#current = path;
      const stats = await statOf(path);
      this.#stats.set(index, stats);
      if (stats.mtime < oldest) oldest = stats.mtime;
    }
    this.#current = this.#paths[0];
    return oldest;
  }

  /** Yields the files one after the other. */
  async *files(signal: AbortSignal): AsyncGenerator<InputFile> {
    for (const [index, path] of this.#paths.entries()) {
      this.#current = path;
      yield this.#file(path, this.#chunks(index, path, signal));
    }
  }

  /**
   * Yields the files a second time, from the first on, also while {@link files} is still in use.
   *
   * @throws {ChangedFileError} when a file has changed since the first reading began.
   */
  async *again(signal: AbortSignal): AsyncGenerator<InputFile> {
    for (const [index, path] of this.#paths.entries()) {
      await this.#requireUnchanged(index, path);
      yield this.#file(path, this.#chunks(index, path, signal));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#spools.values()].map((spool) => spool.close()));
  }

  #file(path: string | undefined, chunks: AsyncIterable<Uint8Array>): InputFile {
    return this.#paths.length === 1 ? { chunks } : { label: path ?? "Standard input", chunks };
  }

  #chunks(index: number, path: string | undefined, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const known = this.#spools.get(index);
    if (known !== undefined) return known.read();
    const stream = path === undefined ? process.stdin : createReadStream(path, { highWaterMark: 256 * 1024 });
    const chunks = readable(addAbortSignal(signal, stream));
    // A pipe can be read only once.
    const isFile = path !== undefined && this.#stats.get(index)?.isFile() === true;
    if (isFile || !this.#isReadTwice) return chunks;
    const spool = new Spool(chunks);
    this.#spools.set(index, spool);
    return spool.read();
  }

  async #requireUnchanged(index: number, path: string | undefined): Promise<void> {
    const before = this.#stats.get(index);
    if (path === undefined || before === undefined || !before.isFile()) return;
    const now = await statOf(path);
    if (now.ino !== before.ino || now.size !== before.size || now.mtimeMs !== before.mtimeMs) {
      throw new ChangedFileError(`${path} was changed while it was read. Run the same command again.`);
    }
  }
}

/** A file was changed while it was read. The message is a sentence. */
export class ChangedFileError extends Error {}

async function statOf(path: string) {
  const found = await stat(path).catch((error) => {
    throw inputError(error);
  });
  if (found.isDirectory()) throw new InputError("is a folder, not a file");
  await access(path, constants.R_OK).catch((error) => {
    throw inputError(error);
  });
  return found;
}

async function* readable(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw inputError(error);
  }
}

function inputError(error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code === "ENOENT") return new InputError("does not exist");
  if (code === "EACCES" || code === "EPERM") return new InputError("may not be read by this user");
  if (code === "EISDIR") return new InputError("is a folder, not a file");
  return error;
}
