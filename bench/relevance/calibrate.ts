import { mean, median, percentile } from "../statistics.ts";
import { aboveFloor, averageNdcg, type FusionSettings, fuse, rankLeg, withFirst } from "./fusion.ts";
import type { QueryLegs } from "./legs.ts";

/** Results of the legs for a collection's queries. */
export interface CollectionLegs {
  name: string;
  queries: QueryLegs[];
  /** Default of the setting `floor_similarity` for the model. */
  defaultFloor: number;
  /** Number of documents that each leg of a search contributes at most (`funding.candidates_of`); `queries` have more. */
  maxCandidates: number;
}

/** A fusion with its quality. */
export interface Fusion extends FusionSettings {
  /** nDCG@10, averaged over the collections. */
  ndcg_10: number;
  /** nDCG@10 as a share of the better leg's, in the collection where that share is least. */
  least_share: number;
}

/** The quality of fusions on one collection, beside those of its legs: nDCG@10. */
export interface LeftOut {
  collection: string;
  keyword: number;
  semantic: number;
  /** By the fusion that was chosen on all collections. */
  fitted: number;
  /** By the one that was chosen on the others. */
  left_out: number;
}

/** What leaves results of a hybrid search out: the settings `floor_similarity`, `semantic_share` and `floor_keyword`. */
export interface Floors {
  similarity: number;
  semanticShare: number;
  keyword: number;
}

/** What floors leave of a collection. */
export interface Kept {
  /** Share of the relevant documents among the first hundred of a hybrid search that stay. */
  share: number;
  /** Median number of documents that a query finds. */
  total: number;
}

/** Maximum share of relevant documents that are lost to the floor in any collection. */
const maxLostShare = 0.2;
/** Minimum share of the better leg's nDCG that a fusion must keep in every collection. */
const minKeptShare = 0.99;
/** Difference in nDCG@10 below which fusions are considered equally good. */
const tolerance = 0.001;

const weightsTried = {
  /** Both legs of the lexicon know the same words. */
  lexicon: { semantic: [1], similarity: [0.5, 1, 1.5, 2, 2.5, 3, 4] },
  /** A model may know more than the words do, or less. */
  external: { semantic: [0.1, 0.25, 0.5, 1, 2, 4], similarity: [0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 4, 8] },
};

function makeGrid(kind: keyof typeof weightsTried): FusionSettings[] {
  const { semantic, similarity } = weightsTried[kind];
  return [5, 10, 20, 60].flatMap((k) =>
    [0, 1, 2, 4, 8].flatMap((sum_weight) =>
      // Without its ranking, the sum does not matter.
      (sum_weight === 0 ? [1] : similarity).flatMap((similarity_weight) =>
        semantic.map((semantic_weight) => ({ k, sum_weight, semantic_weight, similarity_weight })),
      ),
    ),
  );
}

/**
 * Returns the similarity that four of five relevant documents of a collection reach, rounded down to two decimals. A
 * relevant document that is not in the leg counts with the similarity 0.
 */
export function findFloor({ queries }: CollectionLegs): number {
  const similarity = percentile(queries.flatMap(relevantSimilarities), maxLostShare);
  // 0.29 times 100 is a little less than 29.
  return Math.floor(Number((similarity * 100).toFixed(6))) / 100;
}

function relevantSimilarities({ grades, found }: QueryLegs): number[] {
  const similarity = new Map(found.map((leg) => [leg.document, leg.semantic_score ?? 0]));
  return [...grades].filter(([, grade]) => grade >= 1).map(([document]) => similarity.get(document) ?? 0);
}

/** nDCG@10 of each fusion of the grid on a collection, and of the legs. */
interface Measured {
  name: string;
  keyword: number;
  semantic: number;
  fusions: number[];
}

function measure({ name, queries }: CollectionLegs, floor: number, grid: readonly FusionSettings[]): Measured {
  return {
    name,
    keyword: averageNdcg(queries, (legs) => rankLeg(legs, "keyword_rank", floor)),
    semantic: averageNdcg(queries, (legs) => rankLeg(legs, "semantic_rank", floor)),
    fusions: grid.map((fusion) => averageNdcg(queries, (legs) => fuse(legs, fusion, floor))),
  };
}

