import { type Box, boxOf } from "./boxes.ts";
import type { Line } from "./lines.ts";

/** Part of a page in reading order: lines, or the cells of a table's row. */
export type Unit = { kind: "lines"; lines: Line[] } | { kind: "row"; cells: Line[][] };

/** Narrowest gap between two columns, in points. */
const columnGap = 5;
/** Most boxes that are ordered by their places. A page with more keeps the order in which it is drawn. */
const maxBoxes = 1_500;
const maxDepth = 40;

/**
 * Orders the boxes of a page by recursive cuts along white space (Nagy and Seth's XY-cut). Where both a cut into rows and one into
 * columns is possible, the one that agrees better with the drawn order is taken: programs draw a table by rows, and columns of
 * text one after the other.
 */
export function inReadingOrder(boxes: readonly Box[]): Unit[] {
  if (boxes.length > maxBoxes) return boxes.map(toUnit);
  return cut(boxes, 0);
}

function toUnit({ lines, cells }: Box): Unit {
  return cells === undefined ? { kind: "lines", lines } : { kind: "row", cells };
}

function cut(boxes: readonly Box[], depth: number): Unit[] {
  const drawn = [...boxes].sort((one, other) => one.order - other.order);
  if (boxes.length < 2 || depth > maxDepth) return drawn.map(toUnit);
  const rows = split(boxes, "top", "bottom", -1);
  const columns = split(boxes, "x", "right", columnGap);
  if (rows.length < 2 && columns.length < 2) return drawn.map(toUnit);
  if (rows.length > 1 && columns.length > 1) {
    const parts = splitRows(rows, startsSection);
    if (parts.length > 1) return parts.flatMap((part) => cut(part.flat(), depth + 1));
  }
  if (rows.length < 2 || (columns.length > 1 && prefersColumns(rows, columns))) {
    const sections = sectionsOf(rows, columns.length);
    if (sections.length > 1) return sections.flatMap((section) => cut(section.flat(), depth + 1));
    return columns.flatMap((column) => cut(column, depth + 1));
  }
  if (columns.length > 1) return readParts(splitRows(rows, isDrawnBetween), depth);
  const groups = groupByColumns(rows);
  return groups.length > 1 ? groups.flatMap((group) => cutGroup(group, depth)) : readRows(rows, depth);
}

/** Splits rows before each that begins a part, of which the rows above and below are told. */
function splitRows(
  rows: readonly Box[][],
  begins: (row: readonly Box[], above: readonly Box[][], below: readonly Box[][]) => boolean,
): Box[][][] {
  const parts: Box[][][] = [];
  for (const [index, row] of rows.entries()) {
    const part = parts.at(-1);
    if (part === undefined || begins(row, part, rows.slice(index + 1))) parts.push([row]);
    else part.push(row);
  }
  return parts;
}

/** Whether all that is above a row is drawn before it, and all that is below after that. */
function isDrawnBetween(row: readonly Box[], above: readonly Box[][], below: readonly Box[][]): boolean {
  const last = above.flat().reduce((order, box) => Math.max(order, box.order), -1);
  return [...row, ...below.flat()].every(({ order }) => order > last);
}

/**
 * Reads parts of a page: those of one row are rows of tables, or paragraphs. One of several rows may have columns, or be a row of a table
 * of which a cell has several paragraphs.
 */
function readParts(parts: readonly Box[][][], depth: number): Unit[] {
  if (parts.length === 1) return readRows(parts.flat(), depth);
  const units: Unit[] = [];
  let single: Box[][] = [];
  for (const [index, part] of parts.entries()) {
    if (part.length === 1) {
      single.push(...part);
      continue;
    }
    units.push(...readRows(single, depth));
    single = [];
    const row = part.flat();
    const cells = cellsOf(row);
    const long = split(row, "x", "right", columnGap).filter((cell) => cell.length > 1);
    const isRow =
      long.length < 2 && [parts[index - 1], parts[index + 1]].some((other) => isRowLike(other?.flat(), row));
    units.push(...(cells !== undefined && isRow ? [{ kind: "row" as const, cells }] : cut(row, depth + 1)));
  }
  return [...units, ...readRows(single, depth)];
}

/** Splits rows before those that have a heading in each column, where all headings stand in such rows: a grid of sections. */
function sectionsOf(rows: readonly Box[][], columns: number): Box[][][] {
  const isHeading = ({ lines: [first] }: Box) => first?.isSureHeading === true;
  const starts = rows.filter((row) => row.length === columns && row.every(isHeading));
  if (starts.length < 2 || rows.flat().filter(isHeading).length !== starts.length * columns) return [[...rows]];
  const sections: Box[][][] = [];
  for (const row of rows) {
    if (sections.length === 0 || starts.includes(row)) sections.push([row]);
    else sections.at(-1)?.push(row);
  }
  return sections;
}

function cutGroup(rows: readonly Box[][], depth: number): Unit[] {
  return rows.length === 1 ? readRows(rows, depth) : cut(rows.flat(), depth + 1);
}

function readRows(rows: readonly Box[][], depth: number): Unit[] {
  return rows.flatMap((row, index) => {
    const cells = cellsOf(row);
    const isRow =
      cells !== undefined &&
      (isShort(cells) || [rows[index - 1], rows[index + 1]].some((other) => isRowLike(other, row)));
    return isRow ? [{ kind: "row" as const, cells }] : cut(row, depth + 1);
  });
}

