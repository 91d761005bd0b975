import { mean } from "../statistics.ts";
import type { FoundDocument, QueryLegs } from "./legs.ts";
import { ndcgAt } from "./metrics.ts";

/** Parameters of a fusion (RRF) of the two legs: the settings `fusion_...`, with a keyword weight of 1. */
export interface FusionSettings {
  /** The constant of reciprocal rank fusion. */
  k: number;
  /** The weight of the ranking by the sum of both scores. */
  sum_weight: number;
  /** The weight of the semantic leg. Default: 1. */
  semantic_weight?: number;
  /** How much a similarity counts in that sum, beside a keyword score of 1. */
  similarity_weight: number;
}

/** Ranks of what only one leg found are infinite in the other. */
const reciprocal = (k: number, rank: number | null) => (rank === null ? 0 : 1 / (k + rank));

/**
 * Fuses a query's legs as `funding.hybrid_scores` does.
 *
 * @param floor minimum score of the semantic leg.
 */
export function fuse({ found }: Pick<QueryLegs, "found">, fusion: FusionSettings, floor: number): string[] {
  const best = Math.max(0, ...found.map(({ keyword_score }) => keyword_score ?? 0));
  const summed = aboveFloor(found, floor)
    .map((leg) => ({
      ...leg,
      sum: (best > 0 ? (leg.keyword_score ?? 0) / best : 0) + fusion.similarity_weight * leg.similarity,
    }))
    .sort((one, other) => other.sum - one.sum);
  return summed
    .map((leg, index) => ({
      document: leg.document,
      score:
        reciprocal(fusion.k, leg.keyword_rank) +
        (fusion.semantic_weight ?? 1) * reciprocal(fusion.k, leg.semantic_rank) +
        (leg.sum > 0 ? fusion.sum_weight * reciprocal(fusion.k, index + 1) : 0),
    }))
    .sort((one, other) => other.score - one.score)
    .map(({ document }) => document);
}

/** Documents of both legs, where the semantic one has a floor. Ranks do not change: documents below the floor come last. */
export function aboveFloor(found: readonly FoundDocument[], floor: number): FoundDocument[] {
  return found.flatMap((leg) => {
    if (leg.semantic_score === null || leg.semantic_score >= floor) return [leg];
    return leg.keyword_rank === null ? [] : [{ ...leg, ...noSemanticRank }];
  });
}

/** Documents that are among the first `maximum` of a leg. */
export function withFirst(found: readonly FoundDocument[], maximum: number): FoundDocument[] {
  return found
    .map((leg) => ({
      ...leg,
      ...((leg.keyword_rank ?? 0) > maximum ? { keyword_rank: null, keyword_score: null } : {}),
      ...((leg.semantic_rank ?? 0) > maximum ? noSemanticRank : {}),
    }))
    .filter((leg) => leg.keyword_rank !== null || leg.semantic_rank !== null);
}

const noSemanticRank = { semantic_rank: null, semantic_score: null };

/** Documents of one leg alone, best first. */
export function rankLeg({ found }: QueryLegs, leg: "keyword_rank" | "semantic_rank", floor: number): string[] {
  return aboveFloor(found, floor)
    .filter((one) => one[leg] !== null)
    .sort((one, other) => (one[leg] ?? 0) - (other[leg] ?? 0))
    .map(({ document }) => document);
}

/** nDCG@10 of rankings, averaged over queries. */
export function averageNdcg(queries: readonly QueryLegs[], rank: (legs: QueryLegs) => string[]): number {
  return mean(queries.map((legs) => ndcgAt(rank(legs), legs.grades, 10)));
}
