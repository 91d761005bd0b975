/**
 * Framing of the Postgres frontend/backend protocol 3: cuts both streams into messages, and builds a few messages.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** Protocol 3.0, in the encoding of a startup packet. */
export const protocolVersion = 3 << 16;

/** Longest message accepted, in bytes: a statement with a large batch fits, a random length does not. */
export const maximumMessageBytes = 64 * 1024 * 1024;
/** Postgres' own limit for a startup packet and for messages without data. */
export const maximumShortMessageBytes = 10_000;

/** Types of a client's messages in a session: those with data, and those that Postgres limits to a short length. */
const longTypes = new Set("QPBFd");
const shortTypes = new Set("CDEHSXcf");

/** The client broke the protocol. */
export class ProtocolError extends Error {
  /** @param code the SQLSTATE. */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A client's message in a session. `bytes` is the whole message, with its type and length. */
export type FrontendMessage =
  | { kind: "message"; type: string; bytes: Buffer }
  /** The stream ends here: later bytes are ignored. */
  | { kind: "invalid"; error: ProtocolError };

/** Cuts a client's stream into messages, whatever pieces it arrives in. */
export class FrontendReader {
  #pieces: Buffer[] = [];
  #size = 0;
  #isInvalid = false;

  /** @returns the messages that this piece completes, in order. */
  push(piece: Buffer): FrontendMessage[] {
    if (this.#isInvalid) return [];
    this.#pieces.push(piece);
    this.#size += piece.length;
    const messages: FrontendMessage[] = [];
    try {
      for (;;) {
        const length = this.#messageLength();
        if (length === undefined || this.#size < length) return messages;
        const bytes = this.#take(length);
        messages.push({ kind: "message", type: String.fromCharCode(bytes[0] ?? 0), bytes });
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#isInvalid = true;
      this.#pieces = [];
      return [...messages, { kind: "invalid", error }];
    }
  }

  #messageLength(): number | undefined {
    const head = this.#head(5);
    return head === undefined ? undefined : sessionMessageLength(head);
  }

  /** The first bytes, or undefined while fewer have arrived. */
  #head(length: number): Buffer | undefined {
    if (this.#size < length) return undefined;
    const [first] = this.#pieces;
    return first !== undefined && first.length >= length ? first : this.#joined();
  }

  #take(length: number): Buffer {
    const [first] = this.#pieces;
    const all = first !== undefined && first.length >= length ? first : this.#joined();
    const rest = all.subarray(length);
    if (rest.length > 0) this.#pieces[0] = rest;
    else this.#pieces.shift();
    this.#size -= length;
    return all.subarray(0, length);
  }

  /** Joins the pieces. Only for a head in pieces and for a complete message: joining at each piece would be quadratic. */
  #joined(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }
}

/** Length of the message with this head. Checked here, since Postgres ends its process at a wrong head, and PGlite is in ours. */
function sessionMessageLength(head: Buffer): number {
  const type = String.fromCharCode(head[0] ?? 0);
  const length = head.readInt32BE(1);
  const isLong = longTypes.has(type);
  if (!isLong && !shortTypes.has(type)) {
    throw new ProtocolError("08P01", `A client cannot send a message of the type ${JSON.stringify(type)}.`);
  }
  if (length < 4 || (!isLong && length > maximumShortMessageBytes)) {
    throw new ProtocolError("08P01", `A message of the type ${type} cannot be ${length} bytes long.`);
  }
  if (length >= maximumMessageBytes) {
    throw new ProtocolError(
      "54000",
      `A message of ${length} bytes is too long: the limit is ${maximumMessageBytes} bytes. Send less at a time.`,
    );
  }
  return length + 1;
}

/** Transaction status in ReadyForQuery. A failed transaction counts as `in-transaction`. */
export type SessionStatus = "idle" | "in-transaction";

/**
 * Follows the database's stream message by message, to find ReadyForQuery. The last bytes of a piece are not enough: a row may
 * contain the bytes of ReadyForQuery, and a piece can end anywhere.
 */
export class BackendReader {
  #head = Buffer.alloc(5);
  #headLength = 0;
  #bodyLeft = 0;
  #unfinished = 0;

