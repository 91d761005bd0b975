import { type Connection, queryValue } from "../../database/connection.ts";
import { readBatchesById } from "../../ingest/batches.ts";
import { type Dataset, datasets } from "../../shared/datasets.ts";
import type { EmbeddingError } from "../../shared/embeddings/errors.ts";
import type { EmbeddingProvider } from "../../shared/embeddings/provider.ts";
import type { RetryPolicy } from "../../shared/embeddings/retry.ts";
import { vectorText } from "../../shared/embeddings/vector.ts";
import { bulkRetryPolicy, embedAll } from "./embed-all.ts";

export const defaultBatchSize = 100;
export const defaultConcurrency = 4;

/** A bulk run of embedding. */
export interface FillJob {
  connection: Connection;
  provider: EmbeddingProvider;
  /** The database's name for the provider's model. */
  model: string;
  batchSize: number;
  concurrency: number;
  policy?: RetryPolicy;
  /** Stops the run. Vectors already stored stay. */
  signal: AbortSignal;
  /** Called after each stored batch. */
  onStored(texts: number): void;
  /** Called before each pause of a retry. */
  onPause(error: EmbeddingError, pauseMs: number): void;
}

interface Batch {
  dataset: Dataset;
  /** Texts of the records: their own, and those of their passages. */
  texts: { id: string; passage: number; body: string; text_hash: string }[];
}

/**
 * Embeds every text that lacks a vector of the model, several batches at a time, and stores each batch when its
 * vectors arrive.
 *
 * @throws {EmbeddingError} when the provider does not answer for longer than the retry policy allows. The batches in
 *   progress are lost.
 */
export async function fillVectors({ connection: shared, ...rest }: FillJob): Promise<void> {
  // The workers share the connection, which takes one statement at a time.
  const runAlone = createMutex();
  const query: Connection["query"] = (text, parameters) => runAlone(() => shared.query(text, parameters));
  const job = { ...rest, connection: { ...shared, query } };
  const batches = readBatches(job);
  const failed = new AbortController();
  const signal = AbortSignal.any([job.signal, failed.signal]);

  async function work(): Promise<void> {
    try {
      // All workers share one generator, so each batch goes to one worker.
      for await (const batch of batches) await fillBatch(job, batch, signal);
    } catch (error) {
      // The first failure is kept. It aborts the other workers, whose own failures follow from it.
      if (!failed.signal.aborted) failed.abort(error);
    }
  }

  await Promise.all(Array.from({ length: job.concurrency }, work));
  // Where that fails, dispatchers go on five minutes later.
  await job.connection.query("select funding.hold_embeddings($1, 0, 0, true)", [job.model]).catch(() => undefined);
  signal.throwIfAborted();
}

async function fillBatch(job: FillJob, { dataset, texts }: Batch, signal: AbortSignal): Promise<void> {
  const { vectors, tokens, requests } = await embedAll(
    job.provider,
    texts.map(({ body }) => body),
    job.policy ?? bulkRetryPolicy,
    signal,
    job.onPause,
  );
  const batch = texts.map(({ body: _, ...text }, index) => ({
    ...text,
    vector: vectorText(vectors[index] ?? []),
  }));
  const stored = await queryValue<number>(job.connection, "select funding.store_embeddings($1, $2, $3::jsonb)", [
    dataset,
    job.model,
    JSON.stringify(batch),
  ]);
  await holdDispatchers(job, tokens, requests);
  job.onStored(stored);
}

/** Notes what was spent, and keeps dispatchers from embedding the same records meanwhile, if they do. */
async function holdDispatchers({ connection, model }: FillJob, tokens: number, requests: number): Promise<void> {
  await connection.query("select funding.hold_embeddings($1, $2, $3)", [model, tokens, requests]);
}

async function* readBatches(job: FillJob): AsyncGenerator<Batch> {
  const { connection, model, batchSize } = job;
  await holdDispatchers(job, 0, 0);
  for (const dataset of datasets) {
    const batches = readBatchesById((after) =>
      connection.query<Batch["texts"][number]>(
        "select id, passage, body, text_hash from funding.texts_lacking_vectors($1, $2, $3, $4)",
        [dataset, model, after, batchSize],
      ),
    );
    for await (const texts of batches) yield { dataset, texts };
  }
}

/** Returns a function that runs one piece of work at a time, in the order of the calls. */
function createMutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
