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

export function boxOf(lines: readonly Line[]): Box {
  return {
    lines: [...lines],
    x: Math.min(...lines.map(({ x }) => x)),
    right: Math.max(...lines.map(({ right }) => right)),
    top: Math.min(...lines.map(({ y, size }) => y - size * 0.8)),
    bottom: Math.max(...lines.map(({ y, size }) => y + size * 0.2)),
    order: Math.min(...lines.map(({ order }) => order)),
    cells: undefined,
  };
}

function continuesBox(box: Box, line: Line): boolean {
  const last = box.lines.at(-1);
  if (last === undefined || last.heading !== line.heading) return false;
  const step = (line.y - last.y) / Math.max(line.size, last.size);
  return step > 0.3 && step <= stepEms && line.x < last.right && last.x < line.right;
}
