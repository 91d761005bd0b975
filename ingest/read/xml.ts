import { InputError } from "../errors.ts";
import { BoundError, maxRecordSize } from "./bounds.ts";
import type { ReadRows, Row } from "./row.ts";
import { readText } from "./text.ts";
import { parseElement } from "./xml-element.ts";
import { findMarkup, type Markup } from "./xml-markup.ts";

/**
 * Rows from the elements of these names, anywhere in an XML file. An element's children are its values, by name without
 * prefix; children of the same name are a list. `element` is the element's own name.
 *
 * Each element is found by its tags and parsed by itself. So an element that is not XML is a broken row and does not
 * affect the others, and no entity can be defined for it. A document type declaration is refused nevertheless.
 *
 * @throws {InputError} after the last row, when the file is cut short.
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
  /** Index of the current row in the text, or of the next. The text before it is no longer needed. */
  #position = 0;
  /** Index from which the next markup is searched, and index up to which that was done. */
  #next = 0;
  #searchedTo = 0;
  /** Openings of sections that nothing in the rest of the file closes. */
  readonly #unclosed = new Set<string>();
  /** Line of the position. */
  #line = 1;
  /** Name of the current row's element, as in its tag. Undefined between rows. */
  #row: string | undefined;
  #root: string | undefined;
  /** Number of open elements with the root's name. */
  #openRoots = 0;

  constructor(elements: readonly string[]) {
    this.#elements = new Set(elements);
  }

  /** Whether the outermost element was not closed. */
  get isCutShort(): boolean {
    return this.#openRoots > 0 || this.#root === undefined;
  }

  /** Adds text and returns the rows that it completes. */
  add(text: string): Row[] {
    this.#text = this.#text.slice(this.#position) + text;
    this.#next -= this.#position;
    this.#searchedTo -= this.#position;
    this.#position = 0;
    const rows: Row[] = [];
    this.#readMarkup(rows, false);
    if (this.#text.length - this.#position > maxRecordSize) {
      throw new BoundError(`has a record of more than 16 MB in line ${this.#line}`);
    }
    return rows;
  }

  /** Returns the rows that the end of the file completes. The last may be broken. */
  end(): Row[] {
    const rows: Row[] = [];
    this.#readMarkup(rows, true);
    if (this.#root === undefined) this.#requireXml(this.#text.length);
    if (this.#row !== undefined) rows.push(this.#rowUntil(this.#text.length));
    return rows;
  }

  #readMarkup(rows: Row[], isEnd: boolean): void {
    for (;;) {
      const markup = findMarkup(this.#text, this.#next, this.#searchedTo, this.#unclosed);
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
      if (markup.kind !== "unfinished") this.#take(markup, rows);
      else if (markup.section !== undefined && !this.#endsAfter(markup.start)) this.#passTo(this.#text.length);
      else {
        // Markup that the file does not complete is text, and may contain tags.
        if (markup.section !== undefined) this.#unclosed.add(markup.section);
        this.#passTo(markup.start + 1);
      }
    }
  }

  /**
   * Whether the outermost element is closed after an index. If so, a comment that is not is a stray `<!--`, and its rows
   * are rows; if not, the file was cut in the comment.
   */
  #endsAfter(index: number): boolean {
    return this.#root !== undefined && this.#text.includes(`</${this.#root}`, index);
  }

  /** Before the outermost element, only space, comments and instructions are allowed. */
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
    // Rows are not nested. If the next begins before this one ends, this one's end is missing.
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

  #endRow(end: number, rows: Row[]): void {
    rows.push(this.#rowUntil(end));
    this.#row = undefined;
    this.#goTo(end);
  }

  /** Continues after the text that was read. Between rows, that text is no longer needed. */
  #passTo(index: number): void {
    this.#next = index;
    this.#searchedTo = index;
    if (this.#row === undefined) this.#goTo(index);
  }

  #rowUntil(end: number): Row {
    const text = this.#text.slice(this.#position, end);
    const { values, fault } = parseElement(removeControlReferences(text));
    const line = this.#line;
    return fault === undefined ? { line, values } : { line, reason: `not XML: ${fault}`, text, values };
  }

  #goTo(index: number): void {
    let feed = this.#text.indexOf("\n", this.#position);
    for (; feed !== -1 && feed < index; feed = this.#text.indexOf("\n", feed + 1)) this.#line++;
    this.#position = index;
  }
}

/** Control characters and references to them, which publishers write although XML forbids them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const controlReferences = /<!\[CDATA\[[\s\S]*?\]\]>|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/gi;

/** Removes references to control characters, except in CDATA sections, where they are text. */
function removeControlReferences(text: string): string {
  if (!text.includes("&#")) return text;
  return text.replaceAll(controlReferences, (found) => (found.startsWith("<") ? found : ""));
}
