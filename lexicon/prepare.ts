import { type Connection, queryOne } from "../database/connection.ts";
import { withoutStatementTimeout } from "../database/without-statement-timeout.ts";
import { batchesOf } from "../ingest/batches.ts";
import type { Bm25Weights } from "./bm25-weights.ts";
import { datasets } from "./corpus.ts";
import type { Progress } from "./progress.ts";

/** Statistics of the records that a fit was made on. */
export interface FitStatistics {
  documents: number;
  /** Words in a record, on average. */
  averageLength: number;
  dimensions: number;
  bm25: Bm25Weights;
}

/** A term of the lexicon. Without a vector, only keyword search uses it. */
export interface LexiconTerm {
  term: string;
  documentFrequency: number;
  vector: Float32Array | null;
}

/** Batch size. It is small because a batch holds the embedded stack's only session: requests are served in between. */
const batchSize = 500;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Prepares a fit in batches, beside the current one, without blocking readers or writers. What was prepared for a record
 * is valid until the record changes.
 *
 * @returns the fit's id.
 * @throws {Error} with the code PT409 when another fit begins meanwhile.
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
  for (const batch of batchesOf(terms, batchSize)) {
    await connection.query("select funding.prepare_terms($1, $2, $3, $4)", [
      fit,
      batch.map(({ term }) => term),
      batch.map(({ documentFrequency }) => documentFrequency),
      batch.map(({ vector }) => (vector === null ? null : toVectorText(vector))),
    ]);
  }
  await connection.execute("analyze funding.next_lexicon");
  const prepared = await prepareRecords(connection, fit, (records) =>
    progress.count("preparing records", records, statistics.documents),
  );
  // Again for records that changed meanwhile, so that few are left for the adoption, during which writers wait.
  await prepareRecords(connection, fit, () => undefined);
  progress.step(`preparing the inverted index and the bitmaps of ${prepared} records`);
  for (const dataset of datasets) {
    for (const prepare of ["prepare_postings", "prepare_bitmaps"]) {
      await withoutStatementTimeout(connection, (transaction) =>
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

/**
 * Minimum of a component; smaller ones are written as 0. Queries multiply vectors by small numbers, and pgvector raises
 * an error when a product underflows.
 */
const minComponent = 1e-20;

/** Formats a vector as pgvector reads it. A halfvec keeps less than five digits. */
function toVectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => (Math.abs(value) < minComponent ? "0" : value.toPrecision(5))).join(",")}]`;
}
