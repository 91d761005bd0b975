import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readQuestions } from "../../../bench/relevance/read-collection.ts";

const folder = fileURLToPath(new URL("../../relevance/assistance-programs", import.meta.url));

test("the judged set has at least 60 queries, each with graded programmes", async () => {
  const { queries, judgements } = await readQuestions(folder);
  expect(queries.length).toBeGreaterThanOrEqual(60);
  for (const { id } of queries) {
    const grades = [...(judgements.get(id)?.values() ?? [])];
    expect(grades.filter((grade) => grade > 0).length, `query ${id}`).toBeGreaterThanOrEqual(4);
    expect(grades.every((grade) => grade >= 0 && grade <= 3)).toBe(true);
  }
});

test("the judged set holds queries, ids and grades, and no programme's text", async () => {
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(["qrels", "qrels/test.tsv", "queries.jsonl"]);
  const { judgements } = await readQuestions(folder);
  for (const grades of judgements.values()) {
    for (const program of grades.keys()) expect(program).toMatch(/^(\d\d|TC|IN|ND)\.\d{3}$/);
  }
});
