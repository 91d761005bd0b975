import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { InputError } from "../../ingest/errors.ts";
import type { InputFile } from "../../ingest/read/files.ts";

/** The files that a command names. */
export class Input {
  readonly #paths: readonly (string | undefined)[];
  #current: string | undefined;

  /** @param paths undefined stands for standard input. */
  constructor(paths: readonly (string | undefined)[]) {
    this.#paths = paths;
    this.#current = paths[0];
  }

  /** What messages call the file at hand. */
  get name(): string {
    return this.#current ?? "Standard input";
  }

  /** What the import is remembered by: file names, without their folders. */
  get label(): string {
    return this.#paths.map((path) => (path === undefined ? "-" : basename(path))).join(", ");
  }

  /**
   * How old what the files say may be, at most: the oldest file's time of change.
   *
   * @throws {InputError} when there is no such file, or it is none.
   */
  async asOf(): Promise<Date> {
    let oldest = new Date();
    for (const path of this.#paths) {
      if (path === undefined) continue;
      this.#current = path;
      const { mtime } = await statOf(path);
      if (mtime < oldest) oldest = mtime;
    }
    this.#current = this.#paths[0];
    return oldest;
  }

  /** The files' bytes, in turn. */
  async *files(signal: AbortSignal): AsyncGenerator<InputFile> {
    for (const path of this.#paths) {
      this.#current = path;
      const stream = path === undefined ? process.stdin : createReadStream(path, { highWaterMark: 256 * 1024 });
      const chunks = readable(addAbortSignal(signal, stream));
      yield this.#paths.length === 1 ? { chunks } : { label: this.name, chunks };
    }
  }
}

async function statOf(path: string) {
  const found = await stat(path).catch((error) => {
    throw inputError(error);
  });
  if (found.isDirectory()) throw new InputError("is a folder, not a file");
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
