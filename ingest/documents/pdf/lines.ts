import { isItemMarker } from "../clean-text.ts";
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
  for (const run of runs) {
    const line = lines.at(-1);
    if (line !== undefined && continuesLine(line, run)) append(line, run);
    else lines.push(startLine(run, lines.length));
  }
  return lines.map((line) => ({ ...line, text: line.text.replaceAll(/ {2,}/g, " ").trim() }));
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

function continuesLine(line: Line, run: Run): boolean {
  const size = Math.max(line.size, run.size);
  if (Math.abs(run.y - line.y) > size * 0.5) return false;
  if (run.tag?.cell !== line.tag?.cell) return false;
  const gap = (run.x - line.right) / size;
  if (gap < -0.6) return false;
  const isSmallMark = Math.min(line.size, run.size) < size * 0.9 && gap < 0.3;
  if (Math.abs(run.y - line.y) > size * 0.25 && !isSmallMark) return false;
  if (isItemMarker(line.text)) return gap < markerGapEms;
  if ((run.tag?.heading ?? 0) !== line.heading && gap > 0.6) return false;
  if (Math.abs(line.size - run.size) > size * 0.15 && gap > 0.6) return false;
  if (run.tag !== undefined && run.tag.element !== 0 && run.tag.element === line.tag?.element) return gap < 6;
  return gap < wordGapEms;
}

function append(line: Line, run: Run): void {
  const gap = run.x - line.right;
  const isNote =
    run.size < line.size * 0.9 &&
    line.y - run.y > run.size * 0.15 &&
    /^\s*\[?(?:\d{1,3}(?:\s*,\s*\d{1,3})*|[ivx]{1,6})\]?\s*$/.test(run.text);
  // A raised number is the mark of a note: "care[1]", and not "care1".
  if (isNote && /[\p{L}.,;:)”"’]$/u.test(line.text)) line.text += `[${run.text.replaceAll(/[\s[\]]/g, "")}]`;
  else line.text += gap > Math.max(line.size, run.size) * spaceEms ? ` ${run.text}` : run.text;
  line.right = Math.max(line.right, run.x + run.width);
  if (run.size > line.size * 1.1) {
    line.size = run.size;
    line.y = run.y;
  }
  if (!line.fonts.includes(run.font)) line.fonts.push(run.font);
}
