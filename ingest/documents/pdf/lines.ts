import { isItemMarker, raisedMark } from "../clean-text.ts";
import type { Run } from "./runs.ts";
import type { Placement } from "./structure.ts";

/** Words on one line without a wide gap: a line of a column, or of a table's cell. */
export interface Line {
  text: string;
  x: number;
  right: number;
  /** Baseline. */
  y: number;
  /** Size of its largest words, in points. */
  size: number;
  /** Fonts of its words. */
  fonts: string[];
  tag: Placement | undefined;
  /** Place among the lines of the page, as drawn. */
  order: number;
  /** Level of the heading that it is a part of, or 0. */
  heading: number;
  /** Whether the tags or a much larger font say that it is a heading. Bold words may be a table's head as well. */
  isSureHeading: boolean;
}

/** Widest gap between two words of a line, in ems. Wider gaps divide columns and cells. */
const wordGapEms = 1.2;
/** Widest gap between a bullet or a number and its item, in ems. */
const markerGapEms = 4;
const spaceEms = 0.12;

/** Joins a page's runs to lines, in the order in which they are drawn. */
export function toLines(runs: readonly Run[]): Line[] {
  const lines: Line[] = [];
  const starts = cellStarts(runs);
  for (const run of runs) {
    const line = lines.at(-1);
    if (line !== undefined && continuesLine(line, run, starts)) append(line, run);
    else lines.push(startLine(run, lines.length));
  }
  return lines.map((line) => ({ ...line, text: line.text.replaceAll(/ {2,}/g, " ").trim() }));
}

/** Narrowest gap between two cells of a table, in ems, and fewest cells that begin below each other. */
const cellGapEms = 0.45;
const minCells = 3;

/**
 * Left ends, in whole points, of the cells of a table's columns: at least three runs begin a line or follow a gap there, and two of them
 * follow a gap. The first lines of indented paragraphs only begin lines.
 */
function cellStarts(runs: readonly Run[]): Set<number> {
  const counts = new Map<number, { starts: number; gaps: number }>();
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    const isSameLine = before !== undefined && Math.abs(before.y - run.y) < run.size * 0.3 && run.x > before.x;
    if (isSameLine && run.x - before.x - before.width < run.size * cellGapEms) continue;
    for (const x of [Math.floor(run.x), Math.ceil(run.x)]) {
      const { starts, gaps } = counts.get(x) ?? { starts: 0, gaps: 0 };
      counts.set(x, { starts: starts + 1, gaps: gaps + (isSameLine ? 1 : 0) });
    }
  }
  return new Set([...counts].filter(([, { starts, gaps }]) => starts >= minCells && gaps > 1).map(([x]) => x));
}

function startLine(run: Run, order: number): Line {
  return {
    text: run.text,
    x: run.x,
    right: run.x + run.width,
    y: run.y,
    size: run.size,
    fonts: [run.font],
    tag: run.tag,
    order,
    heading: run.tag?.heading ?? 0,
    isSureHeading: (run.tag?.heading ?? 0) > 0,
  };
}

function continuesLine(line: Line, run: Run, starts: ReadonlySet<number>): boolean {
  const size = Math.max(line.size, run.size);
  if (Math.abs(run.y - line.y) > size * 0.5) return false;
  if (run.tag?.cell !== line.tag?.cell) return false;
  const gap = (run.x - line.right) / size;
  if (gap < -0.6) return false;
  const isSmallMark = Math.min(line.size, run.size) < size * 0.9 && gap < 0.3;
  if (Math.abs(run.y - line.y) > size * 0.25 && !isSmallMark) return false;
  if (isItemMarker(line.text) || /^[ivx]{1,5}$/.test(line.text)) return gap < markerGapEms;
  const isLeader =
    /[.…]$/.test(line.text) || /^[.…\s]+$/.test(run.text) || (line.heading > 0 && run.tag?.heading === line.heading);
  if (gap > cellGapEms && !isLeader && (starts.has(Math.floor(run.x)) || starts.has(Math.ceil(run.x)))) return false;
  if ((run.tag?.heading ?? 0) !== line.heading && gap > 0.6) return false;
  if (Math.abs(line.size - run.size) > size * 0.15 && gap > 0.6) return false;
  if (run.tag !== undefined && run.tag.element !== 0 && run.tag.element === line.tag?.element) return gap < 6;
  return gap < wordGapEms;
}

function append(line: Line, run: Run): void {
  const gap = run.x - line.right;
  const isRaised = run.size < line.size * 0.9 && line.y - run.y > run.size * 0.15;
  const mark = isRaised ? raisedMark(line.text, run.text) : undefined;
  line.text += mark ?? (gap > Math.max(line.size, run.size) * spaceEms ? ` ${run.text}` : run.text);
  line.right = Math.max(line.right, run.x + run.width);
  if (run.size > line.size * 1.1) {
    line.size = run.size;
    line.y = run.y;
  }
  if (!line.fonts.includes(run.font)) line.fonts.push(run.font);
}