/**
 * Ranks every fusion of the grid, best first, and says how well the choice does on a collection that it has not seen. Fusions that
 * keep nearly all of the better leg in each collection come first; then they are ordered by nDCG@10; among those equal to the best,
 * the one whose worst collection loses least is first.
 *
 * @param floor minimum similarity of the semantic leg.
 * @param kind of the model, which decides the weights to try.
 */
export function rankFusions(
  collections: readonly CollectionLegs[],
  floor: number,
  kind: keyof typeof weightsTried = "lexicon",
): { fusions: Fusion[]; leftOut: LeftOut[] } {
  const grid = makeGrid(kind);
  const measured = collections.map((collection) => measure(collection, floor, grid));
  const ranked = rank(measured);
  const chosen = ranked[0]?.index ?? 0;
  return {
    fusions: ranked.map(({ index, ndcg_10, least_share }) => ({
      ...(grid[index] as FusionSettings),
      ndcg_10,
      least_share,
    })),
    leftOut: measured.map((one) => ({
      collection: one.name,
      keyword: one.keyword,
      semantic: one.semantic,
      fitted: one.fusions[chosen] ?? 0,
      left_out: one.fusions[rank(measured.filter((other) => other !== one))[0]?.index ?? chosen] ?? 0,
    })),
  };
}

function rank(measured: readonly Measured[]): { index: number; ndcg_10: number; least_share: number }[] {
  const fusions = (measured[0]?.fusions ?? []).map((_, index) => {
    const ndcg = measured.map((one) => one.fusions[index] ?? 0);
    // If neither leg finds anything, a fusion loses nothing.
    const shares = measured.map((one, at) => {
      const better = Math.max(one.keyword, one.semantic);
      return better === 0 ? 1 : (ndcg[at] ?? 0) / better;
    });
    return { index, ndcg_10: measured.length === 0 ? 0 : mean(ndcg), least_share: Math.min(1, ...shares) };
  });
  const isKeeping = (fusion: { least_share: number }) => Number(fusion.least_share >= minKeptShare);
  fusions.sort((one, other) => isKeeping(other) - isKeeping(one) || other.ndcg_10 - one.ndcg_10);
  const [first] = fusions;
  const isAsGood = (fusion: { least_share: number; ndcg_10: number }) =>
    first !== undefined && isKeeping(fusion) === isKeeping(first) && fusion.ndcg_10 >= first.ndcg_10 - tolerance;
  const asGood = fusions.filter(isAsGood).sort((one, other) => other.least_share - one.least_share);
  return [...asGood, ...fusions.filter((fusion) => !isAsGood(fusion))];
}

const firstResults = 100;

/** Measures what stays of a collection's results under the floors. They mean the same under every filter, which one relative to the best result would not. */
export function measureKept({ queries, maxCandidates }: CollectionLegs, floors: Floors, fusion: FusionSettings): Kept {
  let relevant = 0;
  let kept = 0;
  const totals: number[] = [];
  for (const query of queries) {
    const legs = { ...query, found: withFirst(query.found, maxCandidates) };
    const lastOfSample = Math.max(Math.ceil(legs.sample.length * floors.semanticShare), 25);
    const leastSimilarity = Math.max(floors.similarity, legs.sample[lastOfSample - 1] ?? 0);
    const stays = new Set(
      aboveFloor(legs.found, leastSimilarity)
        .filter(
          (leg) =>
            leg.semantic_rank !== null || (leg.keyword_score ?? 0) >= floors.keyword * legs.possible_keyword_score,
        )
        .map(({ document }) => document),
    );
    totals.push(stays.size);
    const first = fuse(legs, fusion, floors.similarity).slice(0, firstResults);
    for (const document of first.filter((one) => (legs.grades.get(one) ?? 0) >= 1)) {
      relevant += 1;
      if (stays.has(document)) kept += 1;
    }
  }
  return { share: relevant === 0 ? 1 : kept / relevant, total: median(totals) };
}
