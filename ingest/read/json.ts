import { Tokenizer, TokenParser, TokenType } from "@streamparser/json";
import { InputError } from "../errors.ts";
import { BoundError, maxLevels, maxRecordSize, tooDeepMessage } from "./bounds.ts";
import type { ReadRows, Row } from "./row.ts";
import { readText } from "./text.ts";

/**
 * Rows from the objects at these paths of a JSON document, for example `$.grants.*`; `*` is any member. If a path leads
 * to objects within those of another path, the innermost objects are the rows.
 *
 * JSON that is cut, malformed or beyond a bound ends the file: the rows before it are read, then an error is thrown.
 */
export function jsonRows(...paths: string[]): ReadRows {
  return readRows(() => new JsonRowReader(paths));
}

/**
 * Rows from the items of one list, in a document or in several that follow each other.
 *
 * @param path names of the members that lead to the list, with `*` for the items of each list, and so at the end; empty for the documents
 *   themselves.
 * @param isOnlyList whether another list of objects in a document is a fault.
 */
export function jsonListRows(path: readonly string[], { isOnlyList = false } = {}): ReadRows {
  const only = isOnlyList ? path.slice(0, path.indexOf("*")).join(".") : undefined;
  return readRows(() => new JsonRowReader([["$", ...path].join(".")], { isSequence: true, only }));
}

function readRows(createReader: () => JsonRowReader): ReadRows {
  return async function* (chunks) {
    const reader = createReader();
    let isBeginning = true;
    for await (const text of readText(chunks)) {
      if (isBeginning) requireJson(text);
      isBeginning &&= text.trim() === "";
      yield* reader.add(text);
      reader.throwFault();
    }
    reader.end();
  };
}

