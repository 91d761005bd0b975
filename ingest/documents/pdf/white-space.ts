import type { Box } from "./boxes.ts";

/** Narrowest gap between two columns, in points. */
const columnGap = 5;
/** Splits boxes into columns, from left to right. */
export function splitColumns(boxes: readonly Box[]): Box[][] {
  return split(boxes, "x", "right", columnGap);
}

/** Splits boxes into rows, from top to bottom. Letters may reach one point into the next row. */
export function splitIntoRows(boxes: readonly Box[]): Box[][] {
  return split(boxes, "top", "bottom", -1);
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
