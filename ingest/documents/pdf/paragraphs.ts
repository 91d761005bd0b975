import { isItemMarker, removeSoftHyphens, startsItem, startsWithBullet, withPlainBullet } from "../clean-text.ts";
import type { Block } from "../document-text.ts";
import { joinLines, type Lexicon } from "../hyphens.ts";
import type { Line } from "./lines.ts";
import type { Unit } from "./reading-order.ts";

/** Units of a page in reading order. */
export interface PageUnits {
  page: number;
  units: Unit[];
}

/** Step between lines beyond which a paragraph ends, as a multiple of its own or the document's usual step. */
const paragraphStep = 1.22;
const longestHeading = 250;
/** Most lines of a paragraph by which its width is told. */
const maxWidthLines = 50;

/** A paragraph in the making. */
interface Draft {
  lines: Line[];
  text: string;
  firstPage: number;
  lastPage: number;
  /** Whether its first line is the first of an item by the document's tags. */
  startsTaggedItem: boolean;
}

/** Joins lines to blocks: headings, paragraphs, items and rows, also over columns and pages. */
export function toBlocks(pages: readonly PageUnits[], lexicon: Lexicon): Block[] {
  const leading = usualLeading(pages);
  const blocks: Block[] = [];
  let draft: Draft | undefined;
  const finish = () => {
    if (draft !== undefined) blocks.push(...toBlock(draft));
    draft = undefined;
  };
  for (const { page, units } of pages) {
    /** Tagged items of the page that have begun. */
    const items = new Set<number>();
    const lines = units.flatMap((unit) => (unit.kind === "lines" ? unit.lines : []));
    for (const unit of units) {
      if (unit.kind === "row") {
        finish();
        const text = unit.cells.map((lines) => cellText(lines, lexicon, leading)).filter((cell) => cell !== "");
        if (text.length > 0)
          blocks.push({ kind: "row", level: 0, text: text.join(" | "), firstPage: page, lastPage: page });
        continue;
      }
      const right = marginOf(unit.lines, lines);
      for (const line of unit.lines) {
        if (draft !== undefined && continues(draft, line, { page, leading, begun: items, right })) {
          draft.text = joinLines(draft.text, line.text, lexicon);
          draft.lines.push(line);
          draft.lastPage = page;
        } else {
          finish();
          const startsTaggedItem = line.heading === 0 && startsItemByTag(line, items) && /^[^\p{Ll}]/u.test(line.text);
          draft = { lines: [line], text: line.text, firstPage: page, lastPage: page, startsTaggedItem };
        }
        if (line.tag?.item !== undefined) items.add(line.tag.item);
      }
    }
  }
  finish();
  return withoutRepeatedHeadings(withNumbers(blocks));
}

/** Text of a table's cell: its paragraphs and items after each other. */
function cellText(lines: readonly Line[], lexicon: Lexicon, leading: number): string {
  const drafts: Draft[] = [];
  for (const line of lines) {
    const draft = drafts.at(-1);
    if (draft !== undefined && continues(draft, line, { page: 1, leading, begun: new Set(), right: 0 })) {
      draft.text = joinLines(draft.text, line.text, lexicon);
      draft.lines.push(line);
    } else drafts.push({ lines: [line], text: line.text, firstPage: 1, lastPage: 1, startsTaggedItem: false });
  }
  return drafts.map(({ text }) => withPlainBullet(removeSoftHyphens(text))).join(" ");
}

/** What is around a line. */
interface Surroundings {
  page: number;
  /** Usual step between lines, in ems. */
  leading: number;
  /** Tagged items of the page that have begun. */
  begun: ReadonlySet<number>;
  /** Right margin of the lines around it, or 0. */
  right: number;
}

