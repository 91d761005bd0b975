/** Difference of two samples of any distribution. */
export interface Comparison {
  /** Probability that one of the first takes longer than one of the second: 0.5 when they are alike. */
  slowerShare: number;
  /** Distance of that from 0.5, in standard errors of equal samples. */
  standardErrors: number;
}

/** Mann-Whitney rank-sum test. Ties have the mean of their ranks. */
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
  const slowerShare = (rankSum - (n * (n + 1)) / 2) / (n * m);
  return { slowerShare, standardErrors: (slowerShare - 0.5) / Math.sqrt((n + m + 1) / (12 * n * m)) };
}
