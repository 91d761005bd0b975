import { InputError } from "../errors.ts";
import type { ReadRows, Row } from "./row.ts";
import { readText } from "./text.ts";
import { parseElement } from "./xml-element.ts";
import { type Markup, nextMarkup } from "./xml-markup.ts";

/** A record longer than this is none: a tag was left open, or somebody wants the memory. */
const longestRowCharacters = 16_000_000;

/**
 * The elements of these names, anywhere in an XML file, as rows: an element's children are its values,
 * by name without prefix; one that comes several times is a list. `element` is the element's own name.
 *
 * Each element is found by its tags and parsed by itself. So one that is not XML is a broken row and costs no
 * other, and no entity can be defined for it. A document type declaration is refused all the same.
 *
 * @throws {InputError} after the rows that are there, when the file is cut short.
 */
export function xmlRows(...elements: string[]): ReadRows {
  return async function* (chunks) {
    const reader = new XmlRowReader(elements);
    for await (const text of readText(chunks)) yield* reader.add(text.replaceAll(controls, ""));
    yield* reader.end();
    if (reader.isCutShort) throw new InputError("is cut short: it lacks the end of its XML");
  };
}

class XmlRowReader {
  readonly #elements: ReadonlySet<string>;
  #text = "";
  /** Where in the text the row at hand begins, or the next may; what is before is done with. */
  #position = 0;
  /** Where the next markup is looked for, and how far the one that begins there was searched. */
  #next = 0;
  #searchedTo = 0;
  /** The line of the position. */
  #line = 1;
  /** The name of the row at hand, as its tag has it; undefined between rows. */
  #row: string | undefined;
  #root: string | undefined;
  /** How many elements of the root's name are open. */
  #openRoots = 0;

  constructor(elements: readonly string[]) {
    this.#elements = new Set(elements);
  }

  /** Whether the outermost element has not been closed. */
  get isCutShort(): boolean {
    return this.#openRoots > 0 || this.#root === undefined;
  }

  /** The rows that this text completes. */
  add(text: string): Row[] {
    this.#text = this.#text.slice(this.#position) + text;
    this.#next -= this.#position;
    this.#searchedTo -= this.#position;
    this.#position = 0;
    const rows: Row[] = [];
    this.#readMarkup(rows, false);
    if (this.#text.length - this.#position > longestRowCharacters) {
      throw new InputError(`has a record of more than 16 MB in line ${this.#line}`);
    }
    return rows;
  }

  /** The rows that the end of the file completes; the last may be broken. */
  end(): Row[] {
    const rows: Row[] = [];
    this.#readMarkup(rows, true);
    if (this.#root === undefined) this.#requireXml(this.#text.length);
    if (this.#row !== undefined) rows.push(this.#rowUntil(this.#text.length));
    return rows;
  }

  #readMarkup(rows: Row[], isEnd: boolean): void {
    for (;;) {
      const markup = nextMarkup(this.#text, this.#next, this.#searchedTo);
      if (this.#root === undefined) this.#requireXml(markup?.start ?? this.#text.length);
      if (markup === undefined) {
        this.#passTo(this.#text.length);
        return;
      }
      if (markup.kind === "unfinished" && !isEnd) {
        this.#passTo(markup.start);
        this.#searchedTo = markup.searchedTo;
        return;
      }
      // What the file does not finish is text, and there may be tags in it.
      if (markup.kind === "unfinished") this.#passTo(markup.start + 1);
      else this.#take(markup, rows);
    }
  }

  /** Before the outermost element there is nothing but space, comments and instructions. */
  #requireXml(end: number): void {
    const text = this.#text.slice(this.#next, end).trim();
    if (text === "") return;
    throw new InputError(`does not begin like XML${/^[[{]/.test(text) ? ", but like JSON" : ""}`);
  }

  #take(markup: Markup, rows: Row[]): void {
    if (markup.kind === "doctype" && this.#root === undefined) {
      throw new InputError("has a document type declaration, which is refused: it can define entities of any size");
    }
    if (markup.kind === "start") this.#takeStart(markup, rows);
    else if (markup.kind === "end") this.#takeEnd(markup, rows);
    this.#passTo(markup.end);
  }

  #takeStart({ name, isEmpty, start, end }: Markup & { kind: "start" }, rows: Row[]): void {
    const isRow = this.#elements.has(name.slice(name.indexOf(":") + 1));
    // Rows are not in rows: where the next begins before this one ends, its end is missing.
    if (isRow && this.#row !== undefined) this.#endRow(start, rows);
    this.#root ??= name;
    if (name === this.#root && this.#row === undefined && !isEmpty) this.#openRoots++;
    if (!isRow) return;
    this.#goTo(start);
    this.#row = name;
    if (isEmpty) this.#endRow(end, rows);
  }

  #takeEnd({ name, end }: Markup & { kind: "end" }, rows: Row[]): void {
    if (name === this.#root && (this.#row === undefined || this.#row === name)) this.#openRoots--;
    if (name === this.#row) this.#endRow(end, rows);
  }

  #endRow(place: number, rows: Row[]): void {
    rows.push(this.#rowUntil(place));
    this.#row = undefined;
    this.#goTo(place);
  }

  /** Goes on behind what was read; between rows, it is not needed again. */
  #passTo(place: number): void {
    this.#next = place;
    this.#searchedTo = place;
    if (this.#row === undefined) this.#goTo(place);
  }

  #rowUntil(place: number): Row {
    const text = this.#text.slice(this.#position, place);
    const { values, fault } = parseElement(withoutControlReferences(text));
    const line = this.#line;
    return fault === undefined ? { line, values } : { line, reason: `not XML: ${fault}`, text, values };
  }

  #goTo(place: number): void {
    let feed = this.#text.indexOf("\n", this.#position);
    for (; feed !== -1 && feed < place; feed = this.#text.indexOf("\n", feed + 1)) this.#line++;
    this.#position = place;
  }
}

/** Control characters, and references to them, are not XML; publishers write them all the same. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const controlReferences = /<!\[CDATA\[[\s\S]*?\]\]>|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/gi;

/** In a section of characters, what looks like a reference is none. */
function withoutControlReferences(text: string): string {
  if (!text.includes("&#")) return text;
  return text.replaceAll(controlReferences, (found) => (found.startsWith("<") ? found : ""));
}