function continues(draft: Draft, line: Line, { page, leading, begun, right }: Surroundings): boolean {
  const [first, last] = [draft.lines[0], draft.lines.at(-1)];
  if (first === undefined || last === undefined || first.heading !== line.heading) return false;
  if (isItemMarker(draft.text) && Math.abs(last.y - line.y) < line.size * 0.7) return true;
  if (startsItemByTag(line, begun) && (/^[^\p{Ll}]/u.test(line.text) || /[.,;:]$/.test(last.text))) return false;
  const isSameSize = Math.abs(last.size - line.size) <= last.size * 0.08;
  if (!isSameSize || startsWithBullet(line.text) || isItemMarker(line.text)) return false;
  const step = (line.y - last.y) / line.size;
  const isBelow = draft.lastPage === page && step > 0.3 && line.x < last.right && last.x < line.right;
  if (line.heading > 0) return isBelow && step <= 1.6;
  const isEnded = /[.!?:][)\]”’"']*(?:\[[\d,\s]+\])?$/.test(last.text);
  if (startsItem(line.text) && (/[.!?:;,]\W*$/.test(last.text) || startsItem(draft.text))) return false;
  if (!isBelow || step > 2) return !isEnded && isContinuation(draft.text, line.text);
  if (endsHangingItem(draft, line, step, leading)) return false;
  const own = draft.lines.length > 1 ? (last.y - (draft.lines.at(-2)?.y ?? last.y)) / last.size : leading;
  // A line over a page or a column has no step of its own.
  const usual = own > 0.3 && own <= leading * paragraphStep ? Math.max(own, leading * 0.9) : leading;
  if (step > usual * paragraphStep)
    return (
      !isEnded &&
      (/^\p{Ll}/u.test(line.text) || (endsBeforeNumber.test(last.text) && /^\d/.test(line.text))) &&
      step < usual * 1.6
    );
  if (hasRoomFor(line, last, right) && isOwnLine(draft, line, isEnded)) return false;
  if (!isEnded) return true;
  const isIndented = draft.lines.length > 1 && line.x > last.x + line.size && line.x < last.x + line.size * 5;
  const width = draft.lines.slice(-maxWidthLines).reduce((reached, { right }) => Math.max(reached, right), 0) - first.x;
  const isShort = draft.lines.length > 1 && last.right < first.x + width * 0.75 && /^[\p{Lu}\d]/u.test(line.text);
  return !isIndented && !isShort;
}

/** Most lines of a page of which margins are looked for. */
const maxMarginLines = 2_000;

/** Right margin of a unit's lines: its own, if lines end there, else that of the page's lines which begin about as far left. 0 if neither has one. */
function marginOf(unit: readonly Line[], page: readonly Line[]): number {
  const [first] = unit;
  if (first === undefined || page.length > maxMarginLines) return 0;
  const near = page.filter(({ x, size }) => Math.abs(x - first.x) <= size * 3);
  return sharedRight(unit, 2) || sharedRight(near, 3);
}

/** Farthest right end, where at least `count` lines end about there. */
function sharedRight(lines: readonly Line[], count: number): number {
  const ends = lines.map(({ right }) => right).sort((one, other) => other - one);
  const [farthest = 0] = ends;
  return farthest - (ends[count - 1] ?? 0) <= (lines[0]?.size ?? 0) * 1.5 ? farthest : 0;
}

