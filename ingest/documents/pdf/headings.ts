import { startsWithBullet } from "../clean-text.ts";
import type { Line } from "./lines.ts";
import type { PageLines } from "./running-heads.ts";

/** Fonts of a document that are bold, by the names that pdf.js gives them. */
export type BoldFonts = ReadonlySet<string>;

const maxLevels = 6;
/** Most lines and characters of a heading. */
const maxLines = 3;
const longestHeading = 160;
const longestLeadIn = 60;

/**
 * Sets the level of lines that look like a heading: larger than the body's text, or bold where that is not. Tagged headings keep their
 * level, and give one to lines of their size. Without any, the largest style is level 1, the next 2, and so on.
 */
export function findHeadings(pages: readonly PageLines[], boldFonts: BoldFonts): void {
  const lines = pages.flatMap((page) => page.lines);
  const isBold = (line: Line) => line.fonts.every((font) => boldFonts.has(font));
  const body = bodyStyle(lines, isBold);
  const rankOf = (line: Line) => halfPoints(line.size) * 2 + (isBold(line) ? 1 : 0);
  const labels = new Set(pages.flatMap((page) => labelsOf(page.lines, rankOf)));
  const found = runsOf(lines, rankOf).filter((run) => {
    const [first] = run;
    if (
      first === undefined ||
      run.some((line) => labels.has(line)) ||
      first.heading > 0 ||
      first.tag?.cell !== undefined ||
      !isHeadingText(run)
    )
      return false;
    if (first.size >= body.size * 1.15) return true;
    // "Expected awards:" is the label of the line below it.
    const isLabel = run.at(-1)?.text.endsWith(":") === true;
    return isBold(first) && !body.isBold && !isLabel && first.size >= body.size * 0.95;
  });
  const tagged = lines
    .filter(({ heading }) => heading > 0)
    .map((line) => ({ rank: rankOf(line), level: line.heading }));
  const known =
    tagged.length > 0 ? tagged : levelsBySize(found.map(([first]) => (first === undefined ? 0 : rankOf(first))));
  for (const line of found.flat()) {
    const rank = rankOf(line);
    line.heading = Math.min(maxLevels, levelLike(rank, known));
    line.isSureHeading = line.size >= body.size * 1.3;
  }
  clearContents(pages);
}

/** Levels of the styles of headings, the largest first. A style that is used once, as on a cover, has none of its own. */
function levelsBySize(ranks: readonly number[]): { rank: number; level: number }[] {
  const unique = [...new Set(ranks)].sort((one, other) => other - one);
  const common = unique.filter((rank) => ranks.filter((other) => other === rank).length > 1);
  return (common.length > 0 ? common : unique).map((rank, index) => ({ rank, level: index + 1 }));
}

/** Fewest lines of a page that lists contents, and the share of them that end with a page number. */
const minContentsLines = 8;
const contentsShare = 0.4;

/** Makes the lines of tables of contents no headings: the sections that they name are elsewhere. */
function clearContents(pages: readonly PageLines[]): void {
  for (const { lines } of pages) {
    const entries = lines.filter(({ text }) => /^\d{1,3}$|\p{L}.*(?:…|\.|\s)\s?\d{1,3}$/u.test(text));
    if (lines.length < minContentsLines || entries.length < lines.length * contentsShare) continue;
    for (const line of lines) {
      line.heading = 0;
      line.isSureHeading = false;
    }
  }
}

/** Level of the known headings of this size, or of the next smaller ones; below all of them, one more. */
function levelLike(rank: number, tagged: readonly { rank: number; level: number }[]): number {
  const same = tagged.filter((heading) => heading.rank === rank).map(({ level }) => level);
  if (same.length > 0) return same.sort((one, other) => one - other)[Math.floor(same.length / 2)] ?? 1;
  const smaller = tagged.filter((heading) => heading.rank < rank).map(({ level }) => level);
  if (smaller.length > 0) return smaller.reduce((one, other) => Math.min(one, other));
  return tagged.reduce((level, heading) => Math.max(level, heading.level), 0) + 1;
}

/** Groups lines in one style that stand closely below each other. */
function runsOf(lines: readonly Line[], rankOf: (line: Line) => number): Line[][] {
  const runs: Line[][] = [];
  for (const line of lines) {
    const last = runs.at(-1)?.at(-1);
    const step = last === undefined ? 0 : (line.y - last.y) / line.size;
    const isNext = last !== undefined && step > 0.3 && step < 1.7 && line.x < last.right && last.x < line.right;
    if (isNext && rankOf(last) === rankOf(line) && last.heading === line.heading) runs.at(-1)?.push(line);
    // Half of a sentence that goes on in another style is no heading.
    else if (isNext && /^\p{Ll}/u.test(line.text)) runs.at(-1)?.push(line);
    else runs.push([line]);
  }
  return runs;
}

/** Lines with a few words of another style beside them on the right: "Type:" before "Grant", or a title before its page number. */
function labelsOf(lines: readonly Line[], rankOf: (line: Line) => number): Line[] {
  const rows = new Map<number, Line[]>();
  for (const line of lines)
    rows.set(Math.round(line.y), [...(rows.get(Math.round(line.y)) ?? []), line].slice(-maxInRow));
  return lines.filter((line) =>
    [-1, 0, 1].some((shift) =>
      rows
        .get(Math.round(line.y) + shift)
        ?.some(
          (other) =>
            other.x > line.right &&
            rankOf(other) !== rankOf(line) &&
            (line.text.endsWith(":") || /^\W*\d{1,4}$/.test(other.text)),
        ),
    ),
  );
}

const maxInRow = 20;

function isHeadingText(run: readonly Line[]): boolean {
  const text = run.map((line) => line.text).join(" ");
  if (run.length > maxLines || text.length > longestHeading || startsWithBullet(text)) return false;
  // The words before a list, set large.
  if (text.endsWith(":") && text.length > longestLeadIn) return false;
  return (
    /\p{L}{2}/u.test(text) &&
    !/[.,;]$|:.*\d|\s\d{1,3}$/.test(text) &&
    !/^\p{Ll}/u.test(text) &&
    !/[@…]|\.{4}|https?:/.test(text)
  );
}

/** The style of most characters. */
function bodyStyle(lines: readonly Line[], isBold: (line: Line) => boolean): { size: number; isBold: boolean } {
  const counts = new Map<string, { characters: number; size: number; isBold: boolean }>();
  for (const line of lines) {
    const style = { size: halfPoints(line.size), isBold: isBold(line) };
    const key = `${style.size} ${style.isBold}`;
    const characters = (counts.get(key)?.characters ?? 0) + line.text.length;
    counts.set(key, { ...style, characters });
  }
  const [most] = [...counts.values()].sort((one, other) => other.characters - one.characters);
  return most ?? { size: 10, isBold: false };
}

function halfPoints(size: number): number {
  return Math.round(size * 2) / 2;
}
