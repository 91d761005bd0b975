import type { Line } from "./lines.ts";

/** Lines that belong together, with the rectangle around them. */
export interface Box {
  lines: Line[];
  x: number;
  right: number;
  top: number;
  bottom: number;
  /** Place on the page as drawn. */
  order: number;
  /** Cells of a row, each with its lines, where the box is a row of a tagged table. */
  cells: Line[][] | undefined;
}

/** Widest step from one line of a box to the next, in ems. */
const stepEms = 2;

/** Groups lines that are drawn one after the other and stand below each other, or in one row of a tagged table. */
export function toBoxes(lines: readonly Line[]): Box[] {
  const boxes: Box[] = [];
  const rows = new Map<number, Line[]>();
  for (const line of lines) {
    const row = line.tag?.cell === undefined ? undefined : line.tag.row;
    if (row !== undefined) {
      const rowLines = rows.get(row);
      if (rowLines === undefined) rows.set(row, [line]);
      else rowLines.push(line);
      continue;
    }
    const box = boxes.at(-1);
    if (box !== undefined && continuesBox(box, line)) box.lines.push(line);
    else boxes.push(boxOf([line]));
  }
  return [...boxes.map(({ lines }) => boxOf(lines)), ...[...rows.values()].flatMap(rowBoxes)].sort(
    (one, other) => one.order - other.order,
  );
}

/** Most words of a row that is read as one line. Tables with larger cells only lay out a page. */
const maxRowWords = 250;

function rowBoxes(lines: readonly Line[]): Box[] {
  const byCell = new Map<number | undefined, Line[]>();
  for (const line of lines) byCell.set(line.tag?.cell, [...(byCell.get(line.tag?.cell) ?? []), line]);
  const cells = [...byCell.values()];
  const words = lines.reduce((sum, { text }) => sum + text.split(" ").length, 0);
  if (cells.length > 1 && words <= maxRowWords) return [{ ...boxOf(lines), cells }];
  return cells.map((cell) => boxOf(cell));
}

/** The box of lines. Loops over them: a hostile page has more lines than a call may have arguments. */
export function boxOf(lines: readonly Line[]): Box {
  const box: Box = {
    lines: [...lines],
    x: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
    order: Number.POSITIVE_INFINITY,
    cells: undefined,
  };
  for (const { x, right, y, size, order } of lines) {
    box.x = Math.min(box.x, x);
    box.right = Math.max(box.right, right);
    box.top = Math.min(box.top, y - size * 0.8);
    box.bottom = Math.max(box.bottom, y + size * 0.2);
    box.order = Math.min(box.order, order);
  }
  return box;
}

function continuesBox(box: Box, line: Line): boolean {
  const last = box.lines.at(-1);
  if (last === undefined || last.heading !== line.heading) return false;
  const step = (line.y - last.y) / Math.max(line.size, last.size);
  return step > 0.3 && step <= stepEms && line.x < last.right && last.x < line.right;
}
