import { expect, test } from "vitest";
import { type CollectionLegs, findFloor, measureKept, rankFusions } from "../../../bench/relevance/calibrate.ts";
import { fuse } from "../../../bench/relevance/fusion.ts";
import type { FoundDocument, QueryLegs } from "../../../bench/relevance/legs.ts";

/** Legs of a query out of each leg's documents, best first, with their scores. */
function legsOf(
  grades: QueryLegs["grades"],
  keyword: [document: string, score: number][],
  semantic: [document: string, similarity: number][],
): QueryLegs {
  const documents = [...new Set([...keyword, ...semantic].map(([document]) => document))];
  return {
    grades,
    sample: Array.from({ length: 100 }, (_, index) => 1 - index / 100),
    possible_keyword_score: 10,
    found: documents.map((document): FoundDocument => {
      const byWords = keyword.findIndex(([one]) => one === document);
      const byMeaning = semantic.findIndex(([one]) => one === document);
      return {
        document,
        keyword_rank: byWords < 0 ? null : byWords + 1,
        keyword_score: keyword[byWords]?.[1] ?? null,
        semantic_rank: byMeaning < 0 ? null : byMeaning + 1,
        semantic_score: semantic[byMeaning]?.[1] ?? null,
        similarity: semantic[byMeaning]?.[1] ?? 0,
      };
    }),
  };
}

const collectionOf = (name: string, ...queries: QueryLegs[]): CollectionLegs => ({
  name,
  queries,
  defaultFloor: 0.21,
  maxCandidates: 100,
});

/** Ten relevant documents with similarities 0.1 to 1.0. */
const rungs = Array.from({ length: 10 }, (_, index): [string, number] => [`d${10 - index}`, (10 - index) / 10]);
const grades = new Map(rungs.map(([document]) => [document, 1]));
const ladder = collectionOf("ladder", legsOf(grades, [], rungs));

test("the floor keeps four of five relevant documents", () => {
  expect(findFloor(ladder)).toBe(0.2);
});

test("a relevant document that meaning does not find has no similarity", () => {
  const found = rungs.filter(([, similarity]) => similarity > 0.25);
  expect(findFloor(collectionOf("missing", legsOf(grades, [], found)))).toBe(0);
  // One that only its words find has none either.
  const words = rungs.map(([document]): [string, number] => [document, 5]);
  expect(findFloor(collectionOf("words", legsOf(grades, words, found)))).toBe(0);
});

test("a document that is judged irrelevant does not move the floor", () => {
  const judged = legsOf(new Map([...grades, ["off", 0]]), [], [...rungs, ["off", 0.01]]);
  expect(findFloor(collectionOf("judged", judged))).toBe(0.2);
});

test("a floor has the two places that the similarity has", () => {
  for (let hundredths = 0; hundredths <= 100; hundredths++) {
    const similarity = hundredths / 100;
    expect(findFloor(collectionOf("one", legsOf(new Map([["right", 1]]), [], [["right", similarity]])))).toBe(
      similarity,
    );
  }
});

const relevant = new Map([["right", 1]]);
const wrong = (score: number) => Array.from({ length: 5 }, (_, index): [string, number] => [`wrong${index}`, score]);

test("where meaning is right, it gets much weight, and where words are, little", () => {
  const meaning = collectionOf(
    "meaning",
    legsOf(
      relevant,
      [
        ["other", 9],
        ["right", 3],
      ],
      [
        ["right", 0.9],
        ["other", 0.3],
      ],
    ),
  );
  const words = collectionOf(
    "words",
    legsOf(
      relevant,
      [
        ["right", 9],
        ["other", 3],
      ],
      [
        ["other", 0.9],
        ["right", 0.3],
      ],
    ),
  );
  const [forMeaning] = rankFusions([meaning], 0.2).fusions;
  const [forWords] = rankFusions([words], 0.2).fusions;
  expect(forMeaning).toMatchObject({ ndcg_10: 1, least_share: 1 });
  expect(forWords).toMatchObject({ ndcg_10: 1, least_share: 1 });
  expect(forMeaning?.similarity_weight).toBeGreaterThan(forWords?.similarity_weight ?? 9);
});

test("results below the floor are not fused", () => {
  const floored = collectionOf("floor", legsOf(relevant, [["right", 5]], wrong(0.1)));
  for (const { ndcg_10 } of rankFusions([floored], 0.2).fusions) expect(ndcg_10).toBe(1);
});

