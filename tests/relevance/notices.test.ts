import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agreementOf, readReadings, settleGrades, unsettledPairs } from "../../bench/relevance/agreement.ts";
import { gradesOfRecords, loadNotices, noticesFolder, readNotices } from "../../bench/relevance/notices.ts";
import { toGrant } from "../../bench/relevance/prepare.ts";
import { askNotices, type Place } from "../../bench/relevance/search-in.ts";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { loadBatch } from "../../ingest/load.ts";
import { openTestDatabase } from "../support/service.ts";

/** Questions over notices of funding, asked of these among the demo records. docs/relevance.md has the figures among 11,099 records. */

const notices = await readNotices();
const questions: { words: string; summary: boolean }[] = (await readFile(join(noticesFolder, "queries.jsonl"), "utf8"))
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

let connection: Connection;

beforeAll(async () => {
  connection = pgliteConnection(await openTestDatabase());
  await loadBatch(connection, "grants", notices.records.map(toGrant));
  await loadNotices(connection, notices);
});
afterAll(() => connection.close());

/** Number of questions whose first record is graded, and whose first graded record shows a passage first that has at least the grade. */
async function countsOf(place: Place): Promise<{ first: number; answered: number; related: number }> {
  const results = await askNotices(connection, notices, place);
  const showing = (least: number) => results.filter(({ grade }) => (grade ?? 0) >= least).length;
  return { first: results.filter(({ isFirst }) => isFirst).length, answered: showing(2), related: showing(1) };
}

describe("the questions over notices", () => {
  test("are fifty, a fifth of which title and summary answer, and a fifth in words that the answers lack", () => {
    expect(notices.queries).toHaveLength(50);
    expect(questions.filter(({ summary }) => summary).length).toBeGreaterThanOrEqual(10);
    expect(questions.filter(({ words }) => words === "everyday").length).toBeGreaterThanOrEqual(10);
  });

  test("have grades of passages that exist, by two readings that agree well", async () => {
    const readings = await readReadings(noticesFolder);
    expect(notices.judgements).toEqual(settleGrades(readings));
    expect(agreementOf(readings.first, readings.second)).toMatchObject({ pairs: 653, kappa: expect.closeTo(0.81, 2) });
    expect(unsettledPairs(readings)).toEqual([]);
    const ids = new Set(notices.passages.map(({ id }) => id));
    for (const grades of notices.judgements.values()) {
      expect([...grades.keys()].filter((id) => !ids.has(id))).toEqual([]);
      expect(Math.max(...grades.values())).toBe(2);
      expect([...gradesOfRecords(grades).values()]).toContain(2);
    }
  });
});

/** Least numbers are a little below what was measured: 42, 22 and 34 in documents, 29 and 22 first in all. */
describe("a search for what the notices answer", () => {
  test("finds a graded record first in documents, and shows the passage that answers", async () => {
    const { first, answered, related } = await countsOf({ mode: "keyword", search_in: "documents" });
    expect(first).toBeGreaterThanOrEqual(40);
    expect(answered).toBeGreaterThanOrEqual(20);
    expect(related).toBeGreaterThanOrEqual(32);
  });

  test.each([
    ["keyword", 26],
    ["hybrid", 20],
  ] as const)("finds more in all than in records, %s", async (mode, least) => {
    const records = await countsOf({ mode, search_in: "records" });
    const all = await countsOf({ mode, search_in: "all" });
    expect(all.first).toBeGreaterThanOrEqual(least);
    expect(all.first).toBeGreaterThan(records.first);
  });
});
