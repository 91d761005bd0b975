import { mean, percentile } from "../statistics.ts";
import type { QueryLegs } from "./legs.ts";
import { ndcgAt } from "./metrics.ts";

/** Results of the legs for a collection's queries. */
export interface CollectionLegs {
  name: string;
  queries: QueryLegs[];
}

/** Parameters of a fusion of the two legs, with its quality. */
export interface Fusion {
  /** The constant of reciprocal rank fusion. */
  k: number;
  /** The weight of the keyword leg; that of the semantic leg is 1. */
  keyword_weight: number;
  /** nDCG@10, averaged over the collections. */
  ndcg_10: number;
  /** nDCG@10 as a share of the better leg's, in the collection where that share is least. */
  least_share: number;
}

/** Maximum share of relevant documents that are lost to the floor in any collection. */
const maxLostShare = 0.2;
/** Minimum share of the better leg's nDCG that a fusion must keep in every collection. */
const minKeptShare = 0.97;
/** Difference in nDCG@10 below which fusions are considered equally good. */
const tolerance = 0.001;

const constants = [5, 10, 20, 60] as const;
const keywordWeights = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2] as const;

/**
 * Returns the similarity that four of five relevant documents of a collection reach, rounded down to two decimals. A
 * relevant document that is not in the leg counts with the similarity 0.
 */
export function findFloor({ queries }: CollectionLegs): number {
  const similarity = percentile(queries.flatMap(relevantSimilarities), maxLostShare);
  // 0.29 times 100 is a little less than 29.
  return Math.floor(Number((similarity * 100).toFixed(6))) / 100;
}

function relevantSimilarities({ grades, semantic }: QueryLegs): number[] {
  const similarity = new Map(semantic.map((found) => [found.document, found.similarity]));
  return [...grades].filter(([, grade]) => grade >= 1).map(([document]) => similarity.get(document) ?? 0);
}

/**
 * Ranks every fusion of the grid, best first. Fusions that keep nearly all of the better leg in each collection come
 * first; then they are ordered by nDCG@10; among those equal to the best, the one whose worst collection loses least is
 * first.
 *
 * @param floor minimum similarity of the semantic leg.
 */
export function rankFusions(collections: readonly CollectionLegs[], floor: number): Fusion[] {
  const better = collections.map(({ queries }) =>
    Math.max(
      mean(queries.map(({ keyword, grades }) => ndcgAt(keyword, grades, 10))),
      mean(queries.map((legs) => ndcgAt(aboveFloor(legs, floor), legs.grades, 10))),
    ),
  );
  const fusions = constants
    .flatMap((k) => keywordWeights.map((keyword_weight) => ({ k, keyword_weight })))
    .map(({ k, keyword_weight }) => {
      const ndcg = collections.map(({ queries }) =>
        mean(queries.map((legs) => ndcgAt(fuse(legs, k, keyword_weight, floor), legs.grades, 10))),
      );
      // If neither leg finds anything, a fusion loses nothing.
      const shares = ndcg.map((value, index) => (better[index] ? value / better[index] : 1));
      return { k, keyword_weight, ndcg_10: mean(ndcg), least_share: Math.min(...shares) };
    });
  const isKeeping = (fusion: Fusion) => Number(fusion.least_share >= minKeptShare);
  fusions.sort((one, other) => isKeeping(other) - isKeeping(one) || other.ndcg_10 - one.ndcg_10);
  const isAsGood = (fusion: Fusion) =>
    isKeeping(fusion) === isKeeping(fusions[0] ?? fusion) && fusion.ndcg_10 >= (fusions[0]?.ndcg_10 ?? 0) - tolerance;
  const asGood = fusions.filter(isAsGood).sort((one, other) => other.least_share - one.least_share);
  return [...asGood, ...fusions.filter((fusion) => !isAsGood(fusion))];
}

function fuse(legs: QueryLegs, k: number, keywordWeight: number, floor: number): string[] {
  const scores = new Map<string, number>();
  const add = (document: string, score: number) => scores.set(document, (scores.get(document) ?? 0) + score);
  legs.keyword.forEach((document, index) => void add(document, keywordWeight / (k + index + 1)));
  aboveFloor(legs, floor).forEach((document, index) => void add(document, 1 / (k + index + 1)));
  return [...scores].sort(([, one], [, other]) => other - one).map(([document]) => document);
}

function aboveFloor({ semantic }: QueryLegs, floor: number): string[] {
  return semantic.filter(({ similarity }) => similarity >= floor).map(({ document }) => document);
}
