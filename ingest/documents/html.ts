import { Parser } from "htmlparser2";
import { cleanText } from "./clean-text.ts";
import type { Block } from "./document-text.ts";
import { HtmlBlocks } from "./html-blocks.ts";

const hidden = new Set("head iframe nav noscript object script select style svg template textarea title".split(" "));
const paragraphs = new Set(
  "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form header hr main p pre section summary tbody tfoot thead".split(
    " ",
  ),
);

/** Most elements that are open at one time: the parser searches all of them for each closing tag. Deeper ones are read as text alone. */
const maxOpenElements = 500;

/**
 * Reads the blocks of an HTML page: headings, paragraphs, items with a bullet or their number, and rows of tables. What browsers do not
 * show (scripts, styles, hidden elements) and the page's navigation are left out.
 */
export function readHtml(html: string): Block[] {
  const blocks = new HtmlBlocks();
  /** Names of open elements that hide their contents, innermost last. */
  const hiding: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (hiding.length > 0) {
        if (name === hiding.at(-1)) hiding.push(name);
        return;
      }
      if (hidden.has(name) || (isHidden(attributes) && !voidElements.has(name))) return void hiding.push(name);
      open(blocks, name, attributes);
    },
    ontext(text) {
      if (hiding.length === 0) blocks.addText(cleanText(text));
    },
    onclosetag(name) {
      if (hiding.length > 0) {
        if (name === hiding.at(-1)) hiding.pop();
        return;
      }
      close(blocks, name);
    },
  });
  parser.end(limitDepth(html));
  return blocks.finish();
}

function open(blocks: HtmlBlocks, name: string, attributes: Record<string, string>): void {
  const level = headingLevel(name, attributes);
  if (level > 0) blocks.openHeading(level);
  else if (name === "ul" || name === "ol")
    blocks.openList(name === "ol" ? Number(attributes.start ?? 1) || 1 : undefined);
  else if (name === "li") blocks.openItem();
  else if (name === "table") blocks.openTable();
  else if (name === "tr") blocks.openRow();
  else if (name === "td" || name === "th") blocks.openCell();
  else if (name === "b" || name === "strong") blocks.openBold();
  else if (name === "sup") blocks.openRaised();
  else if (name === "br") blocks.breakLine();
  else if (paragraphs.has(name)) blocks.endBlock();
}

function close(blocks: HtmlBlocks, name: string): void {
  if (/^h[1-6]$/.test(name)) blocks.closeHeading();
  else if (name === "ul" || name === "ol") blocks.closeList();
  else if (name === "li") blocks.endBlock();
  else if (name === "table") blocks.closeTable();
  else if (name === "tr") blocks.closeRow();
  else if (name === "td" || name === "th") blocks.closeCell();
  else if (name === "b" || name === "strong") blocks.closeBold();
  else if (name === "sup") blocks.closeRaised();
  else if (paragraphs.has(name)) blocks.endBlock();
}

function headingLevel(name: string, attributes: Record<string, string>): number {
  const [, digit] = /^h([1-6])$/.exec(name) ?? [];
  if (digit !== undefined) return Number(digit);
  // Notices write the levels beyond 6 like this.
  return attributes.role === "heading" && name !== "span" ? Math.min(6, Number(attributes["aria-level"] ?? 2) || 2) : 0;
}

function isHidden(attributes: Record<string, string>): boolean {
  return "hidden" in attributes || /display\s*:\s*none/i.test(attributes.style ?? "");
}

const voidElements = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const tag = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>])[^<>]*>/gi;

/** Removes the tags of elements that are nested too deep. */
function limitDepth(html: string): string {
  let depth = 0;
  let dropped = 0;
  return html.replaceAll(tag, (whole, slash: string, written: string) => {
    const name = written.toLowerCase();
    if (voidElements.has(name) || whole.endsWith("/>")) return whole;
    // HTML closes these by itself.
    if (name === "p" || name === "li" || name === "td" || name === "th" || name === "tr")
      return dropped > 0 ? " " : whole;
    if (slash === "") {
      if (depth < maxOpenElements) {
        depth++;
        return whole;
      }
      dropped++;
      return " ";
    }
    if (dropped > 0) {
      dropped--;
      return " ";
    }
    depth = Math.max(0, depth - 1);
    return whole;
  });
}
