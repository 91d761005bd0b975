import type { Box } from "./boxes.ts";
import { prefersColumns } from "./columns.ts";
import type { Line } from "./lines.ts";
import { cellsOf, isRowLike, isShort } from "./table-rows.ts";
import { splitColumns, splitIntoRows } from "./white-space.ts";

/** Part of a page in reading order: lines, or the cells of a table's row. */
export type Unit = { kind: "lines"; lines: Line[] } | { kind: "row"; cells: Line[][] };

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
  const rows = splitIntoRows(boxes);
  const columns = splitColumns(boxes);
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
    const long = splitColumns(row).filter((cell) => cell.length > 1);
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
  return splitColumns(rows.flat()).length > 1;
}

/** Whether a row is a heading alone, between what is drawn before and after it: a section below columns, and none of one column. */
function startsSection(row: readonly Box[], above: readonly Box[][], below: readonly Box[][]): boolean {
  return row.length === 1 && row[0]?.lines[0]?.isSureHeading === true && isDrawnBetween(row, above, below);
}