/** Whether a line's first word would have had room at the end of the line above: the author has broken it there. */
function hasRoomFor(line: Line, above: Line, right: number): boolean {
  const [word = ""] = line.text.split(" ");
  const characterWidth = (line.right - line.x) / line.text.length;
  return /^[\p{Lu}\d“"(]/u.test(word) && above.right + (word.length + 1) * characterWidth + line.size * 0.5 < right;
}

/** Whether a line that the author has broken off before is a paragraph: no value of a label, no rest of an item, no number in a sentence. */
function isOwnLine({ lines: [first], text }: Draft, line: Line, isEnded: boolean): boolean {
  if (first === undefined || (startsItem(text) && line.x > first.x + 3)) return false;
  if (text.endsWith(":") && text.split(" ").length <= 6) return false;
  // The last words of a sentence.
  if (!isEnded && line.text.split(" ").length <= 2 && line.text.endsWith(".")) return false;
  return isEnded || (/^[\p{Lu}“"]/u.test(line.text) && !endsOpen.test(text));
}

/** Words after which a line goes on, wherever it was broken. */
const endsOpen =
  /(?:[,–—-]|\b(?:the|an?|of|and|or|to|for|in|by|with|from|on|at|as|through|under|see|is|are|was|be|that|which|who|than|if|when|not|must|may|will|can|should))$/i;

/** Words that a number follows. */
const endsBeforeNumber = /\b(?:CFR|U\.?S\.?C\.?|FR|section|sections|part|§)$/i;

/** Whether a line is the first of a tagged item, whose bullet may be a drawing. Tags may also divide one item. */
function startsItemByTag({ tag }: Line, begun: ReadonlySet<number>): boolean {
  return tag?.item !== undefined && !begun.has(tag.item);
}

/** Whether a line stands below the bullet of an item whose other lines stand below its text, or at a larger step. */
function endsHangingItem(draft: Draft, line: Line, step: number, leading: number): boolean {
  const [first, last] = [draft.lines[0], draft.lines.at(-1)];
  if (first === undefined || last === undefined || !startsWithBullet(draft.text) || line.x > first.x + 1) return false;
  // Half of a sentence goes on where another paragraph has begun.
  if (/^\p{Ll}/u.test(line.text) && !/[.!?:;,]$/.test(last.text)) return false;
  return last.x > first.x + 3 || (/^\p{Lu}/u.test(line.text) && step > leading * 1.08);
}

/** Whether a line may be the rest of a sentence that the bottom of a column or a page has broken. */
function isContinuation(text: string, line: string): boolean {
  if (/[-\u00ad,]$/.test(text) && /^[\p{L}\d]/u.test(line)) return true;
  if (text.split(" ").length < 4) return false;
  return (
    /^[\p{Ll}(\d$]/u.test(line) ||
    /\b(?:the|an?|of|and|or|to|for|in|by|with|from|on|at|our|your|its|is|are)$/.test(text)
  );
}

function toBlock({ lines: [first], text, firstPage, lastPage, startsTaggedItem }: Draft): Block[] {
  const plain = withPlainBullet(removeSoftHyphens(text));
  if (plain === "") return [];
  const clean = startsTaggedItem && !startsItem(plain) ? `• ${plain}` : plain;
  const level = clean.length <= longestHeading && /[\p{L}\d]/u.test(clean) ? (first?.heading ?? 0) : 0;
  const kind = level > 0 ? "heading" : startsItem(clean) ? "item" : "paragraph";
  return [{ kind, level, text: clean, firstPage, lastPage }];
}

/** Joins a heading's number, which stands apart from it, with its words. */
function withNumbers(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const isNumber = last?.kind === "heading" && /^(?:\d{1,2}|[A-Z])[.)]?$/.test(last.text);
    if (
      isNumber &&
      /\p{L}{2}/u.test(block.text) &&
      block.kind === "heading" &&
      block.level === last.level &&
      block.firstPage === last.lastPage
    )
      joined.splice(-1, 1, { ...block, text: `${last.text} ${block.text}` });
    else joined.push(block);
  }
  return joined;
}

/** Removes headings that a further page repeats at its top: the section goes on. */
function withoutRepeatedHeadings(blocks: readonly Block[]): Block[] {
  const path: (string | undefined)[] = [];
  return blocks.filter(({ kind, level, text, firstPage }, index) => {
    if (kind !== "heading") return true;
    const isRepeated = path[level] === text && blocks[index - 1]?.lastPage !== firstPage;
    if (!isRepeated) path.splice(level, path.length, text);
    return !isRepeated;
  });
}

/** Usual step between the lines of a paragraph, in ems: the median of all pages. */
function usualLeading(pages: readonly PageUnits[]): number {
  const steps: number[] = [];
  for (const { units } of pages.slice(0, 200)) {
    for (const unit of units) {
      if (unit.kind === "row") continue;
      for (const [index, line] of unit.lines.entries()) {
        const before = unit.lines[index - 1];
        const step = before === undefined ? 0 : (line.y - before.y) / line.size;
        if (before?.size === line.size && step > 0.8 && step < 2) steps.push(step);
      }
    }
  }
  return steps.sort((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 1.2;
}
