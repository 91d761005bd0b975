import type { ServerResponse } from "node:http";
import { compress, compressChunks, encodingOf } from "./compression.ts";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Sends a web response by Node's server, compressed for a client that accepts it. Where the client leaves, the body is cancelled at once: nothing more is
 * made for it. Where the body fails, the connection breaks off, so that the client does not take a part for the whole.
 *
 * @param method of the request: HEAD has the headers of GET.
 */
export async function sendResponse(
  response: Response,
  { method, acceptEncoding }: { method: string; acceptEncoding: string | null },
  sink: ServerResponse,
): Promise<void> {
  const { status, body } = response;
  const headers = new Headers(response.headers);
  if (body === null) {
    const length = headers.get("content-length");
    if (method === "HEAD")
      encode(headers, encodingOf(acceptEncoding, headers, length === null ? undefined : Number(length)));
    sink.writeHead(status, pairsOf(headers)).end();
    return;
  }
  const reader = body.getReader();
  const leave = () => {
    reader.cancel().catch(() => undefined);
  };
  if (sink.destroyed) return leave();
  sink.once("close", leave);
  try {
    const { whole, chunks } = await readWhole(reader);
    const encoding = encodingOf(acceptEncoding, headers, whole?.byteLength);
    encode(headers, encoding);
    if (whole !== undefined) {
      const bytes = encoding === undefined ? whole : await compress(whole, encoding);
      headers.set("content-length", String(bytes.byteLength));
      sink.writeHead(status, pairsOf(headers)).end(bytes);
      return;
    }
    sink.writeHead(status, pairsOf(headers));
    for await (const bytes of encoding === undefined ? chunks : compressChunks(chunks, encoding)) {
      if (sink.destroyed) return;
      if (!sink.write(bytes)) await drained(sink);
    }
    sink.end();
  } catch {
    sink.destroy();
  } finally {
    sink.off("close", leave);
    leave();
  }
}

/** Reads a body that is there as a whole, such as a text: its length is known. Any other is left as chunks. */
async function readWhole(reader: Reader): Promise<{ whole?: Uint8Array; chunks: AsyncIterable<Uint8Array> }> {
  const none = (async function* () {})();
  const first = await reader.read();
  if (first.done) return { whole: new Uint8Array(0), chunks: none };
  const second = reader.read();
  const isOver = await Promise.race([
    second.then(({ done }) => done),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]);
  if (isOver) return { whole: first.value, chunks: none };
  return {
    chunks: (async function* () {
      yield first.value;
      for (let next = await second; !next.done; next = await reader.read()) yield next.value;
    })(),
  };
}

function encode(headers: Headers, encoding: string | undefined): void {
  if (encoding === undefined) return;
  headers.set("content-encoding", encoding);
  headers.delete("content-length");
  if (!/accept-encoding/i.test(headers.get("vary") ?? "")) headers.append("vary", "Accept-Encoding");
}

/** Names and values in turn: a name may come several times. */
function pairsOf(headers: Headers): string[] {
  return [...headers].flat();
}

/** Resolves when the client has read on, or has left. */
function drained(sink: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      sink.off("drain", go).off("close", go);
      resolve();
    };
    sink.on("drain", go).on("close", go);
  });
}
