import { type Connection, queryOne } from "../../database/connection.ts";
import type { Dataset } from "../../ingest/record.ts";
import type { EmbeddingError } from "../../shared/embeddings/errors.ts";
import type { EmbeddingProvider } from "../../shared/embeddings/provider.ts";
import type { RetryPolicy } from "../../shared/embeddings/retry.ts";
import { vectorText } from "../../shared/embeddings/vector.ts";
import { embedTexts, patience } from "./embed-texts.ts";
import { inTurn } from "./in-turn.ts";

export const defaultBatchSize = 100;
export const defaultConcurrency = 4;

/** What a run embeds, with what. */
export interface FillJob {
  connection: Connection;
  provider: EmbeddingProvider;
  /** The database's name for the provider's model. */
  model: string;
  batchSize: number;
  concurrency: number;
  policy?: RetryPolicy;
  /** Stops the run; what has been stored stays. */
  signal: AbortSignal;
  /** Told of each batch that has been stored. */
  stored(records: number): void;
  /** Told of each pause before the provider is asked again. */
  paused(error: EmbeddingError, pauseMs: number): void;
}

interface Batch {
  dataset: Dataset;
  records: { id: string; body: string; text_hash: string }[];
}

const datasets: readonly Dataset[] = ["grants", "contracts", "funders"];

/**
 * Embeds every record that lacks a vector of the model, several batches at a time, and stores each batch as it comes.
 *
 * @throws {EmbeddingError} when the provider cannot be brought to answer; the batches under way are given up.
 */
export async function fillVectors({ connection: shared, ...rest }: FillJob): Promise<void> {
  // A connection takes one statement at a time, and the workers share it.
  const alone = inTurn();
  const query: Connection["query"] = (text, parameters) => alone(() => shared.query(text, parameters));
  const job = { ...rest, connection: { ...shared, query } };
  const batches = batchesOf(job);
  const failed = new AbortController();
  const signal = AbortSignal.any([job.signal, failed.signal]);

  async function work(): Promise<void> {
    try {
      // All workers take from one generator, which gives each batch to one of them.
      for await (const batch of batches) await fillBatch(job, batch, signal);
    } catch (error) {
      // The first failure ends the others' work, and theirs come after it.
      if (!failed.signal.aborted) failed.abort(error);
    }
  }

  await Promise.all(Array.from({ length: job.concurrency }, work));
  signal.throwIfAborted();
}

async function fillBatch(job: FillJob, { dataset, records }: Batch, signal: AbortSignal): Promise<void> {
  const vectors = await embedTexts(
    job.provider,
    records.map(({ body }) => body),
    job.policy ?? patience,
    signal,
    job.paused,
  );
  const batch = records.map(({ id, text_hash }, index) => ({
    id,
    text_hash,
    vector: vectorText(vectors[index] ?? []),
  }));
  const { stored } = await queryOne<{ stored: number }>(
    job.connection,
    "select funding.store_embeddings($1, $2, $3::jsonb) as stored",
    [dataset, job.model, JSON.stringify(batch)],
  );
  job.stored(stored);
}

async function* batchesOf({ connection, model, batchSize }: FillJob): AsyncGenerator<Batch> {
  for (const dataset of datasets) {
    let after = "00000000-0000-0000-0000-000000000000";
    for (;;) {
      const records = await connection.query<Batch["records"][number]>(
        "select id, body, text_hash from funding.records_to_embed($1, $2, $3, $4)",
        [dataset, model, after, batchSize],
      );
      const last = records.at(-1);
      if (last === undefined) break;
      yield { dataset, records };
      after = last.id;
    }
  }
}
