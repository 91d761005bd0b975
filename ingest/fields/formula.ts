import { quoteValue, ValueError } from "../errors.ts";

/** A spreadsheet's formula whose value is plain to see: the text that its cell shows, and the address that it links to. */
export interface Formula {
  text: string;
  address?: string;
}

/** Longest formula of Excel, in characters. */
const longestFormula = 8_192;
/** Brackets within each other at most; Excel allows 64 functions. */
const deepest = 64;

/**
 * Reads a formula that exports leave in the place of a value: `=HYPERLINK("https://...", "HRSA-27-015")`, `="00123"`, `=-5`,
 * `="A"&"B"`, `=TEXT(7,"000")`; arguments divided by commas or semicolons. Undefined for a text that is no formula as a whole.
 *
 * @throws {ValueError} for every other formula, since only a spreadsheet knows its value.
 */
export function readFormula(given: string): Formula | undefined {
  // An apostrophe before it keeps spreadsheets from running it.
  const source = /^'?=/.test(given) && given.length <= longestFormula ? given.replace(/^'?=\s*/, "") : "";
  if (source === "") return undefined;
  const parser = new Parser(source);
  const formula = parser.parseWhole();
  if (formula === undefined) return undefined;
  if (formula === unknown)
    throw new ValueError(`${quoteValue(given)} is a spreadsheet's formula; export the file with values`);
  return formula;
}

/** A part whose value only the spreadsheet knows. */
const unknown = Symbol("unknown");
type Part = Formula | typeof unknown;

const space = /\s*/y;
const text = /"((?:[^"]|"")*)"/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?%?(?![\w.(!])/iy;
const constant = /(?:TRUE|FALSE)(?![\w.(!])/iy;
/** A cell or range, of this sheet or another: A1, $A$1:B2, 'Sheet 1'!A1, Data!A:A. */
const reference =
  /(?:(?:'[^']+'|[A-Za-z_]\w*)!)?\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?(?![\w.(])|(?:(?:'[^']+'|[A-Za-z_]\w*)!)?\$?[A-Z]{1,3}:\$?[A-Z]{1,3}(?![\w.(])/iy;
const call = /(?:_xlfn\.)?([A-Z][A-Z0-9.]*)\(/iy;
const operator = /(?:<=|>=|<>|[&+\-*/^=<>])/y;

/** Parser of a formula behind its equals sign, by recursive descent. */
class Parser {
  #position = 0;
  #depth = 0;

  constructor(readonly source: string) {}

  /** The value of the whole text. Undefined where it is no formula. */
  parseWhole(): Part | undefined {
    const value = this.#parseExpression();
    this.#take(space);
    return this.#position === this.source.length ? value : undefined;
  }

  #parseExpression(): Part | undefined {
    let value = this.#parseTerm();
    while (value !== undefined) {
      this.#take(space);
      const sign = this.#take(operator)?.[0];
      if (sign === undefined) return value;
      const right = this.#parseTerm();
      if (right === undefined) return undefined;
      // Sums are not computed: "=2026-06" may have been meant as a month.
      value = sign === "&" && value !== unknown && right !== unknown ? { text: value.text + right.text } : unknown;
    }
    return undefined;
  }

  #parseTerm(): Part | undefined {
    this.#take(space);
    const written = this.#take(text)?.[1];
    if (written !== undefined) return { text: written.replaceAll('""', '"') };
    const sign = this.#take(/[+-]/y)?.[0];
    if (sign !== undefined) return this.#parseSigned(sign);
    const plain = (this.#take(number) ?? this.#take(constant))?.[0];
    if (plain !== undefined) return { text: plain };
    if (this.#take(reference) !== undefined) return unknown;
    const name = this.#take(call)?.[1]?.toUpperCase();
    if (name !== undefined) return this.#parseCall(name);
    if (this.#take(/\(/y) === undefined) return undefined;
    return this.#within(() => {
      const value = this.#parseExpression();
      return this.#closes() ? value : undefined;
    });
  }

  #parseSigned(sign: string): Part | undefined {
    const value = this.#within(() => this.#parseTerm());
    if (value === undefined || value === unknown) return value;
    if (!/^\d|^\./.test(value.text)) return unknown;
    return { text: sign === "-" ? `-${value.text}` : value.text };
  }

  #parseCall(name: string): Part | undefined {
    const values = this.#within(() => this.#parseArguments());
    if (values === undefined) return undefined;
    const known = values.filter((value) => value !== unknown);
    return known.length === values.length ? valueOfCall(name, known) : unknown;
  }

  #parseArguments(): Part[] | undefined {
    const values: Part[] = [];
    if (this.#closes()) return values;
    for (;;) {
      this.#take(space);
      // An argument may be left out: IF(A1,,"x").
      const value = /[,;)]/.test(this.source.charAt(this.#position)) ? unknown : this.#parseExpression();
      if (value === undefined) return undefined;
      values.push(value);
      if (this.#closes()) return values;
      if (this.#take(/[,;]/y) === undefined) return undefined;
    }
  }

  #closes(): boolean {
    this.#take(space);
    return this.#take(/\)/y) !== undefined;
  }

  #within<Result>(parse: () => Result | undefined): Result | undefined {
    if (this.#depth >= deepest) return undefined;
    this.#depth++;
    const result = parse();
    this.#depth--;
    return result;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.source) ?? undefined;
    if (match !== undefined) this.#position = pattern.lastIndex;
    return match;
  }
}

/** Value of a function whose arguments are plain, where it needs no spreadsheet. */
function valueOfCall(name: string, values: readonly Formula[]): Part {
  const [first, second] = values;
  if (name === "HYPERLINK" && first !== undefined) return { text: (second ?? first).text, address: first.text };
  if (name === "CONCATENATE" || name === "CONCAT") return { text: values.map((value) => value.text).join("") };
  if ((name === "T" || name === "VALUE") && first !== undefined && values.length === 1) return { text: first.text };
  // A number with leading zeros. Other formats are dates, or in the language of the spreadsheet.
  if (name === "TEXT" && first !== undefined && second !== undefined)
    return /^\d+$/.test(first.text) && /^(?:0+|@)$/.test(second.text)
      ? { text: first.text.padStart(second.text.replace("@", "").length, "0") }
      : unknown;
  return unknown;
}
