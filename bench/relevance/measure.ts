import type { Connection } from "../../database/connection.ts";
import { mean, percentile, round } from "../statistics.ts";
import type { Collection } from "./collection.ts";
import { ndcgAt, recallAt } from "./metrics.ts";
import { depth, type Mode } from "./modes.ts";

/** Results of a mode on a collection: means over its queries, and percentiles of the time of a query. */
export interface Measurement {
  collection: string;
  mode: string;
  ndcg_10: number;
  recall_100: number;
  p50_ms: number;
  p95_ms: number;
}

/** Result of one query in a mode. `first_relevant` is the rank of the first relevant document, null where none is among the results. */
export interface QueryMeasurement {
  collection: string;
  mode: string;
  id: string;
  query: string;
  ndcg_10: number;
  first_relevant: number | null;
}

const warmUpQueries = 5;

/**
 * Measures every query in every mode. The modes take turns for each query, so that other load on the machine affects all
 * of them alike.
 *
 * @param note called with the result of each query in each mode.
 */
export async function measure(
  connection: Connection,
  collection: Collection,
  modes: readonly Mode[],
  note: (result: QueryMeasurement) => void = () => undefined,
): Promise<Measurement[]> {
  const documentIds = await readDocumentIds(connection);
  const trials = modes.map((mode) => ({ mode, ndcg: [] as number[], recall: [] as number[], times: [] as number[] }));
  for (const { text } of collection.queries.slice(0, warmUpQueries)) {
    for (const mode of modes) await timeQuery(connection, mode, text);
  }
  for (const { id, text } of collection.queries) {
    const grades = collection.judgements.get(id) ?? new Map<string, number>();
    for (const { mode, ndcg, recall, times } of trials) {
      const { found, ms } = await timeQuery(connection, mode, text);
      const ranking = found.map((record) => documentIds.get(record) ?? record);
      const ndcg_10 = ndcgAt(ranking, grades, 10);
      const first = ranking.findIndex((document) => (grades.get(document) ?? 0) > 0);
      note({
        collection: collection.name,
        mode: mode.name,
        id,
        query: text,
        ndcg_10: round(ndcg_10, 2),
        first_relevant: first < 0 ? null : first + 1,
      });
      ndcg.push(ndcg_10);
      recall.push(recallAt(ranking, grades, depth));
      times.push(ms);
    }
  }
  return trials.map(({ mode, ndcg, recall, times }) => ({
    collection: collection.name,
    mode: mode.name,
    ndcg_10: round(mean(ndcg), 4),
    recall_100: round(mean(recall), 4),
    p50_ms: round(percentile(times, 0.5), 2),
    p95_ms: round(percentile(times, 0.95), 2),
  }));
}

async function timeQuery(connection: Connection, mode: Mode, query: string): Promise<{ found: string[]; ms: number }> {
  const known = await mode.prepare?.(connection, query);
  const start = performance.now();
  const found = await mode.search(connection, query, known);
  return { found, ms: performance.now() - start };
}

/** Returns the worst tenth of the results of a mode, the worst first: by nDCG@10, then by the rank of the first relevant document. */
export function worstTenth(results: readonly QueryMeasurement[], mode: string): QueryMeasurement[] {
  const rank = ({ first_relevant }: QueryMeasurement) => first_relevant ?? Number.POSITIVE_INFINITY;
  const ofMode = results.filter((result) => result.mode === mode);
  return ofMode
    .sort((one, other) => one.ndcg_10 - other.ndcg_10 || (rank(one) < rank(other) ? 1 : -1))
    .slice(0, Math.ceil(ofMode.length / 10));
}

/** Reads the collection's document ids by the ids of the records. */
async function readDocumentIds(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection.query<{ id: string; source_id: string }>("select id, source_id from funding.grants");
  return new Map(rows.map(({ id, source_id }) => [id, source_id]));
}
