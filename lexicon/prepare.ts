import { type Connection, queryOne } from "../database/connection.ts";
import { unhurried } from "../database/unhurried.ts";
import type { Bm25Weights } from "./bm25-weights.ts";
import { datasets } from "./corpus.ts";
import type { Progress } from "./progress.ts";

/** What a fit says of the records it was made on. */
export interface FitStatistics {
  documents: number;
  /** Words in a record, on average. */
  averageLength: number;
  dimensions: number;
  bm25: Bm25Weights;
}

/** A term as the lexicon has it. Without a vector it counts for keyword search alone. */
export interface LexiconTerm {
  term: string;
  documentFrequency: number;
  vector: Float32Array | null;
}

/** Small enough that on the embedded stack, whose one session a batch holds, requests are served in between. */
const batchSize = 500;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Prepares a fit beside the one in force, in batches, without anybody waiting for it. What is prepared
 * of a record holds as long as nobody changes the record.
 *
 * @returns the fit's id.
 * @throws {Error} with the code PT409 when somebody else begins a fit meanwhile.
 */
export async function prepareFit(
  connection: Connection,
  statistics: FitStatistics,
  terms: Iterable<LexiconTerm>,
  progress: Progress,
): Promise<string> {
  const { fit } = await queryOne<{ fit: string }>(
    connection,
    "select funding.begin_fit($1, $2, $3, $4, $5, $6) as fit",
    [
      statistics.documents,
      statistics.averageLength,
      statistics.dimensions,
      statistics.bm25.k1,
      statistics.bm25.b,
      statistics.bm25.titleWeight,
    ],
  );
  progress.step("storing the lexicon");
  for (const batch of batches(terms, batchSize)) {
    await connection.query("select funding.prepare_terms($1, $2, $3, $4)", [
      fit,
      batch.map(({ term }) => term),
      batch.map(({ documentFrequency }) => documentFrequency),
      batch.map(({ vector }) => (vector === null ? null : textOf(vector))),
    ]);
  }
  await connection.execute("analyze funding.next_lexicon");
  const prepared = await prepareRecords(connection, fit, (records) =>
    progress.count("preparing records", records, statistics.documents),
  );
  // Those that changed while the rest was prepared, so that few are left for when writers wait.
  await prepareRecords(connection, fit, () => undefined);
  progress.step(`preparing the inverted index and the bitmaps of ${prepared} records`);
  for (const dataset of datasets) {
    for (const prepare of ["prepare_postings", "prepare_bitmaps"]) {
      await unhurried(connection, (transaction) =>
        transaction.query(`select funding.${prepare}($1, $2)`, [fit, dataset]),
      );
    }
  }
  await connection.execute("analyze funding.next_vectors");
  return fit;
}

async function prepareRecords(connection: Connection, fit: string, report: (records: number) => void): Promise<number> {
  let total = 0;
  for (const dataset of datasets) {
    let after: string | null = firstId;
    while (after !== null) {
      const batch: { prepared: number; last_id: string | null } = await queryOne(
        connection,
        "select prepared::int, last_id from funding.prepare_records($1, $2, $3, $4)",
        [fit, dataset, after, batchSize],
      );
      total += batch.prepared;
      after = batch.last_id;
      report(total);
    }
  }
  return total;
}

function* batches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Least size of a vector's number, below which it is written as 0: a product that a float cannot hold is an error to pgvector, and
 * queries multiply vectors by small numbers.
 */
const leastNumber = 1e-20;

/** A vector as pgvector reads it. Five digits are more than a halfvec keeps. */
function textOf(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => (Math.abs(value) < leastNumber ? "0" : value.toPrecision(5))).join(",")}]`;
}
