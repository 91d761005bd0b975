import { batchesOf } from "../../ingest/batches.ts";
import { type Connection, queryOne, queryValue } from "../connection.ts";
import { withoutStatementTimeout } from "../without-statement-timeout.ts";
import type { Bm25Weights } from "./bm25-weights.ts";
import { datasets } from "./corpus.ts";
import type { Progress } from "./progress.ts";
import { buildVectorIndexes, dropInvalidIndexes, dropUnusedVectorIndexes } from "./vector-index.ts";

/** Statistics of the records that a fit was made on. */
export interface FitStatistics {
  documents: number;
  /** Words in a record, on average. */
  averageLength: number;
  dimensions: number;
  bm25: Bm25Weights;
}

/** A term of the lexicon. Without a vector, only keyword search uses it. The first dimensions of a vector say most. */
export interface LexiconTerm {
  term: string;
  documentFrequency: number;
  vector: Float32Array | null;
}

/** Batch size. It is small because a batch holds the embedded stack's only session: requests are served in between. */
const batchSize = 500;

/**
 * Makes a fit in batches, beside the one in force, without blocking readers or writers: its lexicon, each record's vector with the
 * vector indexes, and a segment of all records. From the moment that its lexicon is complete, a writer of a record writes
 * its vector for both fits.
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
  const { fit } = await withoutStatementTimeout(connection, (transaction) =>
    queryOne<{ fit: string }>(transaction, "select funding.begin_fit($1, $2, $3, $4, $5, $6, true) as fit", [
      statistics.documents,
      statistics.averageLength,
      statistics.dimensions,
      statistics.bm25.k1,
      statistics.bm25.b,
      statistics.bm25.titleWeight,
    ]),
  );
  // Only now: no other fit can come into force any more, so the tables that are not searched stay so.
  await dropInvalidIndexes(connection);
  await dropUnusedVectorIndexes(connection);
  progress.step("storing the lexicon");
  for (const batch of batchesOf(terms, batchSize)) {
    await connection.query("select funding.prepare_terms($1, $2, $3, $4)", [
      fit,
      batch.map(({ term }) => term),
      batch.map(({ documentFrequency }) => documentFrequency),
      batch.map(({ vector }) => (vector === null ? null : toVectorText(vector))),
    ]);
  }
  await connection.execute("analyze funding.lexicon");
  // They may store vectors of a fit that was broken off.
  await waitForEarlierWriters(connection, progress);
  await withoutStatementTimeout(connection, (transaction) =>
    transaction.query("select funding.start_filling($1)", [fit]),
  );
  // They do not know of the new lexicon.
  await waitForEarlierWriters(connection, progress);
  await prepareVectors(connection, fit, statistics.documents, progress);
  const vectors = await queryValue<number>(connection, "select vectors from funding.fit_in_preparation($1)", [fit]);
  await buildVectorIndexes(connection, vectors, progress);
  progress.step("preparing the inverted index and the bitmaps");
  for (const dataset of datasets) await prepareSegment(connection, fit, dataset, progress);
  return fit;
}

/** Waits until the transactions that are writing now have ended. */
export async function waitForEarlierWriters(connection: Connection, progress: Progress): Promise<void> {
  const read = async () => {
    const rows = await connection.query<{ writers: string[] }>(
      "select funding.writers_of(dataset) as writers from unnest($1::text[]) as dataset",
      [[...datasets]],
    );
    return rows.flatMap(({ writers }) => writers);
  };
  let earlier = await read();
  for (let waits = 0; earlier.length > 0; waits++) {
    if (waits === 10) progress.step("waiting for another transaction to end");
    await pause();
    const writing = new Set(await read());
    earlier = earlier.filter((writer) => writing.has(writer));
  }
}

async function prepareVectors(
  connection: Connection,
  fit: string,
  documents: number,
  progress: Progress,
): Promise<void> {
  let total = 0;
  for (const dataset of datasets) {
    let after: number | null = 0;
    while (after !== null) {
      const batch: { prepared: number; last_slot: number | null } = await queryOne(
        connection,
        "select prepared::int, last_slot from funding.prepare_vectors($1, $2, $3, $4)",
        [fit, dataset, after, batchSize],
      );
      total += batch.prepared;
      after = batch.last_slot;
      progress.count("preparing records", total, Math.max(total, documents));
    }
  }
  // A writer that was changing a record while its vector was being made did not see the vector, and could not delete it.
  await waitForEarlierWriters(connection, progress);
  for (const dataset of datasets) {
    await withoutStatementTimeout(connection, (transaction) =>
      transaction.query("select funding.prune_vectors($1, vectors) from funding.next_fit where id = $2", [
        dataset,
        fit,
      ]),
    );
  }
}

async function prepareSegment(connection: Connection, fit: string, dataset: string, progress: Progress): Promise<void> {
  for (let tries = 0; ; tries++) {
    const slot = await queryValue<number | null>(connection, "select funding.last_slot_to_prepare($1)", [dataset]);
    if (slot !== null) {
      await withoutStatementTimeout(connection, (transaction) =>
        transaction.query("select funding.prepare_postings($1, $2, $3)", [fit, dataset, slot]),
      );
      break;
    }
    if (tries === 10) progress.step("waiting for another transaction to end");
    await pause();
  }
  await withoutStatementTimeout(connection, (transaction) =>
    transaction.query("select funding.prepare_bitmaps($1, $2)", [fit, dataset]),
  );
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

/**
 * Minimum of a component; smaller ones are written as 0. Queries multiply vectors by small numbers, and pgvector raises
 * an error when a product underflows.
 */
const minComponent = 1e-20;

/** Formats a vector as pgvector reads it. A halfvec keeps less than five digits. */
function toVectorText(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => (Math.abs(value) < minComponent ? "0" : value.toPrecision(5))).join(",")}]`;
}