function requireJson(text: string): void {
  const [first = "{"] = text.trimStart();
  if (first === "<") throw new InputError("begins like XML or HTML, not like JSON");
  if (!/[[{]/.test(first)) throw new InputError("does not begin like JSON; perhaps it is a CSV file");
}

/** Beginning of an object or array. */
interface Opening {
  offset: number;
  line: number;
  isList: boolean;
  /** Names of the members that lead to it, up to the first list. */
  name: string;
  isInList: boolean;
}

interface ReaderOptions {
  /** Whether several documents may follow each other. */
  isSequence?: boolean;
  /** Name of the only list of objects that may be outside of lists. */
  only?: string | undefined;
}

class JsonRowReader {
  readonly #tokenizer: Tokenizer;
  readonly #encoder = new TextEncoder();
  #rows: Row[] = [];
  readonly #open: Opening[] = [];
  #lastRowOffset = -1;
  #rowCount = 0;
  /** Offset of the last row's end, or of a later token outside of rows. The bytes after it are in memory. */
  #rowsEnd = 0;
  /** Offset of the current piece; the piece; and how many of its bytes were searched for line breaks. */
  #pieceOffset = 0;
  #piece = new Uint8Array();
  #counted = 0;
  #line = 1;
  /** First fault in the document. */
  #fault: InputError | undefined;
  /** Offset of the current token. */
  #tokenOffset = 0;
  #lastText = "";
  /** Name of the member whose value comes next. */
  #member = "";

  constructor(paths: readonly string[], { isSequence = false, only }: ReaderOptions = {}) {
    const separator = isSequence ? { separator: "" } : {};
    const rowLevel = Math.min(...paths.map((path) => path.split(".").length));
    this.#tokenizer = new Tokenizer(separator);
    const values = new TokenParser({ paths: [...paths], keepStack: false, ...separator });
    const fail = (offset: number, message: string) => {
      this.#fault ??= new InputError(`is not JSON near line ${this.#lineAt(offset)}: ${message}`);
    };
    this.#tokenizer.onError = ({ message }) => {
      const [, text, offset] = /^(.*) at chunk position .*absolute position "(\d+)"/s.exec(message) ?? [];
      fail(offset === undefined ? this.#tokenOffset : Number(offset), text ?? message);
    };
    values.onError = ({ message }) => fail(this.#tokenOffset, message.replace(/ in state \w+$/, ""));
    // The document has ended. The tokenizer reports anything that follows.
    values.onEnd = () => undefined;
    values.onValue = ({ value, key, parent }) => {
      this.#addRow(value);
      release(value, key, parent);
    };
    this.#tokenizer.onToken = (token) => {
      const { token: type, offset } = token;
      if (this.#fault !== undefined) return;
      this.#tokenOffset = offset;
      if (type === TokenType.STRING) this.#lastText = String(token.value);
      if (type === TokenType.COLON) this.#member = this.#lastText;
      if (type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET) {
        this.#begin(type === TokenType.LEFT_BRACKET, offset, only);
        if (this.#open.length > maxLevels) {
          this.#fault = new BoundError(
            `is not JSON that can be read near line ${this.#lineAt(offset)}: it ${tooDeepMessage}`,
          );
        }
      }
      values.write(token);
      if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) this.#open.pop();
      if (this.#open.length < rowLevel) this.#rowsEnd = offset;
    };
  }

  #begin(isList: boolean, offset: number, only: string | undefined): void {
    const parent = this.#open.at(-1);
    const isInList = parent?.isInList === true || parent?.isList === true;
    const name =
      parent === undefined || isInList ? (parent?.name ?? "") : `${parent.name}.${this.#member}`.replace(/^\./, "");
    const line = this.#lineAt(offset);
    this.#open.push({ offset, line, isList, name, isInList });
    const isItem = parent?.isList === true && !parent.isInList && !isList;
    if (only === undefined || !isItem || name === only) return;
    this.#fault ??= new InputError(
      `has a second list of objects, ${name}, near line ${line}, besides ${only}: choose one with --records ${only} or --records ${name}`,
    );
  }

  /** Adds text and returns the rows that it completes. */
  add(text: string): Row[] {
    this.#piece = this.#encoder.encode(text);
    this.#counted = 0;
    this.#tokenizer.write(this.#piece);
    this.#lineAt(this.#pieceOffset + this.#piece.length);
    this.#pieceOffset += this.#piece.length;
    this.#boundRecord(this.#pieceOffset);
    return this.#takeRows();
  }

  /** @throws {InputError} when the document has a fault. */
  throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** @throws {InputError} when the document has no end. */
  end(): void {
    if (this.#open.length > 0) throw new InputError("is cut short: its JSON is not closed");
  }

  #takeRows(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #addRow(value: unknown): void {
    this.#boundRecord(this.#tokenOffset);
    if (this.#fault !== undefined) return;
    this.#rowsEnd = this.#tokenOffset;
    const record = ++this.#rowCount;
    const opening = this.#open.at(-1);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      const line = opening?.line ?? this.#line;
      this.#rows.push({ line, record, reason: "not a JSON object", text: JSON.stringify(value) });
    } else if (opening !== undefined && opening.offset > this.#lastRowOffset) {
      this.#lastRowOffset = opening.offset;
      this.#rows.push({ line: opening.line, record, values: value as Record<string, unknown> });
    }
  }

  #boundRecord(end: number): void {
    if (end - this.#rowsEnd <= maxRecordSize) return;
    this.#fault ??= new BoundError(`has a record of more than 16 MB near line ${this.#lineAt(end)}`);
  }

  /** Returns the line of a byte in the current piece. Must be called with increasing offsets. */
  #lineAt(offset: number): number {
    const end = offset - this.#pieceOffset;
    for (; this.#counted < end; this.#counted++) if (this.#piece[this.#counted] === 10) this.#line++;
    return this.#line;
  }
}

/** Removes a row from its parent, to free the memory. The parent itself may be a row and stays. */
function release(value: unknown, key: string | number | undefined, parent: unknown): void {
  if (Array.isArray(parent) && parent.at(-1) === value) parent.length--;
  else if (typeof parent === "object" && parent !== null && typeof key === "string")
    Reflect.deleteProperty(parent, key);
}
