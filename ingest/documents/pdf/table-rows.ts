import type { Box } from "./boxes.ts";
import type { Line } from "./lines.ts";
import { splitColumns } from "./white-space.ts";

const maxCells = 15;
const maxCellWords = 150;

/** Cells of a band that white space divides into at least two stacks of lines. Undefined where it is no row of a table. */
export function cellsOf(row: readonly Box[] | undefined): Line[][] | undefined {
  if (row === undefined || row.some(({ cells }) => cells !== undefined)) return undefined;
  const columns = splitColumns(row);
  if (columns.length < 2 || columns.length > maxCells) return undefined;
  const cells = columns.map((column) =>
    [...column].sort((one, other) => one.top - other.top).flatMap(({ lines }) => lines),
  );
  if (cells.some((lines) => lines.some(({ isSureHeading }) => isSureHeading))) return undefined;
  return cells.every((lines) => wordsOf(lines) <= maxCellWords) ? cells : undefined;
}

/** Whether a neighbouring band has the same columns. */
export function isRowLike(other: readonly Box[] | undefined, row: readonly Box[]): boolean {
  if (other === undefined || cellsOf(other) === undefined) return false;
  const [starts, otherStarts] = [row, other].map((boxes) => splitColumns(boxes).map(([first]) => first?.x ?? 0));
  if (starts === undefined || otherStarts === undefined) return false;
  return starts.filter((x) => otherStarts.some((otherX) => Math.abs(x - otherX) < 8)).length >= 2;
}

/** Whether cells are too short for columns of text: all of them, or two of at least three. */
export function isShort(cells: readonly (readonly Line[])[]): boolean {
  return cells.every((lines) => wordsOf(lines) <= 25) || cells.filter((lines) => wordsOf(lines) <= 6).length >= 2;
}

function wordsOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.split(" ").length, 0);
}
