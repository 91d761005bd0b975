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
  /** How far the text was searched in vain, and the line on which it begins. */
  #searched = 0;
  #line = 1;
  /** The tag with which the row at hand ends, and the text's first characters are the row's. */
  #endTag: string | undefined;
  #root: string | undefined;
  isCutShort = false;

  constructor(elements: readonly string[]) {
    this.#startTag = new RegExp(`<((?:[\\w.-]+:)?(?:${elements.join("|")}))(?=[\\s/>])[^>]*>`, "g");
  }

  /** The rows that this text completes. */
  add(text: string): Row[] {
    this.#text += text;
    if (this.#root === undefined) this.#readBeginning();
    const rows: Row[] = [];
    // Nothing is dropped before the beginning is whole.
    if (this.#root !== undefined)
      while (this.#endTag === undefined ? this.#findStart(rows) : this.#findEnd(this.#endTag, rows));
    if (this.#text.length > longestRowCharacters) {
      throw new InputError(`has a record of more than 16 MB in line ${this.#line}`);
    }
    return rows;
  }

  end(): Row[] {
    const isInRow = this.#endTag !== undefined;
    this.isCutShort = isInRow || !new RegExp(`</${this.#root}\\s*>\\s*$`).test(this.#text);
    return isInRow ? [this.#row(this.#text.length)] : [];
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

  #findStart(rows: Row[]): boolean {
    this.#startTag.lastIndex = this.#searched;
    const match = this.#startTag.exec(this.#text);
    if (match === null) {
      // A tag may be in part there; what is before it is not needed again, but for the end of the document.
      const open = Math.max(0, this.#text.lastIndexOf("<"));
      this.#drop(open);
      this.#searched = 0;
      return false;
    }
    const [tag, name] = match;
    this.#drop(match.index);
    if (tag.endsWith("/>")) {
      rows.push(this.#taken(tag.length));
    } else {
      this.#endTag = `</${name}>`;
      this.#searched = tag.length;
    }
    return true;
  }

  #findEnd(endTag: string, rows: Row[]): boolean {
    const end = this.#text.indexOf(endTag, this.#searched);
    this.#startTag.lastIndex = this.#searched;
    const next = this.#startTag.exec(this.#text);
    // Rows are not in rows: where the next begins before this one ends, its end is missing.
    const isUnclosed = next !== null && (end === -1 || next.index < end);
    if (end === -1 && !isUnclosed) {
      this.#searched = Math.max(this.#searched, this.#text.length - endTag.length, 0);
      return false;
    }
    rows.push(this.#taken(isUnclosed ? next.index : end + endTag.length));
    return true;
  }

  /** The row that the text's first characters are, taken off it. */
  #taken(length: number): Row {
    const row = this.#row(length);
    this.#drop(length);
    this.#endTag = undefined;
    this.#searched = 0;
    return row;
  }

  #row(length: number): Row {
    const text = this.#text.slice(0, length);
    const { values, fault } = parseElement(text);
    const line = this.#line;
    return fault === undefined ? { line, values } : { line, reason: `not XML: ${fault}`, text, values };
  }

  #drop(length: number): void {
    const dropped = this.#text.slice(0, length);
    for (let feed = dropped.indexOf("\n"); feed !== -1; feed = dropped.indexOf("\n", feed + 1)) this.#line++;
    this.#text = this.#text.slice(length);
  }
}

/** Control characters, and references to them, are not XML; publishers write them all the same. */
function withoutControls(text: string): string {
  return text.replaceAll(controls, "").replaceAll(controlReferences, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const controlReferences = /&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/gi;
