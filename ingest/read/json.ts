import { Tokenizer, TokenParser, TokenType } from "@streamparser/json";
import { InputError } from "../errors.ts";
import type { ReadRows, Row } from "./row.ts";
import { readText } from "./text.ts";

/**
 * The objects at these paths of a JSON document as rows, for example `$.grants.*`; `*` is any member.
 * Where one path leads into what another leads to, the innermost are the rows.
 *
 * JSON that breaks off or goes wrong ends the file: what came before is read, and the failure told.
 */
export function jsonRows(...paths: string[]): ReadRows {
  return async function* (chunks) {
    const reader = new JsonRowReader(paths);
    let isBeginning = true;
    for await (const text of readText(chunks)) {
      if (isBeginning) requireJson(text);
      isBeginning &&= text.trim() === "";
      yield* reader.add(text);
    }
    reader.end();
  };
}

function requireJson(text: string): void {
  const [first = "{"] = text.trimStart();
  if (first === "<") throw new InputError("begins like XML or HTML, not like JSON");
  if (!/[[{]/.test(first)) throw new InputError("does not begin like JSON; perhaps it is a CSV file");
}

/** Where an object or array begins. */
interface Opening {
  offset: number;
  line: number;
}

class JsonRowReader {
  readonly #tokenizer = new Tokenizer();
  readonly #encoder = new TextEncoder();
  #rows: Row[] = [];
  readonly #open: Opening[] = [];
  #lastRowOffset = -1;
  /** Bytes and lines before the piece at hand, and how far its lines are counted. */
  #pieceOffset = 0;
  #piece = new Uint8Array();
  #counted = 0;
  #line = 1;
  #fault: string | undefined;
  #faultLine = 1;
  /** Where the token at hand begins. */
  #tokenOffset = 0;

  constructor(paths: readonly string[]) {
    const values = new TokenParser({ paths: [...paths], keepStack: false });
    const fail = (offset: number, message: string) => {
      if (this.#fault !== undefined) return;
      this.#fault = message;
      this.#faultLine = this.#lineAt(offset);
    };
    this.#tokenizer.onError = ({ message }) => {
      const [, text, offset] = /^(.*) at chunk position .*absolute position "(\d+)"/s.exec(message) ?? [];
      fail(offset === undefined ? this.#tokenOffset : Number(offset), text ?? message);
    };
    values.onError = ({ message }) => fail(this.#tokenOffset, message.replace(/ in state \w+$/, ""));
    // A document ends; what follows it in the file is the tokenizer's to complain of.
    values.onEnd = () => undefined;
    values.onValue = ({ value }) => this.#addRow(value);
    this.#tokenizer.onToken = (token) => {
      const { token: type, offset } = token;
      this.#tokenOffset = offset;
      if (type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET) {
        this.#open.push({ offset, line: this.#lineAt(offset) });
      }
      values.write(token);
      if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) this.#open.pop();
    };
  }

  /** The rows that this text completes. */
  add(text: string): Row[] {
    this.#piece = this.#encoder.encode(text);
    this.#counted = 0;
    this.#tokenizer.write(this.#piece);
    this.#lineAt(this.#pieceOffset + this.#piece.length);
    this.#pieceOffset += this.#piece.length;
    return this.#taken();
  }

  /** @throws {InputError} when the document went wrong, or has no end. */
  end(): void {
    if (this.#fault !== undefined) throw new InputError(`is not JSON near line ${this.#faultLine}: ${this.#fault}`);
    if (this.#open.length > 0) throw new InputError("is cut short: its JSON is not closed");
  }

  #taken(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #addRow(value: unknown): void {
    const opening = this.#open.at(-1);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      const line = opening?.line ?? this.#line;
      this.#rows.push({ line, reason: "not a JSON object", text: JSON.stringify(value) });
    } else if (opening !== undefined && opening.offset > this.#lastRowOffset) {
      this.#lastRowOffset = opening.offset;
      this.#rows.push({ line: opening.line, values: value as Record<string, unknown> });
    }
  }

  /** The line of a byte of the piece at hand. Asked for in order. */
  #lineAt(offset: number): number {
    const end = offset - this.#pieceOffset;
    for (; this.#counted < end; this.#counted++) if (this.#piece[this.#counted] === 10) this.#line++;
    return this.#line;
  }
}
