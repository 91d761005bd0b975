/** Grades of a query's judged documents. Other documents have the grade 0. */
export type Grades = ReadonlyMap<string, number>;

/**
 * Normalised discounted cumulative gain as trec_eval's `ndcg_cut` and BEIR compute it: the gain is
 * the grade itself (linear, not 2^grade - 1), the discount log2(rank + 1), and the ideal is the best
 * order of all judged documents.
 *
 * @param ranking documents, best first.
 * @returns 0 to 1; 0 when nothing is relevant.
 * @example ndcgAt(["b", "a"], new Map([["a", 3], ["b", 1]]), 10) // 0.7967
 */
export function ndcgAt(ranking: readonly string[], grades: Grades, cutoff: number): number {
  const ideal = discountedGain([...grades.values()].sort((one, other) => other - one).slice(0, cutoff));
  const gained = discountedGain(ranking.slice(0, cutoff).map((document) => grades.get(document) ?? 0));
  return ideal === 0 ? 0 : gained / ideal;
}

function discountedGain(gains: readonly number[]): number {
  // Some collections give spam a negative grade. It counts as 0.
  return gains.reduce((sum, gain, index) => sum + Math.max(0, gain) / Math.log2(index + 2), 0);
}

/**
 * Share of the relevant documents (grade 1 or more) that are among the first `cutoff`.
 *
 * @returns 0 to 1; 0 when nothing is relevant.
 */
export function recallAt(ranking: readonly string[], grades: Grades, cutoff: number): number {
  const relevant = [...grades.values()].filter((grade) => grade >= 1).length;
  const found = ranking.slice(0, cutoff).filter((document) => (grades.get(document) ?? 0) >= 1).length;
  return relevant === 0 ? 0 : found / relevant;
}
