import type { Connection } from "../../database/connection.ts";
import { mean, median, round } from "../statistics.ts";
import type { Collection } from "./collection.ts";
import { type Grades, ndcgAt } from "./metrics.ts";
import { changeSetting } from "./prepare.ts";

/** A part of a hybrid search, and the settings that leave it out. */
interface Part {
  name: string;
  without: Readonly<Record<string, unknown>>;
}

/** The parts, in the order in which a search runs them. */
export const parts: readonly Part[] = [
  { name: "spelling", without: { spelling_weight: 0 } },
  { name: "synonyms", without: { synonym_weight: 0 } },
  { name: "feedback", without: { feedback_weight: { default: 0, lexicon: 0 } } },
  { name: "third ranking", without: { fusion_sum_weight: 0 } },
  {
    name: "floors of meaning",
    without: { floor_similarity: { default: 0, lexicon: 0 }, semantic_share: 1 },
  },
  { name: "floor of keyword scores", without: { floor_keyword: 0 } },
];

/** What a part brings and costs on a collection. */
export interface PartMeasurement {
  collection: string;
  part: string;
  /** nDCG@10 of hybrid search with the part, without it, and the difference. */
  with: number;
  without: number;
  brings: number;
  /** Records found, the median, with the part and without: what floors are for. */
  found: number;
  found_without: number;
  /** Milliseconds of a search with the part, the median, and what the part takes of them: the median difference. */
  ms: number;
  costs_ms: number;
}

const shown = 10;
const rounds = 3;

interface Answer {
  ndcg: number;
  found: number;
  ms: number;
}

/**
 * Asks every query with a part and without it, one right after the other, so that other load on the machine affects both
 * alike. What is timed is `funding.ranked`: the ranking alone, of which nothing is cached.
 */
export async function measureParts(connection: Connection, collection: Collection): Promise<PartMeasurement[]> {
  const documents = await connection.query<{ id: string; source_id: string }>(
    "select id, source_id from funding.grants",
  );
  const names = new Map(documents.map(({ id, source_id }) => [id, source_id]));
  const ask = async (text: string, grades: Grades): Promise<Answer> => {
    const start = performance.now();
    const results = await connection.query<{ id: string; total: number }>(
      "select id, total::int from funding.ranked('grants', $1::jsonb, 'hybrid', null, $2)",
      [JSON.stringify({ search: text, search_mode: "hybrid" }), shown],
    );
    const ms = performance.now() - start;
    const ranking = results.map(({ id }) => names.get(id) ?? id);
    return { ms, ndcg: ndcgAt(ranking, grades, shown), found: results[0]?.total ?? 0 };
  };
  const measurements: PartMeasurement[] = [];
  for (const { name, without } of parts) {
    const defaults = await readSettings(connection, Object.keys(without));
    const askWithout = async (text: string, grades: Grades) => {
      await changeSettings(connection, without);
      const answer = await ask(text, grades);
      await changeSettings(connection, defaults);
      return answer;
    };
    const pairs: (readonly [Answer, Answer])[] = [];
    for (let turn = 0; turn < rounds; turn++) {
      for (const [index, { id, text }] of collection.queries.entries()) {
        const grades = collection.judgements.get(id) ?? new Map<string, number>();
        // In turns: the second of two is faster by what the first has brought into memory.
        if ((index + turn) % 2 === 0) {
          pairs.push([await ask(text, grades), await askWithout(text, grades)]);
        } else {
          const less = await askWithout(text, grades);
          pairs.push([await ask(text, grades), less]);
        }
      }
    }
    measurements.push({ collection: collection.name, part: name, ...measurementOf(pairs) });
  }
  return measurements;
}

function measurementOf(pairs: readonly (readonly [Answer, Answer])[]): Omit<PartMeasurement, "collection" | "part"> {
  const whole = mean(pairs.map(([answer]) => answer.ndcg));
  const without = mean(pairs.map(([, answer]) => answer.ndcg));
  return {
    ...{ with: round(whole, 4), without: round(without, 4), brings: round(whole - without, 4) },
    found: median(pairs.map(([answer]) => answer.found)),
    found_without: median(pairs.map(([, answer]) => answer.found)),
    ms: round(median(pairs.map(([answer]) => answer.ms)), 2),
    costs_ms: round(median(pairs.map(([one, other]) => one.ms - other.ms)), 2),
  };
}

/** Means of each part over the collections, which count alike. */
export function meansOfParts(measurements: readonly PartMeasurement[]): PartMeasurement[] {
  return parts.map(({ name }) => {
    const ofPart = measurements.filter(({ part }) => part === name);
    const meanOf = (column: keyof Omit<PartMeasurement, "collection" | "part">, digits: number) =>
      round(mean(ofPart.map((measurement) => measurement[column])), digits);
    return {
      ...{ collection: "mean", part: name },
      ...{ with: meanOf("with", 4), without: meanOf("without", 4), brings: meanOf("brings", 4) },
      ...{ found: meanOf("found", 0), found_without: meanOf("found_without", 0) },
      ...{ ms: meanOf("ms", 2), costs_ms: meanOf("costs_ms", 2) },
    };
  });
}

async function readSettings(connection: Connection, names: readonly string[]): Promise<Record<string, unknown>> {
  const rows = await connection.query<{ name: string; value: unknown }>(
    "select name, value from funding.settings where name = any ($1)",
    [names],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

async function changeSettings(connection: Connection, values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await changeSetting(connection, name, JSON.stringify(value));
}
