import { Parser } from "htmlparser2";

/** Elements that descriptions use. Anything else between angle brackets is text: "<ann@example.gov>". */
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
const hiddenNames = ["head", "iframe", "script", "style", "title"];
const hiddenElements = new Set(hiddenNames);
const hiddenOpening = new RegExp(`<(${hiddenNames.join("|")})(?=[\\s/>])(?:[^<>]*/>)?`, "gi");
const hiddenClosing = new RegExp(`</(${hiddenNames.join("|")})(?=[\\s>])`, "gi");

/**
 * Converts HTML to text: an empty line between paragraphs, a dash before list items, a line for each table row,
 * characters for entities. Text without HTML stays as it is, also "a < b".
 */
export function htmlToText(text: string): string {
  // Some publishers escape HTML twice: the first pass then yields tags.
  const once = stripHtml(text);
  return once !== text && (anyTag.test(once) || anyEntity.test(once)) ? stripHtml(once) : once;
}

/** Replaces entities with their characters, written once or twice. Tags stay. */
export function decodeEntities(text: string): string {
  return decodeOnce(decodeOnce(text));
}

function decodeOnce(text: string): string {
  return anyEntity.test(text) ? renderHtml(text.replaceAll("<", "&lt;"), false) : text;
}

function stripHtml(text: string): string {
  if (!anyTag.test(text)) return decodeOnce(text);
  // With inline elements alone (b, i), the line breaks in the text are the author's.
  const hasLayout = /<(?:p|br|div|li|tr|h[1-6]|table|ul|ol)(?=[\s/>])/i.test(text);
  return renderHtml(escapeUnclosed(text.replaceAll(notATag, "&lt;")), hasLayout);
}

/**
 * Escapes the opening tags of hidden elements that no closing tag follows, since all text behind them would be hidden. Most are
 * placeholders: "Subject: <Title of Project>". An empty element (`<iframe/>`) is removed.
 */
function escapeUnclosed(html: string): string {
  const lastClosing = new Map<string, number>();
  for (const { 1: name = "", index } of html.matchAll(hiddenClosing)) lastClosing.set(name.toLowerCase(), index);
  return html.replaceAll(hiddenOpening, (tag, name: string, offset: number) => {
    if ((lastClosing.get(name.toLowerCase()) ?? -1) > offset) return tag;
    return tag.endsWith("/>") ? "" : `&lt;${tag.slice(1)}`;
  });
}

/** Maximum of open elements: the parser searches all of them for each closing tag. */
const maxOpenElements = 500;
const openOrClose = new RegExp(`<(/?)(${elements})(?=[\\s/>])`, "gi");
const voidElements = new Set(["br", "col", "hr", "img", "input", "link", "meta"]);

/** Replaces elements that are nested too deep with void elements: line breaks, or an image, which shows nothing. */
function limitDepth(html: string): string {
  const open = new Map<string, number>();
  let count = 0;
  return html.replaceAll(openOrClose, (tag, slash: string, written: string) => {
    const name = written.toLowerCase();
    if (voidElements.has(name)) return tag;
    const ofName = open.get(name) ?? 0;
    if (slash !== "") {
      if (ofName > 0) {
        open.set(name, ofName - 1);
        count--;
      }
      return tag;
    }
    if (count === maxOpenElements) return paragraphs.has(name) ? "<br><br" : lines.has(name) ? "<br" : "<img";
    open.set(name, ofName + 1);
    count++;
    return tag;
  });
}

function renderHtml(html: string, hasLayout: boolean): string {
  const text = hasLayout ? new LaidOutText() : new PlainText();
  let hidden = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (hiddenElements.has(name)) hidden++;
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
      if (hiddenElements.has(name)) hidden = Math.max(0, hidden - 1);
      else if (paragraphs.has(name)) text.breakLine(2);
    },
  });
  parser.end(limitDepth(html));
  return text.toString();
}

/** Text laid out by block elements: white space collapses to one space, and elements break the lines. */
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

  /** Puts at least this many line breaks before the next words. */
  breakLine(count: number): void {
    this.#breaks = Math.max(this.#breaks, count);
  }

  /** Adds one line break, up to an empty line. */
  addBreak(): void {
    this.#breaks = Math.min(this.#breaks + 1, 2);
  }

  toString(): string {
    return this.#text;
  }
}

/** Text with the author's own white space; only inline markup is removed. */
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
