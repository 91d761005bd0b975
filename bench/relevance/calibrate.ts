import type { QueryLegs } from "./legs.ts";
import { mean, ndcgAt, percentile } from "./metrics.ts";

/** The legs of a collection's queries. */
export interface CollectionLegs {
  name: string;
  queries: QueryLegs[];
}

/** One way of fusing the two legs, and what it does. */
export interface Fusion {
  /** The constant of reciprocal rank fusion. */
  k: number;
  /** The weight of the keyword leg; that of the semantic leg is 1. */
  keyword_weight: number;
  /** nDCG@10, averaged over the collections. */
  ndcg_10: number;
  /** nDCG@10 by that of the better leg, in the collection where that is least. */
  least_share: number;
}

/** The share of relevant documents that the floor may cost in any collection. */
const lostToFloor = 0.2;
/** A fusion must keep this much of the better leg in every collection. */
const leastShare = 0.97;
/** Differences in nDCG@10 that mean nothing. */
const indifference = 0.001;

const constants = [5, 10, 20, 60] as const;
const keywordWeights = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2] as const;

/**
 * The similarity that four of five relevant documents of a collection reach, rounded down to two places. A
 * relevant document that is not in the leg at all counts as one without similarity.
 */
export function floorOf({ queries }: CollectionLegs): number {
  const similarity = percentile(queries.flatMap(relevantSimilarities), lostToFloor);
  // 0.29 times 100 is a little less than 29.
  return Math.floor(Number((similarity * 100).toFixed(6))) / 100;
}

function relevantSimilarities({ grades, semantic }: QueryLegs): number[] {
  const similarity = new Map(semantic.map((found) => [found.document, found.similarity]));
  return [...grades].filter(([, grade]) => grade >= 1).map(([document]) => similarity.get(document) ?? 0);
}

/**
 * Every fusion of the grid, best first: those that keep nearly all of the better leg in each collection before
 * those that do not, then by nDCG@10, and of those as good as the best the one whose worst collection loses least.
 *
 * @param floor the least similarity of the semantic leg.
 */
export function rankFusions(collections: readonly CollectionLegs[], floor: number): Fusion[] {
  const better = collections.map(({ queries }) =>
    Math.max(
      mean(queries.map(({ keyword, grades }) => ndcgAt(keyword, grades, 10))),
      mean(queries.map((legs) => ndcgAt(above(legs, floor), legs.grades, 10))),
    ),
  );
  const fusions = constants
    .flatMap((k) => keywordWeights.map((keyword_weight) => ({ k, keyword_weight })))
    .map(({ k, keyword_weight }) => {
      const ndcg = collections.map(({ queries }) =>
        mean(queries.map((legs) => ndcgAt(fuse(legs, k, keyword_weight, floor), legs.grades, 10))),
      );
      // Where neither leg has anything, a fusion loses nothing.
      const shares = ndcg.map((value, place) => (better[place] ? value / better[place] : 1));
      return { k, keyword_weight, ndcg_10: mean(ndcg), least_share: Math.min(...shares) };
    });
  const keeping = (fusion: Fusion) => Number(fusion.least_share >= leastShare);
  fusions.sort((one, other) => keeping(other) - keeping(one) || other.ndcg_10 - one.ndcg_10);
  const isAsGood = (fusion: Fusion) =>
    keeping(fusion) === keeping(fusions[0] ?? fusion) && fusion.ndcg_10 >= (fusions[0]?.ndcg_10 ?? 0) - indifference;
  const asGood = fusions.filter(isAsGood).sort((one, other) => other.least_share - one.least_share);
  return [...asGood, ...fusions.filter((fusion) => !isAsGood(fusion))];
}

function fuse(legs: QueryLegs, k: number, keywordWeight: number, floor: number): string[] {
  const scores = new Map<string, number>();
  const add = (document: string, score: number) => scores.set(document, (scores.get(document) ?? 0) + score);
  legs.keyword.forEach((document, place) => void add(document, keywordWeight / (k + place + 1)));
  above(legs, floor).forEach((document, place) => void add(document, 1 / (k + place + 1)));
  return [...scores].sort(([, one], [, other]) => other - one).map(([document]) => document);
}

function above({ semantic }: QueryLegs, floor: number): string[] {
  return semantic.filter(({ similarity }) => similarity >= floor).map(({ document }) => document);
}
