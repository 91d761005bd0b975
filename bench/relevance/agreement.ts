import { join } from "node:path";
import type { Judgements } from "./collection.ts";
import { readJudgements } from "./read-collection.ts";

/** Both readings of a collection's pooled pairs, and the grades settled afterwards. */
export type Readings = Record<"first" | "second" | "settled", Judgements>;

/** Reads `readings/*.tsv` of a collection's folder. */
export async function readReadings(folder: string): Promise<Readings> {
  const readings: Readings = { first: new Map(), second: new Map(), settled: new Map() };
  for (const [name, judgements] of Object.entries(readings)) {
    await readJudgements(join(folder, "readings", `${name}.tsv`), judgements);
  }
  return readings;
}

/** How far two readings of the same records agree. */
export interface Agreement {
  /** Pairs of query and record that both readings graded. */
  pairs: number;
  /** Share of them with equal grades. */
  equal: number;
  /** Share of those that either reading found relevant, with equal grades. Most pairs are 0 in both, which is easy. */
  equal_of_relevant: number;
  /** Cohen's kappa with linear weights: 1 for equal grades, 0 for what chance gives. */
  kappa: number;
}

/** Cohen's weighted kappa (1968) of grades, and shares of equal ones. Pairs that only one reading has do not count. */
export function agreementOf(first: Judgements, second: Judgements): Agreement {
  const pairs = [...first].flatMap(([query, grades]) =>
    [...grades].flatMap(([record, one]) => {
      const other = second.get(query)?.get(record);
      return other === undefined ? [] : [[one, other] as const];
    }),
  );
  const relevant = pairs.filter(([one, other]) => one > 0 || other > 0);
  return {
    pairs: pairs.length,
    equal: shareOfEqual(pairs),
    equal_of_relevant: shareOfEqual(relevant),
    kappa: linearKappa(pairs),
  };
}

type Pair = readonly [number, number];

function shareOfEqual(pairs: readonly Pair[]): number {
  return pairs.length === 0 ? 1 : pairs.filter(([one, other]) => one === other).length / pairs.length;
}

/** 1 less the distance of the grades, over that of grades drawn independently from what each reading gave. */
function linearKappa(pairs: readonly Pair[]): number {
  const observed = pairs.reduce((sum, [one, other]) => sum + Math.abs(one - other), 0) / pairs.length;
  const others = countsOf(pairs.map(([, other]) => other));
  let expected = 0;
  for (const [one, times] of countsOf(pairs.map(([grade]) => grade))) {
    for (const [other, otherTimes] of others) expected += times * otherTimes * Math.abs(one - other);
  }
  return expected === 0 ? 1 : 1 - observed / (expected / pairs.length ** 2);
}

function countsOf(grades: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const grade of grades) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  return counts;
}

/**
 * The grades that count: the mean of both readings, rounded down, and in place of it what was settled afterwards.
 *
 * @param settled grades of pairs that the readings do not have, or on which they were far apart.
 */
export function settleGrades({ first, second, settled }: Readings): Judgements {
  const final: Judgements = new Map();
  const setGrade = (query: string, record: string, grade: number) =>
    final.set(query, (final.get(query) ?? new Map<string, number>()).set(record, grade));
  for (const [query, grades] of first) {
    for (const [record, one] of grades) {
      setGrade(query, record, Math.floor((one + (second.get(query)?.get(record) ?? one)) / 2));
    }
  }
  for (const [query, grades] of settled) {
    for (const [record, grade] of grades) setGrade(query, record, grade);
  }
  return final;
}

/** Pairs, as "query record", whose grades are two or more apart and that nobody has settled. */
export function unsettledPairs({ first, second, settled }: Readings): string[] {
  return [...first].flatMap(([query, grades]) =>
    [...grades]
      .filter(([record, grade]) => Math.abs(grade - (second.get(query)?.get(record) ?? 0)) >= 2)
      .filter(([record]) => settled.get(query)?.has(record) !== true)
      .map(([record]) => `${query} ${record}`),
  );
}
