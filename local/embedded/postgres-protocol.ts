/**
 * As much of the Postgres frontend/backend protocol 3 as it takes to tell messages apart.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

const sslRequestCode = 80_877_103;
const gssRequestCode = 80_877_104;
const cancelRequestCode = 80_877_102;
const protocolMajor = 3;

/** Longest message that is taken, in bytes: a statement with a large batch fits, a stray length does not. */
export const maximumMessageBytes = 64 * 1024 * 1024;
/** Postgres' own limit of a startup packet and of messages that carry no data. */
const maximumShortMessageBytes = 10_000;

/** Messages of a client in a session: those that carry data, and those that Postgres keeps short. */
const longTypes = new Set("QPBFd");
const shortTypes = new Set("CDEHSXcf");

/** The bytes are not what a client may send. */
export class ProtocolError extends Error {
  /** @param code the SQLSTATE; undefined when whoever connected does not speak the protocol at all. */
  constructor(
    readonly code: string | undefined,
    message: string,
  ) {
    super(message);
  }
}

/** A message from a client. `bytes` is all of it, with its type and length. */
export type FrontendMessage =
  | { kind: "encryption" }
  | { kind: "cancel" }
  | { kind: "startup"; minorVersion: number }
  | { kind: "message"; type: string; bytes: Buffer }
  /** Nothing that comes after it is read. */
  | { kind: "wrong"; error: ProtocolError };

/** Cuts what a client sends into messages, however it arrives in pieces. */
export class FrontendReader {
  #pieces: Buffer[] = [];
  #size = 0;
  #isStarted = false;
  #isWrong = false;

  /** @returns the messages that are complete with this piece, in order. */
  push(piece: Buffer): FrontendMessage[] {
    if (this.#isWrong) return [];
    this.#pieces.push(piece);
    this.#size += piece.length;
    const messages: FrontendMessage[] = [];
    try {
      for (;;) {
        const length = this.#messageLength();
        if (length === undefined || this.#size < length) return messages;
        messages.push(this.#message(this.#take(length)));
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#isWrong = true;
      this.#pieces = [];
      return [...messages, { kind: "wrong", error }];
    }
  }

  #messageLength(): number | undefined {
    const head = this.#head(this.#isStarted ? 5 : 8);
    if (head === undefined) return undefined;
    return this.#isStarted ? sessionMessageLength(head) : startupLength(head);
  }

  #message(bytes: Buffer): FrontendMessage {
    if (this.#isStarted) return { kind: "message", type: String.fromCharCode(bytes[0] ?? 0), bytes };
    const code = bytes.readInt32BE(4);
    if (code === sslRequestCode || code === gssRequestCode) return { kind: "encryption" };
    if (code === cancelRequestCode) return { kind: "cancel" };
    this.#isStarted = true;
    return { kind: "startup", minorVersion: code & 0xffff };
  }

  /** The first bytes, or undefined while fewer have come. */
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

  /** Only for a head in pieces and for a message that is complete: joining at each piece would be quadratic. */
  #joined(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }
}

function startupLength(head: Buffer): number {
  const length = head.readInt32BE(0);
  const code = head.readInt32BE(4);
  const isKnown = code >> 16 === protocolMajor || [sslRequestCode, gssRequestCode, cancelRequestCode].includes(code);
  if (!isKnown || length < 8 || length > maximumShortMessageBytes) {
    throw new ProtocolError(undefined, "not the Postgres protocol");
  }
  return length;
}

/** Postgres ends the process when a head is wrong, and here the process is everybody's. */
function sessionMessageLength(head: Buffer): number {
  const type = String.fromCharCode(head[0] ?? 0);
  const length = head.readInt32BE(1);
  const isLong = longTypes.has(type);
  if (!isLong && !shortTypes.has(type)) {
    throw new ProtocolError("08P01", `A message of the type ${JSON.stringify(type)} is none that a client sends.`);
  }
  if (length < 4 || (!isLong && length > maximumShortMessageBytes)) {
    throw new ProtocolError("08P01", `A message of the type ${type} cannot be ${length} bytes long.`);
  }
  if (length >= maximumMessageBytes) {
    throw new ProtocolError(
      "54000",
      `A message of ${length} bytes is too long: the embedded database takes ${maximumMessageBytes}. Send less at a time.`,
    );
  }
  return length + 1;
}

/** The state of the session that ReadyForQuery tells. */
export type SessionStatus = "idle" | "in-transaction";

/**
 * Follows the database's answers message by message. What they end with says nothing by itself: a row may hold any bytes,
 * also those of ReadyForQuery, and an answer comes in pieces that end anywhere.
 */
export class BackendReader {
  #head = Buffer.alloc(5);
  #headLength = 0;
  #bodyLeft = 0;
  #unfinished = 0;

  /** Bytes so far of the message that is not complete. */
  get unfinishedBytes(): number {
    return this.#unfinished;
  }

  /** @returns the status in the last ReadyForQuery of this piece, or undefined if it has none. */
  push(piece: Uint8Array): SessionStatus | undefined {
    let status: SessionStatus | undefined;
    let place = 0;
    while (place < piece.length) {
      if (this.#headLength < 5) {
        const taken = Math.min(5 - this.#headLength, piece.length - place);
        this.#head.set(piece.subarray(place, place + taken), this.#headLength);
        this.#headLength += taken;
        this.#unfinished += taken;
        place += taken;
        if (this.#headLength < 5) break;
        this.#bodyLeft = this.#head.readInt32BE(1) - 4;
      }
      const taken = Math.min(this.#bodyLeft, piece.length - place);
      // ReadyForQuery's body is one byte.
      if (taken > 0 && this.#head[0] === 0x5a) status = piece[place] === 0x49 ? "idle" : "in-transaction";
      this.#bodyLeft -= taken;
      this.#unfinished += taken;
      place += taken;
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
 * The message that runs in place of one that would copy from the client, for which PGlite cannot wait: without data
 * it ends, and with it the whole process stands still. A statement that says so plainly becomes one that raises
 * 0A000. Behind any other comes a CopyFail, which Postgres ignores unless it is copying after all.
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
 * The startup packet that every session is opened with. The session is open already, so nothing in a client's own has an
 * effect, and Postgres would end the process over a wrong one.
 */
export const startupPacket = startup("user\0postgres\0database\0postgres\0\0");

/** Tells a client that asked for a newer minor version that 3.0 is spoken. */
export const negotiateProtocolVersion = typed("v", "\0\0\0\0\0\0\0\0");

/** An ErrorResponse after which the connection ends. */
export function fatalError(code: string, message: string): Buffer {
  return typed("E", `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
}

function startup(body: string): Buffer {
  const bytes = Buffer.from(body, "utf8");
  const head = Buffer.alloc(8);
  head.writeInt32BE(bytes.length + 8, 0);
  head.writeInt32BE(protocolMajor << 16, 4);
  return Buffer.concat([head, bytes]);
}

function typed(type: string, body: string): Buffer {
  const bytes = Buffer.from(body, "utf8");
  const head = Buffer.alloc(5);
  head.write(type, 0);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}
