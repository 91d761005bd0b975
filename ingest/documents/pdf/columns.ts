import { type Box, boxOf } from "./boxes.ts";

/** Whether a part of a page is read by columns, and not by rows. */
export function prefersColumns(rows: readonly Box[][], columns: readonly Box[][]): boolean {
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
