import type { Connection } from "../../database/connection.ts";
import type { EmbeddingError } from "../../shared/embeddings/errors.ts";
import { createProvider } from "../../shared/embeddings/models.ts";
import type { Vector } from "../../shared/embeddings/vector.ts";
import { processPlatform } from "../../shared/platform/environment.ts";
import { printStep } from "../command.ts";
import { UsageError } from "../options.ts";
import { changeOver } from "./change-over.ts";
import { bulkRetryPolicy, embedAll } from "./embed-all.ts";
import { defaultBatchSize, defaultConcurrency, fillVectors } from "./fill.ts";

/** @throws {UsageError} unless the model can be called from a command. */
export function requireCallable(model: string): void {
  if (!model.startsWith("openai/")) {
    throw new UsageError("--model must be openai/NAME: other models cannot be called from here.");
  }
}

/**
 * Embeds a scratch database's records with a model from outside the database, and makes search use it.
 *
 * @param queries texts to embed as well.
 * @returns the queries' vectors, in their order.
 */
export async function adoptModel(connection: Connection, model: string, queries: readonly string[]): Promise<Vector[]> {
  const provider = createProvider(model, processPlatform);
  const signal = new AbortController().signal;
  const report = (error: EmbeddingError, pauseMs: number) =>
    printStep(`${error.message}; retrying in ${pauseMs / 1_000} s`);
  printStep(`embedding with ${model}`);
  await fillVectors({
    connection,
    provider,
    model,
    batchSize: defaultBatchSize,
    concurrency: defaultConcurrency,
    signal,
    onStored: () => undefined,
    onPause: report,
  });
  await changeOver(connection, model);
  const vectors: Vector[] = [];
  for (let start = 0; start < queries.length; start += defaultBatchSize) {
    const texts = queries.slice(start, start + defaultBatchSize);
    vectors.push(...(await embedAll(provider, texts, bulkRetryPolicy, signal, report)).vectors);
  }
  return vectors;
}
