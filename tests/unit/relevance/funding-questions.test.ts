import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agreementOf, readReadings, settleGrades, unsettledPairs } from "../../../bench/relevance/agreement.ts";
import { fundingQuestions } from "../../../bench/relevance/funding-questions.ts";
import { readQuestions } from "../../../bench/relevance/read-collection.ts";

interface Question {
  _id: string;
  text: string;
  about: string;
  words: string;
  has: string[];
}

const questions: Question[] = (await readFile(join(fundingQuestions, "queries.jsonl"), "utf8"))
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const { judgements } = await readQuestions(fundingQuestions);
const readings = await readReadings(fundingQuestions);
const { first, second, settled } = readings;

const count = (isCounted: (question: Question) => boolean) => questions.filter(isCounted).length;

/** Ids as the publishers give them, by source. */
const ids = [
  /^aln:(\d\d|TC|IN|ND)\.\d{3}$/,
  /^grants-gov:[A-Z0-9][\w .-]*$/i,
  /^pa:[a-z]+\d+$/,
  /^ca:\d+$/,
  /^sam:[0-9a-f]{32}$/,
  /^nsf:\d{7}$/,
  /^usaspending:CONT_AWD_[\w-]+$/,
  /^fed:[\w-]+$/,
  /^irs:\d{9}$/,
];

describe("the questions about funding", () => {
  test("are 200, about grants, contracts and funders", () => {
    expect(questions.map(({ _id }) => _id)).toEqual(
      Array.from({ length: 200 }, (_, index) => String(index + 1).padStart(3, "0")),
    );
    expect(new Set(questions.map(({ text }) => text)).size).toBe(200);
    expect(["grants", "contracts", "funders"].map((kind) => count(({ about }) => about === kind))).toEqual([
      110, 60, 30,
    ]);
  });

  test("are for half in everyday words, and for a fifth about a place, an agency, a number or misspelt", () => {
    expect(count(({ words }) => words === "everyday")).toBeGreaterThanOrEqual(100);
    expect(count(({ words }) => !["everyday", "publisher"].includes(words))).toBe(0);
    expect(count(({ has }) => has.length > 0)).toBe(40);
    expect(new Set(questions.flatMap(({ has }) => has))).toEqual(new Set(["agency", "misspelling", "number", "place"]));
  });

  test("each have graded records, and all but one have a record that answers them largely", () => {
    const best = new Map<string, number>();
    for (const { _id } of questions) {
      const grades = [...(judgements.get(_id)?.values() ?? [])];
      best.set(_id, Math.max(...grades));
      expect(grades.length, `question ${_id}`).toBeGreaterThanOrEqual(10);
    }
    // Landscaping in Washington: the readers differ on whether an assessment of the Capitol's trees answers it.
    expect([...best].filter(([, grade]) => grade < 2)).toEqual([["129", 1]]);
  });
});

describe("the grades", () => {
  test("are 0 to 3, of records with well-formed ids", () => {
    const pairs = [judgements, first, second, settled].flatMap((reading) =>
      [...reading.values()].flatMap((grades) => [...grades]),
    );
    expect(pairs.filter(([record]) => !ids.some((form) => form.test(record)))).toEqual([]);
    expect(pairs.filter(([, grade]) => ![0, 1, 2, 3].includes(grade))).toEqual([]);
  });

  test("are those of both readings, and the settled ones", () => {
    expect(judgements).toEqual(settleGrades(readings));
  });

  test("of two readings are for the same records, agree well, and are settled where they are far apart", () => {
    expect(recordsOf(second)).toEqual(recordsOf(first));
    expect(agreementOf(first, second).kappa).toBeGreaterThan(0.8);
    expect(unsettledPairs(readings)).toEqual([]);
  });
});

test("the folder holds questions, ids and grades, and no record's text", () => {
  expect(readdirSync(fundingQuestions, { recursive: true }).sort()).toEqual([
    "qrels",
    "qrels/test.tsv",
    "queries.jsonl",
    "readings",
    "readings/first.tsv",
    "readings/second.tsv",
    "readings/settled.tsv",
  ]);
});

const recordsOf = (reading: typeof first) =>
  [...reading].flatMap(([question, grades]) => [...grades.keys()].map((record) => `${question} ${record}`));
