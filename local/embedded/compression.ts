import { once } from "node:events";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import { type ContentEncoding, chooseEncoding } from "../dashboard/encoding.ts";

/** Bodies below this would hardly be shorter. */
const leastBytes = 64;
const compressibleTypes = /^(text\/|image\/svg|application\/([\w.-]+\+)?(json|xml|javascript|x-ndjson|ndjson)\b)/;
const every = { has: () => true };

/** As fast as may be: a list is made in a few milliseconds. */
const settings = {
  gzip: { level: 1 },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
};

/**
 * Chooses the encoding of an answer, which HEAD has as well.
 *
 * @param bytes its length, where that is known.
 * @returns undefined where it is sent as it is: the client accepts none, it is short, a file that is compressed, or a part of one.
 */
export function encodingOf(
  acceptEncoding: string | null,
  headers: Headers,
  bytes: number | undefined,
): ContentEncoding | undefined {
  if (bytes !== undefined && bytes < leastBytes) return undefined;
  if (!compressibleTypes.test(headers.get("content-type") ?? "") || headers.has("content-encoding")) return undefined;
  // A strong tag is of these very bytes.
  if (headers.has("content-range") || headers.get("etag")?.startsWith('"')) return undefined;
  return chooseEncoding(acceptEncoding, every);
}

/** Compresses a body that is there as a whole. */
export function compress(body: Uint8Array, encoding: ContentEncoding): Promise<Uint8Array> {
  return encoding === "br"
    ? promisify<Uint8Array, object, Buffer>(brotliCompress)(body, settings.br)
    : promisify<Uint8Array, object, Buffer>(gzip)(body, settings.gzip);
}

/** Compresses a body that is made while it is sent: each chunk goes out with what the compressor has of it. */
export async function* compressChunks(
  chunks: AsyncIterable<Uint8Array>,
  encoding: ContentEncoding,
): AsyncGenerator<Uint8Array> {
  const [compressor, flush] =
    encoding === "br"
      ? [createBrotliCompress(settings.br), constants.BROTLI_OPERATION_FLUSH]
      : [createGzip(settings.gzip), constants.Z_SYNC_FLUSH];
  const made: Uint8Array[] = [];
  compressor.on("data", (bytes: Uint8Array) => made.push(bytes));
  try {
    for await (const chunk of chunks) {
      compressor.write(chunk);
      await new Promise<void>((resolve) => compressor.flush(flush, resolve));
      yield* made.splice(0);
    }
    const ended = once(compressor, "end");
    compressor.end();
    await ended;
    yield* made;
  } finally {
    compressor.destroy();
  }
}
