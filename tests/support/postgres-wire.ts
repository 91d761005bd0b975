import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";

/** A message of the frontend/backend protocol: type, length, body. */
export function wireMessage(type: string, body: string | Uint8Array = ""): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

export const simpleQuery = (text: string) => wireMessage("Q", `${text}\0`);
export const sync = wireMessage("S");
/** Parse, Bind, Describe and Execute of the unnamed statement; without the Sync. */
export const extendedQuery = (text: string, isBinary = false) =>
  Buffer.concat([
    wireMessage("P", `\0${text}\0\0\0`),
    wireMessage("B", `\0\0\0\0\0\0\0\x01\0${isBinary ? "\x01" : "\0"}`),
    wireMessage("D", "P\0"),
    wireMessage("E", "\0\0\0\0\0"),
  ]);

/** The packet that opens a session. */
export function startup(body = "user\0postgres\0database\0postgres\0\0", version = 196_608): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + Buffer.byteLength(body), 0);
  head.writeInt32BE(version, 4);
  return Buffer.concat([head, Buffer.from(body)]);
}

/** Length and SHA-256 of bytes, however many. */
export interface Digest {
  bytes: number;
  sha256: string;
}

export function digestOf(bytes: Uint8Array): Digest {
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** A client that does as it is told with its socket: it reads when asked to and no more. */
export class WireClient {
  #bytes: Buffer[] = [];
  #length = 0;
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(readonly socket: Socket) {
    socket.on("data", (data) => {
      this.#bytes.push(data);
      this.#length += data.length;
      this.#wake();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  /** Connects without opening a session. */
  static async dial(port: number): Promise<WireClient> {
    const socket = connect(port, "127.0.0.1");
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new WireClient(socket);
  }

  /** Connects and opens a session. */
  static async open(port: number): Promise<WireClient> {
    const client = await WireClient.dial(port);
    client.send(startup());
    await client.readThrough(readyForQuery("I"));
    return client;
  }

  send(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Everything up to and with `end`; only for short answers, whose data cannot look like it. */
  async readThrough(end: Buffer): Promise<Buffer> {
    for (;;) {
      const all = Buffer.concat(this.#bytes);
      const place = all.indexOf(end);
      if (place >= 0) {
        this.#bytes = [all.subarray(place + end.length)];
        this.#length = all.length - place - end.length;
        return all.subarray(0, place + end.length);
      }
      if (this.#isClosed) throw new Error(`closed before the end: ${all.toString("latin1").slice(-200)}`);
      await this.#more();
    }
  }

  /**
   * The next bytes, of which there must be so many.
   *
   * @param afterEach runs whenever some came, with the number so far; what it returns is waited for with the socket paused.
   */
  async read(length: number, afterEach?: (length: number) => Promise<unknown>): Promise<Buffer> {
    this.socket.resume();
    while (this.#length < length) {
      if (this.#isClosed) throw new Error(`closed after ${this.#length} bytes of ${length}`);
      await this.#more();
      if (afterEach === undefined) continue;
      this.socket.pause();
      await afterEach(this.#length);
      this.socket.resume();
    }
    const all = Buffer.concat(this.#bytes);
    this.#bytes = [all.subarray(length)];
    this.#length = all.length - length;
    return all.subarray(0, length);
  }

  /** Everything until the server ends the connection. */
  async readToEnd(): Promise<Buffer> {
    this.socket.resume();
    while (!this.#isClosed) await this.#more();
    return Buffer.concat(this.#bytes);
  }

  close(): void {
    this.socket.destroy();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

export const readyForQuery = (status: "I" | "T" | "E") => wireMessage("Z", status);
