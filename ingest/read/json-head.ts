import { type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from "@streamparser/json";
import { maxLevels, maxRecordSize } from "./bounds.ts";

/** Beginning of a JSON file: its first values, of which the last may be cut. */
export interface JsonHead {
  /** Values at the top of the file, with at most {@link sampleItems} items of each list. */
  values: unknown[];
  /** Whether the first of them begins and ends in one line. */
  isFirstInOneLine: boolean;
  /** Whether the values are all that the file has. */
  isWhole: boolean;
  /** Line of the first fault, counted from the first value's, and that line. */
  fault?: { line: number; text: string };
}

/** Values that are read, of a file with many: as few lines as show what they are. */
const sampleValues = 20;
/** Items that are kept of a list. */
export const sampleItems = 100;

/** Reads the first values of a JSON file, at most 16 MB. */
export class JsonHeadReader {
  readonly #tokenizer = new Tokenizer({ separator: "" });
  readonly #decoder = new TextDecoder();
  readonly #values: unknown[] = [];
  /** Lists and objects that are open, the innermost last, and the name of the member to come in each. */
  readonly #open: { value: unknown[] | Record<string, unknown>; name: string | undefined }[] = [];
  #bytes = 0;
  #text = "";
  #offset = 0;
  #firstEnd: number | undefined;
  /** Offset of the first fault. */
  #faultOffset: number | undefined;

  constructor() {
    const grammar = new TokenParser({ paths: ["$"], keepStack: false, separator: "" });
    this.#tokenizer.onError = ({ message }) => {
      this.#faultOffset ??= Number(/absolute position "(\d+)"/.exec(message)?.[1] ?? this.#offset);
    };
    grammar.onError = () => {
      this.#faultOffset ??= this.#offset;
    };
    grammar.onValue = () => undefined;
    this.#tokenizer.onToken = (token) => {
      if (this.#faultOffset !== undefined || this.#isFull()) return;
      this.#offset = token.offset;
      // A validator of the grammar: it is not given the values, so that it keeps none.
      grammar.write({ ...token, value: token.token === TokenType.STRING ? "" : token.value } as ParsedTokenInfo);
      if (this.#faultOffset === undefined) this.#add(token);
    };
  }

  /** Adds bytes. Returns whether the head is read. */
  add(bytes: Uint8Array): boolean {
    this.#bytes += bytes.length;
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#text += text;
    this.#tokenizer.write(text);
    return this.#faultOffset !== undefined || this.#isFull() || this.#bytes > maxRecordSize;
  }

  /** @param isEnd whether the file ended. */
  head(isEnd: boolean): JsonHead {
    // Offsets count the bytes of UTF-8.
    const bytes = new TextEncoder().encode(this.#text);
    const linesTo = (offset: number) =>
      new TextDecoder().decode(bytes.subarray(0, offset)).trimStart().split("\n").length;
    const head: JsonHead = {
      values: this.#values,
      isFirstInOneLine: this.#firstEnd !== undefined && linesTo(this.#firstEnd) === 1,
      isWhole: isEnd && this.#faultOffset === undefined && this.#open.length === 0,
    };
    if (this.#faultOffset === undefined) return head;
    const line = linesTo(this.#faultOffset);
    return { ...head, fault: { line, text: this.#text.trimStart().split("\n")[line - 1] ?? "" } };
  }

  #isFull(): boolean {
    return this.#values.length >= sampleValues && this.#open.length === 0;
  }

  #add({ token, value }: ParsedTokenInfo): void {
    const inner = this.#open.at(-1);
    if (token === TokenType.LEFT_BRACE) this.#begin({});
    else if (token === TokenType.LEFT_BRACKET) this.#begin([]);
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#open.pop();
    else if (token === TokenType.COMMA && inner !== undefined) inner.name = undefined;
    else if (token !== TokenType.COLON && token !== TokenType.COMMA) {
      const isName = inner !== undefined && !Array.isArray(inner.value) && inner.name === undefined;
      if (isName) inner.name = String(value);
      else this.#put(value);
    }
    if (this.#open.length === 0) this.#firstEnd ??= this.#offset;
  }

  #begin(value: unknown[] | Record<string, unknown>): void {
    this.#put(value);
    this.#open.push({ value, name: undefined });
    if (this.#open.length > maxLevels) this.#faultOffset ??= this.#offset;
  }

  #put(value: unknown): void {
    const inner = this.#open.at(-1);
    if (inner === undefined) this.#values.push(value);
    else if (!Array.isArray(inner.value)) Object.defineProperty(inner.value, inner.name ?? "", plainMember(value));
    else if (inner.value.length < sampleItems) inner.value.push(value);
  }
}

/** A member of any name, also `__proto__`. */
function plainMember(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}
