import { Parser } from "htmlparser2";

/** The elements that descriptions have. Anything else between angle brackets is text: "<ann@example.gov>". */
const elements =
  "a|abbr|address|article|aside|b|big|blockquote|body|br|caption|center|cite|code|col|colgroup|dd|del|div|dl|dt|em|" +
  "figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|ol|" +
  "o:p|p|pre|q|s|script|section|small|span|st1:[a-z]+|strike|strong|style|sub|sup|table|tbody|td|tfoot|th|thead|title|" +
  "tr|tt|u|ul|v:[a-z]+|w:[a-z]+";
const anyTag = new RegExp(`</?(?:${elements})(?=[\\s/>])[^<>]*>|<!--|<!doctype`, "i");
const anyEntity = /&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/i;
const notATag = new RegExp(`<(?!/?(?:${elements})(?=[\\s/>])|!--|!doctype)`, "gi");

const paragraphs = new Set(
  "address article aside blockquote body center div dl figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul".split(
    " ",
  ),
);
const lines = new Set(["br", "caption", "dd", "dt", "li", "tr"]);
const cells = new Set(["td", "th"]);
const unseen = new Set(["head", "iframe", "script", "style", "title"]);

/**
 * HTML as text for reading: paragraphs with an empty line between, list items with a dash, one line a table
 * row, entities as characters. Text without HTML comes back as it is; so does "a < b".
 */
export function readableText(text: string): string {
  // Publishers escape twice, so that tags come out of the first reading.
  const once = withoutHtml(text);
  return once !== text && (anyTag.test(once) || anyEntity.test(once)) ? withoutHtml(once) : once;
}

function withoutHtml(text: string): string {
  if (!anyTag.test(text)) return anyEntity.test(text) ? rendered(text.replaceAll("<", "&lt;"), false) : text;
  // Only b, i and the like: the line breaks are then the author's.
  const hasLayout = /<(?:p|br|div|li|tr|h[1-6]|table|ul|ol)(?=[\s/>])/i.test(text);
  return rendered(text.replaceAll(notATag, "&lt;"), hasLayout);
}

function rendered(html: string, hasLayout: boolean): string {
  const text = hasLayout ? new LaidOutText() : new PlainText();
  let hidden = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (unseen.has(name)) hidden++;
      else if (paragraphs.has(name)) text.breakLine(2);
      else if (name === "br") text.addBreak();
      else if (lines.has(name)) text.breakLine(1);
      else if (cells.has(name)) text.add(" ");
      if (name === "li") text.add("- ");
    },
    ontext(words) {
      if (hidden === 0) text.add(words);
    },
    onclosetag(name) {
      if (unseen.has(name)) hidden = Math.max(0, hidden - 1);
      else if (paragraphs.has(name)) text.breakLine(2);
    },
  });
  parser.end(html);
  return text.toString();
}

/** Text in which white space is the markup's: runs of it are one space, and lines break where elements do. */
class LaidOutText {
  #text = "";
  #breaks = 0;
  #hasSpace = false;

  add(words: string): void {
    const trimmed = words.trim().replaceAll(/\s+/g, " ");
    if (trimmed !== "") {
      if (this.#text !== "") this.#text += "\n".repeat(this.#breaks);
      if (this.#text !== "" && this.#breaks === 0 && (this.#hasSpace || /^\s/.test(words))) this.#text += " ";
      this.#text += trimmed;
      this.#breaks = 0;
      this.#hasSpace = false;
    }
    if (/\s$/.test(words)) this.#hasSpace = true;
  }

  /** At least so many line breaks before the next words. */
  breakLine(count: number): void {
    this.#breaks = Math.max(this.#breaks, count);
  }

  /** One more, up to an empty line. */
  addBreak(): void {
    this.#breaks = Math.min(this.#breaks + 1, 2);
  }

  toString(): string {
    return this.#text;
  }
}

/** Text whose white space is its author's, with only inline markup to be taken out. */
class PlainText {
  #text = "";

  add(words: string): void {
    this.#text += words;
  }

  breakLine(): void {}

  addBreak(): void {
    this.#text += "\n";
  }

  toString(): string {
    return this.#text.replaceAll("\u00a0", " ").trim();
  }
}
