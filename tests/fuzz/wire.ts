import { connect, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/** An HTTP answer as it came over the socket. */
export interface Answer {
  status: number;
  headers: [name: string, value: string][];
  body: Uint8Array;
}

/** The outcome of a request. `unreadable` has the bytes that came instead of HTTP/1.1. */
export type Ending =
  | { answer: Answer; milliseconds: number }
  | { closed: true; milliseconds: number }
  | { unreadable: string; milliseconds: number }
  | { hung: true; milliseconds: number };

/** Options for sending one request. */
export interface Sending {
  bytes: Uint8Array;
  method: string;
  /** Nothing follows it on its connection: what the server still waits for does not come. */
  isLast: boolean;
  deadlineMs: number;
}

/** Time that a server may wait for more bytes, before the client closes its side. */
const patienceMs = 200;

const headEnd = "\r\n\r\n";

/**
 * Sends bytes to a server and reads one HTTP/1.1 answer. It is no client to build on: nothing that is sent is looked at,
 * which is the point. Connections are used again while the server leaves them open.
 */
export class Wire {
  readonly #idle: Socket[] = [];

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  async send(sending: Sending): Promise<Ending> {
    const used = sending.isLast ? undefined : this.#idle.pop();
    const ending = await this.#attempt(used ?? (await this.#open()), sending);
    // A server may close an idle connection at any time, which says nothing of the request.
    return used !== undefined && "closed" in ending ? this.#attempt(await this.#open(), sending) : ending;
  }

  close(): void {
    for (const socket of this.#idle.splice(0)) socket.destroy();
  }

  #open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: this.host, port: this.port, allowHalfOpen: true, noDelay: true });
      socket.once("connect", () => resolve(socket));
      socket.once("error", reject);
    });
  }

  /** Keeps a connection for the next request, unless the server closes it first. */
  #keep(socket: Socket): void {
    const drop = () => {
      const index = this.#idle.indexOf(socket);
      if (index >= 0) this.#idle.splice(index, 1);
      socket.destroy();
    };
    for (const event of ["end", "close", "data"]) socket.once(event, drop);
    this.#idle.push(socket);
  }

  #attempt(socket: Socket, { bytes, method, isLast, deadlineMs }: Sending): Promise<Ending> {
    const started = performance.now();
    const reader = new AnswerReader(method);
    socket.removeAllListeners();
    return new Promise((resolve) => {
      const finish = (ending: object, isReusable: boolean) => {
        clearTimeout(timer);
        clearTimeout(end);
        socket.removeAllListeners();
        socket.on("error", () => socket.destroy());
        if (isReusable && !isLast) this.#keep(socket);
        else socket.destroy();
        resolve({ ...ending, milliseconds: performance.now() - started } as Ending);
      };
      const timer = setTimeout(() => finish({ hung: true }, false), deadlineMs);
      const settle = (isClosed: boolean) => {
        try {
          const answer = reader.answer(isClosed);
          if (answer !== undefined) finish({ answer }, !isClosed && reader.keepsOpen);
          else if (isClosed) finish({ closed: true }, false);
        } catch (error) {
          finish({ unreadable: String(error) }, false);
        }
      };
      socket.on("data", (data) => {
        reader.add(data);
        settle(false);
      });
      socket.on("end", () => settle(true));
      socket.on("error", () => settle(true));
      socket.on("close", () => settle(true));
      socket.write(bytes);
      const end = isLast ? setTimeout(() => socket.end(), patienceMs) : undefined;
    });
  }
}

/** Reads one answer off the bytes of a connection. */
class AnswerReader {
  #received = Buffer.alloc(0);
  keepsOpen = false;

  constructor(private readonly method: string) {}

  add(data: Uint8Array): void {
    this.#received = Buffer.concat([this.#received, data]);
  }

  /** The answer, or undefined while it is not all there. */
  answer(isClosed: boolean): Answer | undefined {
    const end = this.#received.indexOf(headEnd);
    if (end < 0) {
      if (this.#received.length > 0 && !"HTTP/1.1 ".startsWith(this.#received.subarray(0, 9).toString("latin1")))
        throw new Error(this.#received.subarray(0, 60).toString("latin1"));
      return undefined;
    }
    const [statusLine = "", ...lines] = this.#received.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(statusLine);
    const rest = this.#received.subarray(end + headEnd.length);
    if (status < 200 && status !== 101) {
      this.#received = Buffer.from(rest);
      return this.answer(isClosed);
    }
    const headers = lines.map((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) throw new Error(`a header without a colon: ${line}`);
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as [string, string];
    });
    const header = (name: string) => headers.find(([known]) => known === name)?.[1];
    const hasNoBody = this.method === "HEAD" || status === 204 || status === 304;
    const body = hasNoBody ? Buffer.alloc(0) : bodyIn(rest, header, isClosed);
    if (body === undefined) return undefined;
    this.keepsOpen = header("connection")?.toLowerCase() !== "close";
    return { status, headers, body: decoded(body, header("content-encoding")) };
  }
}

function bodyIn(rest: Buffer, header: (name: string) => string | undefined, isClosed: boolean): Buffer | undefined {
  if (header("transfer-encoding")?.toLowerCase() === "chunked") return chunkedBody(rest);
  const length = header("content-length");
  if (length === undefined) return isClosed ? rest : undefined;
  return rest.length < Number(length) ? undefined : rest.subarray(0, Number(length));
}

function chunkedBody(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
    if (Number.isNaN(size)) throw new Error("a chunk without a size");
    at = lineEnd + 2;
    if (rest.length < at + size + 2) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(at, at + size));
    at += size + 2;
  }
}

function decoded(body: Buffer, encoding: string | undefined): Uint8Array {
  if (body.length === 0) return body;
  if (encoding === "gzip") return gunzipSync(body);
  if (encoding === "br") return brotliDecompressSync(body);
  if (encoding === "deflate") return inflateSync(body);
  return body;
}