  /** Bytes seen so far of the incomplete message. */
  get unfinishedBytes(): number {
    return this.#unfinished;
  }

  /** @returns the status in the last ReadyForQuery of this piece, or undefined if it has none. */
  push(piece: Uint8Array): SessionStatus | undefined {
    let status: SessionStatus | undefined;
    let offset = 0;
    while (offset < piece.length) {
      if (this.#headLength < 5) {
        const taken = Math.min(5 - this.#headLength, piece.length - offset);
        this.#head.set(piece.subarray(offset, offset + taken), this.#headLength);
        this.#headLength += taken;
        this.#unfinished += taken;
        offset += taken;
        if (this.#headLength < 5) break;
        this.#bodyLeft = this.#head.readInt32BE(1) - 4;
      }
      const taken = Math.min(this.#bodyLeft, piece.length - offset);
      // ReadyForQuery's body is one byte.
      if (taken > 0 && this.#head[0] === 0x5a) status = piece[offset] === 0x49 ? "idle" : "in-transaction";
      this.#bodyLeft -= taken;
      this.#unfinished += taken;
      offset += taken;
      if (this.#bodyLeft === 0) {
        this.#headLength = 0;
        this.#unfinished = 0;
      }
    }
    return status;
  }
}

const unsupportedCopy = /\bcopy\b[^;]*\bfrom\s+stdin\b/i;
const copyRefusal = "COPY ... FROM STDIN is not supported by the embedded database";
const refusal = `do $$ begin raise exception using errcode = '0A000', message = '${copyRefusal}'; end $$`;
const copyFail = typed("f", `${copyRefusal}\0`);

/**
 * Returns the message to run instead of the client's, so that no `COPY ... FROM STDIN` starts: PGlite cannot wait for the
 * client's data, and would block the whole process. A statement that is plainly such a COPY becomes one that raises 0A000.
 * Any other is followed by a CopyFail, which Postgres ignores unless it is copying after all.
 */
export function withoutCopyFromClient(type: string, bytes: Buffer): Buffer {
  if (type === "Q") {
    return unsupportedCopy.test(bytes.toString("utf8", 5))
      ? typed("Q", `${refusal}\0`)
      : Buffer.concat([bytes, copyFail]);
  }
  if (type === "P") {
    const [name = "", text = ""] = bytes.toString("utf8", 5).split("\0");
    return unsupportedCopy.test(text) ? typed("P", `${name}\0${refusal}\0\0\0`) : bytes;
  }
  return type === "E" ? Buffer.concat([bytes, copyFail]) : bytes;
}

/**
 * Startup packet for every session. PGlite's session is open already, so a client's own packet would have no effect, and a
 * wrong one would end the process.
 */
export const startupPacket = startup("user\0postgres\0database\0postgres\0\0");

/** NegotiateProtocolVersion: the server speaks 3.0 without any of the protocol options that the client asked for. */
export function negotiateProtocolVersion(options: readonly string[]): Buffer {
  const numbers = Buffer.alloc(8);
  numbers.writeInt32BE(protocolVersion, 0);
  numbers.writeInt32BE(options.length, 4);
  return typed("v", Buffer.concat([numbers, Buffer.from(options.map((option) => `${option}\0`).join(""))]));
}

/** An Authentication message: the request to the client (10 SASL, 11 its continuation, 12 its end), and its data. */
export function authentication(request: number, data: string): Buffer {
  const number = Buffer.alloc(4);
  number.writeInt32BE(request, 0);
  return typed("R", Buffer.concat([number, Buffer.from(data, "latin1")]));
}

/** An ErrorResponse after which the connection ends. */
export function fatalError(code: string, message: string): Buffer {
  return typed("E", `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
}

function startup(body: string): Buffer {
  const bytes = Buffer.from(body, "utf8");
  const head = Buffer.alloc(8);
  head.writeInt32BE(bytes.length + 8, 0);
  head.writeInt32BE(protocolVersion, 4);
  return Buffer.concat([head, bytes]);
}

function typed(type: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body as string, "utf8");
  const head = Buffer.alloc(5);
  head.write(type, 0);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}
