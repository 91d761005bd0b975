/**
 * As much of the Postgres frontend/backend protocol 3.0 as it takes to tell messages apart.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

const startupCode = 196_608;
const sslRequestCode = 80_877_103;
const gssRequestCode = 80_877_104;
const cancelRequestCode = 80_877_102;
const untypedCodes = new Set([startupCode, sslRequestCode, gssRequestCode, cancelRequestCode]);

/** Longest message that is read, in bytes: a statement with a large batch fits, a stray length does not. */
const maximumMessageLength = 64 * 1024 * 1024;

/** Whether a message is the one that opens a session. */
export function isStartup(message: Buffer): boolean {
  return message.length > 8 && message.readInt32BE(0) === message.length && message.readInt32BE(4) === startupCode;
}

/**
 * The complete messages at the start of what a client has sent.
 *
 * @param started whether the session is open: before that, messages carry no type byte.
 * @throws when this cannot be the protocol.
 */
export function frontendMessages(received: Buffer, started: boolean): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let rest = received;
  let isStarted = started;
  for (;;) {
    const typeLength = isStarted ? 1 : 0;
    if (rest.length < typeLength + 4) break;
    if (!isStarted && rest.length >= 8 && !untypedCodes.has(rest.readInt32BE(4))) {
      throw new Error("not the Postgres protocol");
    }
    const length = typeLength + rest.readInt32BE(typeLength);
    if (length < typeLength + 4 || length > maximumMessageLength) throw new Error("not the Postgres protocol");
    if (rest.length < length) break;
    const message = rest.subarray(0, length);
    rest = rest.subarray(length);
    if (isStartup(message)) isStarted = true;
    // A cancel request has no answer and nothing here to cancel: one statement runs at a time.
    if (!(message.length === 16 && message.readInt32BE(4) === cancelRequestCode && !isStarted)) messages.push(message);
  }
  return { messages, rest };
}

/**
 * The state of the session after an answer that ends with ReadyForQuery, else undefined: the
 * exchange goes on.
 */
export function transactionStatus(answer: Uint8Array): "idle" | "in-transaction" | undefined {
  const end = answer.length;
  const isReady =
    end >= 6 &&
    answer[end - 6] === 0x5a &&
    answer[end - 5] === 0 &&
    answer[end - 4] === 0 &&
    answer[end - 3] === 0 &&
    answer[end - 2] === 5;
  if (!isReady) return undefined;
  return answer[end - 1] === 0x49 ? "idle" : "in-transaction";
}

const unsupportedCopy = /\bcopy\b[^;]*\bfrom\s+stdin\b/i;
const refusal =
  "do $$ begin raise exception using errcode = '0A000', message = 'COPY ... FROM STDIN is not supported by the embedded database'; end $$";

/**
 * The message that runs in place of one that PGlite would wait on for ever: a statement that copies
 * from the client becomes one that says it cannot.
 */
export function withoutCopyFromClient(message: Buffer): Buffer {
  const type = String.fromCharCode(message[0] ?? 0);
  if (type === "Q") {
    return unsupportedCopy.test(message.toString("utf8", 5)) ? typed("Q", `${refusal}\0`) : message;
  }
  if (type === "P") {
    const [name = "", text = ""] = message.toString("utf8", 5).split("\0");
    return unsupportedCopy.test(text) ? typed("P", `${name}\0${refusal}\0\0\0`) : message;
  }
  return message;
}

function typed(type: string, body: string): Buffer {
  const bytes = Buffer.from(body, "utf8");
  const head = Buffer.alloc(5);
  head.write(type, 0);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}
