/** Longest text that can be a mistyped name, in characters. */
const longestTypo = 40;

/**
 * Returns the candidate nearest to a mistyped name, or undefined where none is near. At most a third of the typed letters
 * may differ (and at least one, so that very short names can be suggested too).
 */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  if (typed.length > longestTypo) return undefined;
  const limit = Math.max(1, Math.floor(typed.length / 3));
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(typed.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate ?? candidates.find((candidate) => containsOther(typed, candidate));
}

/** Whether one name is part of the other: `state` means `states`, `amount` means `min_amount`. */
function containsOther(typed: string, candidate: string): boolean {
  return typed.length >= 4 && (candidate.includes(typed.toLowerCase()) || typed.toLowerCase().includes(candidate));
}

/**
 * Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours that turn one text into
 * the other.
 */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
