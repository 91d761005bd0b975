import { expect, test } from "vitest";
import { type CollectionLegs, findFloor, rankFusions } from "../../../bench/relevance/calibrate.ts";

const one = (document: string, similarity: number) => ({ document, similarity });

/** Ten relevant documents with similarities 0.1 to 1.0. */
const ladder: CollectionLegs = {
  name: "ladder",
  queries: [
    {
      grades: new Map(Array.from({ length: 10 }, (_, index) => [`d${index + 1}`, 1])),
      keyword: [],
      semantic: Array.from({ length: 10 }, (_, index) => one(`d${10 - index}`, (10 - index) / 10)),
    },
  ],
};

test("the floor keeps four of five relevant documents", () => {
  expect(findFloor(ladder)).toBe(0.2);
});

test("a relevant document that meaning does not find has no similarity", () => {
  const [query] = ladder.queries;
  if (query === undefined) throw new Error("no query");
  const missing = { ...query, semantic: query.semantic.filter(({ similarity }) => similarity > 0.25) };
  expect(findFloor({ name: "missing", queries: [missing] })).toBe(0);
});

test("a document that is judged irrelevant does not move the floor", () => {
  const [query] = ladder.queries;
  if (query === undefined) throw new Error("no query");
  const judged = {
    ...query,
    grades: new Map([...query.grades, ["off", 0]]),
    semantic: [...query.semantic, one("off", 0.01)],
  };
  expect(findFloor({ name: "judged", queries: [judged] })).toBe(0.2);
});

const relevant = new Map([["right", 1]]);
const wrong = Array.from({ length: 5 }, (_, index) => `wrong${index}`);

test("a weak keyword leg gets little weight", () => {
  const collection: CollectionLegs = {
    name: "meaning",
    queries: [{ grades: relevant, keyword: wrong, semantic: [one("right", 0.9)] }],
  };
  const [best] = rankFusions([collection], 0.2);
  expect(best?.keyword_weight).toBeLessThan(1);
  expect(best).toMatchObject({ ndcg_10: 1, least_share: 1 });
});

test("a weak semantic leg gets little weight", () => {
  const collection: CollectionLegs = {
    name: "words",
    queries: [
      {
        grades: relevant,
        keyword: ["right"],
        semantic: wrong.map((document) => one(document, 0.5)),
      },
    ],
  };
  const fusions = rankFusions([collection], 0.2);
  const [best] = fusions;
  expect(best?.keyword_weight).toBeGreaterThanOrEqual(1);
  expect(best?.ndcg_10).toBe(1);
  for (const { keyword_weight, ndcg_10 } of fusions) {
    if (keyword_weight < 1) expect(ndcg_10).toBeLessThan(1);
  }
});

test("results below the floor are not fused", () => {
  const collection: CollectionLegs = {
    name: "floor",
    queries: [{ grades: relevant, keyword: ["right"], semantic: wrong.map((document) => one(document, 0.1)) }],
  };
  for (const { ndcg_10 } of rankFusions([collection], 0.2)) expect(ndcg_10).toBe(1);
});

test("every fusion of the grid is ranked once", () => {
  const fusions = rankFusions([ladder], 0);
  expect(new Set(fusions.map(({ k, keyword_weight }) => `${k} ${keyword_weight}`)).size).toBe(fusions.length);
  expect(fusions.length).toBeGreaterThan(20);
});

test("a collection in which neither leg finds anything does not change the fusion that the others suggest", () => {
  const nothing: CollectionLegs = {
    name: "nothing",
    queries: [{ grades: new Map([["gone", 1]]), keyword: [], semantic: [] }],
  };
  const words: CollectionLegs = {
    name: "words",
    queries: [
      { grades: relevant, keyword: ["right"], semantic: wrong.map((document) => one(document, 0.5)) },
      { grades: new Map(), keyword: [], semantic: [] },
    ],
  };
  expect(rankFusions([nothing, words], 0.2)[0]).toMatchObject({ least_share: 1 });
  expect(rankFusions([nothing], 0.2)[0]).toMatchObject({ ndcg_10: 0, least_share: 1 });
});

test("a floor has the two places that the similarity has", () => {
  for (let hundredths = 0; hundredths <= 100; hundredths++) {
    const similarity = hundredths / 100;
    const queries = [{ grades: relevant, keyword: [], semantic: [one("right", similarity)] }];
    expect(findFloor({ name: "one", queries })).toBe(similarity);
  }
});