/** Groups each row of several columns with the rows below and above it that leave the same gap free, so that the columns can be read one by one. */
function groupByColumns(rows: readonly Box[][]): Box[][][] {
  const groups: Box[][][] = [];
  for (let index = 0; index < rows.length; index++) {
    let group = rows.slice(index, index + 1);
    if (hasColumns(group)) {
      for (const [place, next] of rows.entries()) {
        if (place <= index) continue;
        if (startsSection(next, group, rows.slice(place + 1)) || !hasColumns([...group, next])) break;
        group.push(next);
        index++;
      }
      for (let above = groups.at(-1); above?.length === 1 && hasColumns([...above, ...group]); above = groups.at(-1)) {
        group = [...above, ...group];
        groups.pop();
      }
    }
    groups.push(group);
  }
  return groups;
}

function hasColumns(rows: readonly Box[][]): boolean {
  return split(rows.flat(), "x", "right", columnGap).length > 1;
}

/** Whether a row is a heading alone, between what is drawn before and after it: a section below columns, and none of one column. */
function startsSection(row: readonly Box[], above: readonly Box[][], below: readonly Box[][]): boolean {
  return row.length === 1 && row[0]?.lines[0]?.isSureHeading === true && isDrawnBetween(row, above, below);
}

/** Splits boxes wherever a line of white space, at least `gap` wide, goes through between them. */
function split(boxes: readonly Box[], start: "x" | "top", end: "right" | "bottom", gap: number): Box[][] {
  const parts: Box[][] = [];
  let reached = Number.NEGATIVE_INFINITY;
  for (const box of [...boxes].sort((one, other) => one[start] - other[start])) {
    const part = parts.at(-1);
    if (part === undefined || box[start] >= reached + gap) parts.push([box]);
    else part.push(box);
    reached = Math.max(reached, box[end]);
  }
  return parts;
}

function prefersColumns(rows: readonly Box[][], columns: readonly Box[][]): boolean {
  if (isDrawnAcrossColumns(columns)) return true;
  const withHeading = columns.filter((column) =>
    column.some(({ lines: [first] }) => first?.isSureHeading === true && /\p{L}{2}/u.test(first.text)),
  );
  if (withHeading.length > 1) return true;
  return inversions(columns) < inversions(rows);
}

/** Pairs of boxes that are drawn in the other order than they would be read. */
function inversions(parts: readonly Box[][]): number {
  let count = 0;
  const earlier: number[] = [];
  for (const part of parts) {
    for (const { order } of part) count += earlier.filter((other) => other > order).length;
    earlier.push(...part.map(({ order }) => order));
  }
  return count;
}

/** Whether two columns of text are drawn line by line across both: their lines stand at equal heights, close together, and fill their columns. */
function isDrawnAcrossColumns(columns: readonly Box[][]): boolean {
  if (columns.length > 3) return false;
  return columns.every((column) => {
    const lines = column.flatMap((box) => box.lines).sort((one, other) => one.y - other.y);
    if (lines.length < 8) return false;
    const { x, right } = boxOf(lines);
    const width = right - x;
    const full = lines.filter((line) => line.right - line.x > width * 0.8).length;
    const close = lines.filter((line, index) => line.y - (lines[index - 1]?.y ?? line.y) < line.size * 1.7).length;
    return full > lines.length * 0.6 && close > lines.length * 0.8;
  });
}

const maxCells = 15;
const maxCellWords = 150;

/** Cells of a band that white space divides into at least two stacks of lines. Undefined where it is no row of a table. */
function cellsOf(row: readonly Box[] | undefined): Line[][] | undefined {
  if (row === undefined || row.some(({ cells }) => cells !== undefined)) return undefined;
  const columns = split(row, "x", "right", columnGap);
  if (columns.length < 2 || columns.length > maxCells) return undefined;
  const cells = columns.map((column) =>
    [...column].sort((one, other) => one.top - other.top).flatMap(({ lines }) => lines),
  );
  if (cells.some((lines) => lines.some(({ isSureHeading }) => isSureHeading))) return undefined;
  return cells.every((lines) => wordsOf(lines) <= maxCellWords) ? cells : undefined;
}

/** Whether a neighbouring band has the same columns. */
function isRowLike(other: readonly Box[] | undefined, row: readonly Box[]): boolean {
  if (other === undefined || cellsOf(other) === undefined) return false;
  const [starts, otherStarts] = [row, other].map((boxes) =>
    split(boxes, "x", "right", columnGap).map(([first]) => first?.x ?? 0),
  );
  if (starts === undefined || otherStarts === undefined) return false;
  return starts.filter((x) => otherStarts.some((otherX) => Math.abs(x - otherX) < 8)).length >= 2;
}

/** Whether cells are too short for columns of text: all of them, or two of at least three. */
function isShort(cells: readonly (readonly Line[])[]): boolean {
  return cells.every((lines) => wordsOf(lines) <= 25) || cells.filter((lines) => wordsOf(lines) <= 6).length >= 2;
}

function wordsOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.split(" ").length, 0);
}
