import type { Line } from "./lines.ts";

/** Most lines of a page of which margins are looked for. */
const maxMarginLines = 2_000;

/** Right margin of a unit's lines: its own, if lines end there, else that of the page's lines which begin about as far left. 0 if neither has one. */
export function marginOf(unit: readonly Line[], page: readonly Line[]): number {
  const [first] = unit;
  if (first === undefined || page.length > maxMarginLines) return 0;
  const near = page.filter(({ x, size }) => Math.abs(x - first.x) <= size * 3);
  return sharedRight(unit, 2) || sharedRight(near, 3);
}

/** Farthest right end, where at least `count` lines end about there. */
function sharedRight(lines: readonly Line[], count: number): number {
  const ends = lines.map(({ right }) => right).sort((one, other) => other - one);
  const [farthest = 0] = ends;
  return farthest - (ends[count - 1] ?? 0) <= (lines[0]?.size ?? 0) * 1.5 ? farthest : 0;
}
