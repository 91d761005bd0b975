import type { Connection } from "../../database/connection.ts";
import type { Collection } from "./collection.ts";
import { mean, ndcgAt, percentile, recallAt } from "./metrics.ts";
import { depth, type Mode } from "./modes.ts";

/** What one mode did on one collection: means over its queries, and times a query. */
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
 * Asks every query in every mode, the modes in turn for each query, so that whatever else the
 * machine does meets them alike.
 */
export async function measure(
  connection: Connection,
  collection: Collection,
  modes: readonly Mode[],
): Promise<Measurement[]> {
  const names = await documentNames(connection);
  const trials = modes.map((mode) => ({ mode, ndcg: [] as number[], recall: [] as number[], times: [] as number[] }));
  for (const { text } of collection.queries.slice(0, warmUpQueries)) {
    for (const mode of modes) await timed(connection, mode, text);
  }
  for (const { id, text } of collection.queries) {
    const grades = collection.judgements.get(id) ?? new Map<string, number>();
    for (const { mode, ndcg, recall, times } of trials) {
      const { found, ms } = await timed(connection, mode, text);
      const ranking = found.map((record) => names.get(record) ?? record);
      ndcg.push(ndcgAt(ranking, grades, 10));
      recall.push(recallAt(ranking, grades, depth));
      times.push(ms);
    }
  }
  return trials.map(({ mode, ndcg, recall, times }) => ({
    collection: collection.name,
    mode: mode.name,
    ndcg_10: rounded(mean(ndcg), 4),
    recall_100: rounded(mean(recall), 4),
    p50_ms: rounded(percentile(times, 0.5), 2),
    p95_ms: rounded(percentile(times, 0.95), 2),
  }));
}

async function timed(connection: Connection, mode: Mode, query: string): Promise<{ found: string[]; ms: number }> {
  const known = await mode.beforehand?.(connection, query);
  const start = performance.now();
  const found = await mode.ask(connection, query, known);
  return { found, ms: performance.now() - start };
}

/** The collection's own name of each record. */
async function documentNames(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection.query<{ id: string; source_id: string }>("select id, source_id from funding.grants");
  return new Map(rows.map(({ id, source_id }) => [id, source_id]));
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
