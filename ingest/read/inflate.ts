import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from "node:zlib";
import { InputError } from "../errors.ts";
import type { ByteReader } from "./byte-reader.ts";

const outputBytes = 256 * 1024;

/** What gzip packed. */
export async function* gunzipped(input: ByteReader): AsyncGenerator<Uint8Array> {
  yield* unpacked(input, createGunzip({ chunkSize: outputBytes }));
}

/** What a raw deflate stream packed; what follows the stream stays in the input. */
export async function* inflated(input: ByteReader): AsyncGenerator<Uint8Array> {
  yield* unpacked(input, createInflateRaw({ chunkSize: outputBytes }));
}

/** @throws {InputError} when the input ends before the stream does, or is damaged. */
async function* unpacked(input: ByteReader, engine: Gunzip | InflateRaw): AsyncGenerator<Uint8Array> {
  const feed = async () => {
    let given = 0;
    while (!engine.destroyed) {
      const piece = await input.next();
      if (piece === undefined) return void engine.end();
      given += piece.length;
      await new Promise<void>((resolve) => engine.write(piece, () => resolve()));
      // The engine takes no more than its stream's own bytes: less than it was given means the end.
      const surplus = given - engine.bytesWritten;
      if (surplus > 0) return input.unread(piece.subarray(piece.length - surplus));
    }
  };
  const feeding = feed().catch((error: Error) => void engine.destroy(error));
  try {
    yield* engine;
    await feeding;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "Z_BUF_ERROR") throw new InputError("is cut short: what is packed in it has no end");
    if (code?.startsWith("Z_")) throw new InputError("is damaged: what is packed in it cannot be unpacked");
    throw error;
  } finally {
    engine.destroy();
  }
}
