import { isItemMarker, startsItem, startsWithBullet } from "../clean-text.ts";
import type { Line } from "./lines.ts";

/** A paragraph in the making. */
export interface Draft {
  lines: Line[];
  text: string;
  firstPage: number;
  lastPage: number;
  /** Whether its first line is the first of an item by the document's tags. */
  startsTaggedItem: boolean;
}

/** Step between lines beyond which a paragraph ends, as a multiple of its own or the document's usual step. */
const paragraphStep = 1.22;
/** Most lines of a paragraph by which its width is told. */
const maxWidthLines = 50;

/** What is around a line. */
export interface Surroundings {
  page: number;
  /** Usual step between lines, in ems. */
  leading: number;
  /** Tagged items of the page that have begun. */
  begun: ReadonlySet<number>;
  /** Right margin of the lines around it, or 0. */
  right: number;
}

/** Whether a line goes on with the paragraph, item or heading above it. */
export function continues(draft: Draft, line: Line, { page, leading, begun, right }: Surroundings): boolean {
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
export function startsItemByTag({ tag }: Line, begun: ReadonlySet<number>): boolean {
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