test("every fusion of the grid is ranked once", () => {
  const { fusions } = rankFusions([ladder], 0);
  expect(new Set(fusions.map(({ ndcg_10, least_share, ...settings }) => JSON.stringify(settings))).size).toBe(
    fusions.length,
  );
  expect(fusions.length).toBeGreaterThan(20);
});

test("a collection in which neither leg finds anything does not change the fusion that the others suggest", () => {
  const nothing = collectionOf("nothing", legsOf(new Map([["gone", 1]]), [], []));
  const words = collectionOf("words", legsOf(relevant, [["right", 5]], wrong(0.5)), legsOf(new Map(), [], []));
  expect(rankFusions([nothing, words], 0.2).fusions[0]).toMatchObject({ least_share: 1 });
  expect(rankFusions([nothing], 0.2).fusions[0]).toMatchObject({ ndcg_10: 0, least_share: 1 });
});

test("a collection's left-out figure is by the fusion that the others choose", () => {
  const meaning = collectionOf(
    "meaning",
    legsOf(
      relevant,
      [
        ["other", 9],
        ["right", 3],
      ],
      [
        ["right", 0.9],
        ["other", 0.3],
      ],
    ),
  );
  const words = collectionOf(
    "words",
    legsOf(
      relevant,
      [
        ["right", 9],
        ["other", 3],
      ],
      [
        ["other", 0.9],
        ["right", 0.3],
      ],
    ),
  );
  const { leftOut } = rankFusions([meaning, meaning, meaning, words], 0.2);
  const [first, , , last] = leftOut;
  expect(first).toMatchObject({ collection: "meaning", keyword: expect.closeTo(0.631, 3), semantic: 1 });
  // The others know of nothing but meaning.
  expect(last).toMatchObject({ collection: "words", keyword: 1, left_out: expect.closeTo(0.631, 3) });
});

test("the fused order is by the ranks of both legs and of their sum", () => {
  const legs = legsOf(
    new Map(),
    [
      ["a", 8],
      ["b", 4],
      ["c", 2],
    ],
    [
      ["c", 0.6],
      ["b", 0.5],
    ],
  );
  // Sums: a 1, b 0.5 + 0.55, c 0.25 + 0.66. Meaning and the sum both have b before c, and c's ranks in all three are better than a's in two.
  expect(fuse(legs, { k: 10, sum_weight: 4, similarity_weight: 1.1 }, 0)).toEqual(["b", "c", "a"]);
  expect(fuse(legs, { k: 10, sum_weight: 40, similarity_weight: 1.1 }, 0)).toEqual(["b", "a", "c"]);
  expect(fuse(legs, { k: 10, sum_weight: 0, similarity_weight: 1 }, 0)).toEqual(["c", "b", "a"]);
  expect(fuse(legs, { k: 10, sum_weight: 0, similarity_weight: 1 }, 0.7)).toEqual(["a", "b", "c"]);
});

test("floors count what is lost by meaning and by words", () => {
  const judged = new Map([
    ["strong", 1],
    ["weak", 1],
    ["near", 1],
  ]);
  const words: [string, number][] = [
    ["strong", 5],
    ["weak", 0.5],
    ["near", 0.4],
    ["noise", 0.3],
  ];
  const one = collectionOf("one", legsOf(judged, words, [["near", 0.5]]));
  const fusion = { k: 10, sum_weight: 4, similarity_weight: 2.5 };
  const kept = (semanticShare: number, keyword: number) =>
    measureKept(one, { similarity: 0.2, semanticShare, keyword }, fusion);
  expect(kept(1, 0)).toEqual({ share: 1, total: 4 });
  expect(kept(1, 0.1)).toEqual({ share: 2 / 3, total: 2 });
  expect(kept(0.6, 0.1)).toEqual({ share: 2 / 3, total: 2 });
  // The forty best of the sample are above 0.5.
  expect(kept(0.4, 0.1)).toEqual({ share: 1 / 3, total: 1 });
  // Of each leg's two best, all are relevant.
  const { share, total } = measureKept(
    { ...one, maxCandidates: 2 },
    { similarity: 0.2, semanticShare: 1, keyword: 0 },
    fusion,
  );
  expect({ share, total }).toEqual({ share: 1, total: 3 });
});
