import { InputError } from "../errors.ts";
import type { ReadRows, Row } from "./row.ts";
import { readText } from "./text.ts";
import { parseElement } from "./xml-element.ts";

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
    for await (const text of readText(chunks)) yield* reader.add(withoutControls(text));
    yield* reader.end();
    if (reader.isCutShort) throw new InputError("is cut short: it lacks the end of its XML");
  };
}

class XmlRowReader {
  readonly #startTag: RegExp;
  #text = "";
  /** Where in the text the row at hand begins, or the next may; what is before is done with. */
  #position = 0;
  /** How far from there the text was searched in vain. */
  #searched = 0;
  /** The line of the position. */
  #line = 1;
  /** The tag with which the row at hand ends; undefined between rows. */
  #endTag: string | undefined;
  #root: string | undefined;
  isCutShort = false;

  constructor(elements: readonly string[]) {
    this.#startTag = new RegExp(`<((?:[\\w.-]+:)?(?:${elements.join("|")}))(?=[\\s/>])[^>]*>`, "g");
  }

  /** The rows that this text completes. */
  add(text: string): Row[] {
    this.#text = this.#text.slice(this.#position) + text;
    this.#searched -= this.#position;
    this.#position = 0;
    if (this.#root === undefined) this.#readBeginning();
    const rows: Row[] = [];
    // Nothing is done before the beginning is whole.
    if (this.#root !== undefined) while (this.#findNext(rows));
    if (this.#text.length - this.#position > longestRowCharacters) {
      throw new InputError(`has a record of more than 16 MB in line ${this.#line}`);
    }
    return rows;
  }

  end(): Row[] {
    const isInRow = this.#endTag !== undefined;
    const rest = this.#text.slice(this.#position);
    this.isCutShort = isInRow || !new RegExp(`</${this.#root}\\s*>\\s*$`).test(rest);
    return isInRow ? [this.#rowUntil(this.#text.length)] : [];
  }

  /** Finds the name of the outermost element, which has to close. */
  #readBeginning(): void {
    const prolog = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/.exec(this.#text)?.[0].length ?? 0;
    const rest = this.#text.slice(prolog);
    if (/^<!doctype/i.test(rest)) {
      throw new InputError("has a document type declaration, which is refused: it can define entities of any size");
    }
    if (rest !== "" && !rest.startsWith("<")) throw new InputError("does not begin like XML");
    this.#root = /^<([\w.:-]+)[\s/>]/.exec(rest)?.[1];
  }

  /** Goes on to the next row's start or end; false where the text has neither. */
  #findNext(rows: Row[]): boolean {
    this.#startTag.lastIndex = this.#searched;
    return this.#endTag === undefined ? this.#findStart(rows) : this.#findEnd(this.#endTag, rows);
  }

  #findStart(rows: Row[]): boolean {
    const match = this.#startTag.exec(this.#text);
    if (match === null) {
      // A tag may be there in part; what is before it is not needed again, but for the end of the document.
      this.#goTo(Math.max(this.#position, this.#text.lastIndexOf("<")));
      return false;
    }
    const [tag, name] = match;
    this.#goTo(match.index);
    if (tag.endsWith("/>")) {
      this.#take(match.index + tag.length, rows);
    } else {
      this.#endTag = `</${name}>`;
      this.#searched += tag.length;
    }
    return true;
  }

  #findEnd(endTag: string, rows: Row[]): boolean {
    const end = this.#text.indexOf(endTag, this.#searched);
    const next = this.#startTag.exec(this.#text);
    // Rows are not in rows: where the next begins before this one ends, its end is missing.
    const isUnclosed = next !== null && (end === -1 || next.index < end);
    if (end === -1 && !isUnclosed) {
      this.#searched = Math.max(this.#searched, this.#text.length - endTag.length);
      return false;
    }
    this.#take(isUnclosed ? next.index : end + endTag.length, rows);
    return true;
  }

  /** Takes what is before this place as a row. */
  #take(place: number, rows: Row[]): void {
    rows.push(this.#rowUntil(place));
    this.#goTo(place);
    this.#endTag = undefined;
  }

  #rowUntil(place: number): Row {
    const text = this.#text.slice(this.#position, place);
    const { values, fault } = parseElement(text);
    const line = this.#line;
    return fault === undefined ? { line, values } : { line, reason: `not XML: ${fault}`, text, values };
  }

  #goTo(place: number): void {
    let feed = this.#text.indexOf("\n", this.#position);
    for (; feed !== -1 && feed < place; feed = this.#text.indexOf("\n", feed + 1)) this.#line++;
    this.#position = place;
    this.#searched = place;
  }
}

/** Control characters, and references to them, are not XML; publishers write them all the same. */
function withoutControls(text: string): string {
  return text.replaceAll(controls, "").replaceAll(controlReferences, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const controlReferences = /&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/gi;
