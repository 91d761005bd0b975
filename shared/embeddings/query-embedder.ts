import { LruCache } from "../lru-cache.ts";
import { type BreakerPolicy, CircuitBreaker } from "./circuit-breaker.ts";
import { EmbeddingError } from "./errors.ts";
import { createProvider } from "./models.ts";
import type { EmbeddedQuery, EmbeddingPlatform, EmbeddingProvider, WantedEmbedding } from "./provider.ts";
import { type RetryPolicy, withDeadline, withRetries } from "./retry.ts";
import { vectorText } from "./vector.ts";

/** The embedding, or the reason that there is none, for the operator; undefined where the provider was not called. */
export type QueryEmbedding = { ok: true; value: EmbeddedQuery } | { ok: false; reason: string | undefined };

/** Embeds queries with the models that run outside the database. */
export interface QueryEmbedder {
  /** Returns the cached embedding of a query. */
  getCached(query: string): EmbeddedQuery | undefined;
  /** Calls the model's provider, for as long as a client can wait. Never throws. */
  embed(query: string, wanted: WantedEmbedding): Promise<QueryEmbedding>;
}

export interface QueryEmbedderOptions {
  /** Longest time for a query's embedding, retries included. */
  budgetMs: number;
  retry: RetryPolicy;
  breaker: BreakerPolicy;
  /** Embeddings cached in this process, some 3.5 KB each. */
  cacheSize: number;
  /** Clock of the circuit breaker, in milliseconds. */
  now(): number;
}

const defaults: QueryEmbedderOptions = {
  budgetMs: 3_000,
  retry: { attempts: 2, attemptTimeoutMs: 3_000, firstPauseMs: 100, longestPauseMs: 500 },
  breaker: { failures: 3, openMs: 15_000, longestOpenMs: 60_000 },
  cacheSize: 500,
  now: Date.now,
};

/**
 * Creates the query embedder of a platform.
 *
 * @param options settings that differ from the defaults above.
 */
export function createQueryEmbedder(
  platform: EmbeddingPlatform,
  options: Partial<QueryEmbedderOptions> = {},
): QueryEmbedder {
  const { budgetMs, retry, breaker, cacheSize, now } = { ...defaults, ...options };
  const cache = new LruCache<EmbeddedQuery>(cacheSize);
  // The operator may change the model while this process runs, so there can be more than one.
  const models = new LruCache<{ provider: EmbeddingProvider; circuit: CircuitBreaker }>(8);

  function getModel(model: string) {
    const cached = models.get(model);
    if (cached !== undefined) return cached;
    const created = { provider: createProvider(model, platform), circuit: new CircuitBreaker(breaker, now) };
    models.set(model, created);
    return created;
  }

  async function embed({ model, text }: WantedEmbedding): Promise<QueryEmbedding> {
    const { provider, circuit } = getModel(model);
    if (!circuit.admits()) return { ok: false, reason: undefined };
    try {
      const { vectors } = await withDeadline(budgetMs, undefined, (limit) =>
        withRetries((signal) => provider.embed([text], signal), retry, limit),
      );
      circuit.succeeded();
      return { ok: true, value: { model, vector: vectorText(vectors[0] ?? []) } };
    } catch (error) {
      const { failure, message, retryAfterMs } = error as EmbeddingError;
      // A refused text does not mean that the next one is refused.
      if (failure === "refused") circuit.succeeded();
      else circuit.failed(retryAfterMs);
      return { ok: false, reason: `${model}: ${message}` };
    }
  }

  return {
    getCached: (query) => cache.get(query),
    async embed(query, wanted) {
      try {
        const embedding = await embed(wanted);
        if (embedding.ok) cache.set(query, embedding.value);
        return embedding;
      } catch (error) {
        return { ok: false, reason: error instanceof EmbeddingError ? error.message : "the provider cannot be used" };
      }
    },
  };
}
