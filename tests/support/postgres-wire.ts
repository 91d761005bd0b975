import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
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

/** The choice of a SASL mechanism, with the first message to it. */
export function saslInitialResponse(data: string, mechanism = "SCRAM-SHA-256"): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(Buffer.byteLength(data), 0);
  return wireMessage("p", Buffer.concat([Buffer.from(`${mechanism}\0`), length, Buffer.from(data)]));
}

/** A SCRAM client's last message, from its first without the header and the server's first. */
export function scramProof(password: string, first: string, challenge: string): string {
  const [, nonce = "", salt = "", iterations] = /^r=([^,]+),s=([^,]+),i=(\d+)$/.exec(challenge) ?? [];
  const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const salted = pbkdf2Sync(password, Buffer.from(salt, "base64"), Number(iterations), 32, "sha256");
  const key = hmac(salted, "Client Key");
  const withoutProof = `c=biws,r=${nonce}`;
  const storedKey = createHash("sha256").update(key).digest();
  const signature = hmac(storedKey, `${first},${challenge},${withoutProof}`);
  return `${withoutProof},p=${Buffer.from(key.map((byte, index) => byte ^ (signature[index] ?? 0))).toString("base64")}`;
}

/** Length and SHA-256 of bytes, however many. */
export interface HashedBytes {
  bytes: number;
  sha256: string;
}

export function hashOf(bytes: Uint8Array): HashedBytes {
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
  static async open(port: number, password: string): Promise<WireClient> {
    const client = await WireClient.dial(port);
    client.send(startup());
    await client.authenticate(password);
    await client.readThrough(readyForQuery("I"));
    return client;
  }

  /** The client's side of SCRAM-SHA-256, behind its startup packet, up to the proof. */
  async authenticate(password: string): Promise<void> {
    await this.readMessage("R");
    const first = `n=,r=${randomBytes(18).toString("base64")}`;
    this.send(saslInitialResponse(`n,,${first}`));
    const challenge = (await this.readMessage("R")).toString("latin1", 4);
    this.send(wireMessage("p", scramProof(password, first, challenge)));
  }

  /** The body of the next message, which must be of this type. */
  async readMessage(type: string): Promise<Buffer> {
    const head = await this.read(5);
    const body = await this.read(head.readInt32BE(1) - 4);
    if (head.toString("latin1", 0, 1) !== type) throw new Error(`not a ${type}: ${head}${body.toString("latin1")}`);
    return body;
  }

  send(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Everything up to and with `end`; only for short answers, whose data cannot look like it. */
  async readThrough(end: Buffer): Promise<Buffer> {
    for (;;) {
      const all = Buffer.concat(this.#bytes);
      const index = all.indexOf(end);
      if (index >= 0) {
        this.#bytes = [all.subarray(index + end.length)];
        this.#length = all.length - index - end.length;
        return all.subarray(0, index + end.length);
      }
      if (this.#isClosed) throw new Error(`closed before the end: ${all.toString("latin1").slice(-200)}`);
      await this.#more();
    }
  }

  /**
   * Reads this number of bytes.
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
    return this.#take(length);
  }

  /** Takes the first bytes, and leaves the others as they came: to copy all that is waiting at each read would take minutes for 100 MB. */
  #take(length: number): Buffer {
    const taken: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      const [first = Buffer.alloc(0)] = this.#bytes;
      const part = first.subarray(0, missing);
      if (part.length === first.length) this.#bytes.shift();
      else this.#bytes[0] = first.subarray(part.length);
      taken.push(part);
      missing -= part.length;
    }
    this.#length -= length;
    return Buffer.concat(taken);
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
