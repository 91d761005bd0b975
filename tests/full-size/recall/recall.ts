/**
 * The share of the best `k` that was found. What is as good as the last of the best counts as one of them;
 * scores that differ by less than a hundred-thousandth are alike.
 *
 * @param found scores of what was found, in the order found. Greater is better.
 * @param best scores of the best there are, at least `k` of them if there are so many, best first.
 */
export function recallAt(k: number, found: number[], best: number[]): number {
  const count = Math.min(k, best.length);
  if (count === 0) return 1;
  const last = best[count - 1] ?? 0;
  const enough = last - Math.abs(last) * 1e-5;
  return Math.min(count, found.slice(0, k).filter((score) => score >= enough).length) / count;
}

export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
