import type { Line } from "./lines.ts";

/** Lines of a page with its height, in points. */
export interface PageLines {
  page: number;
  height: number;
  lines: Line[];
}

/** Share of the page's height, at its top and at its bottom, in which running heads and feet stand. */
const marginShare = 0.12;
/** Pages on which a line repeats before it counts as a running head. A document of two pages has it on both. */
const minRepeats = 3;
const heightBucket = 4;

/**
 * Removes running heads, running feet and page numbers: lines at the top or bottom that repeat at the same height on several
 * pages, where only a number may vary. Tagged headings stay.
 */
export function withoutRunningHeads(pages: readonly PageLines[]): PageLines[] {
  const pagesOf = new Map<string, Set<number>>();
  for (const { page, height, lines } of pages) {
    for (const line of lines.filter((line) => isInMargin(line, height))) {
      // Also the next bucket: 100.1 and 99.9 are the same height.
      for (const key of keysOf(line)) {
        const set = pagesOf.get(key) ?? new Set();
        pagesOf.set(key, set.add(page));
      }
    }
  }
  const needed = Math.min(minRepeats, Math.max(2, pages.length));
  return pages.map((page) => ({
    ...page,
    lines: page.lines.filter(
      (line) =>
        line.heading > 0 ||
        !isInMargin(line, page.height) ||
        !(keysOf(line).some((key) => (pagesOf.get(key)?.size ?? 0) >= needed) || isPageNumber(line, page)),
    ),
  }));
}

function isInMargin(line: Line, height: number): boolean {
  return line.y < height * marginShare || line.y - line.size > height * (1 - marginShare);
}

/** Text of a line without what varies: its numbers, also Roman ones. */
function keysOf(line: Line): string[] {
  const text = /^[ivxlc]{1,7}$/i.test(line.text) ? "#" : line.text.replaceAll(/\d+/g, "#");
  const bucket = Math.floor(line.y / heightBucket);
  return [`${bucket} ${text}`, `${bucket + 1} ${text}`];
}

/** Farthest that the printed number of a page is from its place in the file: a cover and a table of contents may come before page 1. */
const maxNumberShift = 10;

/** Whether a line is a page number: "Page 3 of 40", or the number of this page alone in the outermost line. */
function isPageNumber(line: Line, { page, height, lines }: PageLines): boolean {
  if (/^[\s|–-]*page \d+(?: of \d+)?[\s|–-]*$/i.test(line.text)) return true;
  if (!/^\d{1,4}$/.test(line.text) || Math.abs(Number(line.text) - page) > maxNumberShift) return false;
  const isBottom = line.y > height / 2;
  return lines.every(({ y }) => (isBottom ? y <= line.y + 1 : y >= line.y - 1));
}

/** Repetitions of a short line that are no chance: "Review" may be the second line of three headings. */
const minShortRepeats = 5;
const shortLine = 12;

/** Fewest repeated lines of a page with links to the other parts. Fewer may be text: "Maximum points: 20" in each part. */
const minLinks = 3;

/**
 * Removes the repetitions of lines that stand at the same place on at least three pages, together with others: the links beside the text
 * by which a reader goes to another part. The first of them stays.
 */
export function withoutRepeats(pages: readonly PageLines[]): PageLines[] {
  const placeOf = ({ text, x, y }: Line) => `${text} ${Math.round(x)} ${Math.round(y)}`;
  const counts = new Map<string, number>();
  for (const { lines } of pages)
    for (const place of new Set(lines.map(placeOf))) counts.set(place, (counts.get(place) ?? 0) + 1);
  const isRepeated = (line: Line) => {
    const needed = line.text.length < shortLine ? minShortRepeats : minRepeats;
    const isText = line.heading > 0 || line.tag?.cell !== undefined || !/\p{L}/u.test(line.text);
    return !isText && (counts.get(placeOf(line)) ?? 0) >= needed;
  };
  const seen = new Set<string>();
  return pages.map((page) => {
    const repeated = new Set(page.lines.filter(isRepeated));
    if (repeated.size < minLinks) return page;
    const again = new Set([...repeated].filter((line) => seen.has(placeOf(line))));
    for (const line of repeated) seen.add(placeOf(line));
    return { ...page, lines: page.lines.filter((line) => !again.has(line)) };
  });
}
