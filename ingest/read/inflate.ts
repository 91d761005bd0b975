import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from "node:zlib";
import { InputError } from "../errors.ts";
import type { UnpackingBound } from "./bounds.ts";
import type { ByteReader } from "./byte-reader.ts";

const outputBytes = 256 * 1024;

/** Unpacks gzip. */
export async function* gunzip(input: ByteReader, bound: UnpackingBound): AsyncGenerator<Uint8Array> {
  yield* unpack(input, createGunzip({ chunkSize: outputBytes }), bound);
}

/** Unpacks a raw deflate stream. Bytes after the stream stay in the input. */
export async function* inflate(input: ByteReader, bound: UnpackingBound, name: string): AsyncGenerator<Uint8Array> {
  yield* unpack(input, createInflateRaw({ chunkSize: outputBytes }), bound, name);
}

/** @throws {InputError} when the input ends before the stream does, is damaged, or becomes too much. */
async function* unpack(
  input: ByteReader,
  engine: Gunzip | InflateRaw,
  bound: UnpackingBound,
  name?: string,
): AsyncGenerator<Uint8Array> {
  const feed = async () => {
    let given = 0;
    while (!engine.destroyed) {
      const piece = await input.next();
      if (piece === undefined) return void engine.end();
      given += piece.length;
      bound.addPacked(piece.length);
      await new Promise<void>((resolve) => engine.write(piece, () => resolve()));
      // The engine consumes only its stream's bytes. If it consumed less than it was given, the stream has ended.
      const surplus = given - engine.bytesWritten;
      if (surplus > 0) {
        bound.addPacked(-surplus);
        return input.unread(piece.subarray(piece.length - surplus));
      }
    }
  };
  const feeding = feed().catch((error: Error) => void engine.destroy(error));
  try {
    for await (const chunk of engine as AsyncIterable<Uint8Array>) {
      bound.addUnpacked(chunk.length, name);
      yield chunk;
    }
    await feeding;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "Z_BUF_ERROR") throw new InputError("is cut short: its packed data has no end");
    if (code?.startsWith("Z_")) throw new InputError("is damaged: its packed data cannot be unpacked");
    throw error;
  } finally {
    engine.destroy();
  }
}
