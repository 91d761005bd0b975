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

const warmUpQueries = 5;

/**
 * Measures every query in every mode. The modes take turns for each query, so that other load on the machine affects all
 * of them alike.
 */
export async function measure(
  connection: Connection,
  collection: Collection,
  modes: readonly Mode[],
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
      ndcg.push(ndcgAt(ranking, grades, 10));
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

/** Reads the collection's document ids by the ids of the records. */
async function readDocumentIds(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection.query<{ id: string; source_id: string }>("select id, source_id from funding.grants");
  return new Map(rows.map(({ id, source_id }) => [id, source_id]));
}
