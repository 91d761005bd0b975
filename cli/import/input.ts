import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import { InputError } from "../../ingest/errors.ts";
import type { ImportCommand } from "./options.ts";

/**
 * The bytes of the file, or of standard input.
 *
 * @throws {InputError} when there is no such file, or it is none.
 */
export async function openInput({ path }: ImportCommand, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  if (path === undefined) return readable(addAbortSignal(signal, process.stdin));
  const kind = await stat(path).catch((error) => {
    throw inputError(error);
  });
  if (kind.isDirectory()) throw new InputError("is a folder, not a file");
  return readable(addAbortSignal(signal, createReadStream(path, { highWaterMark: 256 * 1024 })));
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
