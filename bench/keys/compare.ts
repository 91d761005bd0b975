/** How two samples differ, whatever their distributions. */
export interface Comparison {
  /** How likely it is that one of the first takes longer than one of the second: 0.5 when they are alike. */
  isSlower: number;
  /** How far that is from 0.5, in standard errors that samples which are alike would have. */
  standardErrors: number;
}

/** The rank-sum test of Mann and Whitney, with ties at the mean of their ranks. */
export function compareTimes(first: readonly number[], second: readonly number[]): Comparison {
  const all = [...first.map((time) => ({ time, isFirst: true })), ...second.map((time) => ({ time, isFirst: false }))];
  all.sort((one, other) => one.time - other.time);
  let rankSum = 0;
  for (let start = 0; start < all.length; ) {
    let end = start;
    while (end < all.length && all[end]?.time === all[start]?.time) end += 1;
    const rank = (start + end + 1) / 2;
    rankSum += rank * all.slice(start, end).filter(({ isFirst }) => isFirst).length;
    start = end;
  }
  const [n, m] = [first.length, second.length];
  const isSlower = (rankSum - (n * (n + 1)) / 2) / (n * m);
  return { isSlower, standardErrors: (isSlower - 0.5) / Math.sqrt((n + m + 1) / (12 * n * m)) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
