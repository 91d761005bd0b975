import { Recent } from "../recent.ts";
import { type BreakerPolicy, CircuitBreaker } from "./circuit-breaker.ts";
import { withDeadline } from "./deadline.ts";
import { EmbeddingError } from "./errors.ts";
import { providerOf } from "./models.ts";
import type { EmbeddingPlatform, EmbeddingProvider } from "./provider.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";
import { vectorText } from "./vector.ts";

/** A query's vector, as pgvector's text, and the model that made it. */
export interface EmbeddedQuery {
  model: string;
  vector: string;
}

/** A text whose vector the database wants, and of which model. */
export interface WantedEmbedding {
  model: string;
  text: string;
}

/** The vector, or why there is none: in words for the operator, or undefined when the provider was not asked. */
export type QueryEmbedding = { ok: true; value: EmbeddedQuery } | { ok: false; reason: string | undefined };

/** Gets the vectors of queries for the models that run outside the database. */
export interface QueryEmbedder {
  /** The vector of a query that this process embedded lately. */
  remembered(query: string): EmbeddedQuery | undefined;
  /** Asks the model's provider, for as long as a client can be kept waiting. Never throws. */
  embed(query: string, wanted: WantedEmbedding): Promise<QueryEmbedding>;
}

export interface QueryEmbedderOptions {
  /** Longest time that a request spends on its vector, retries included. */
  budgetMs: number;
  retry: RetryPolicy;
  breaker: BreakerPolicy;
  /** Vectors kept in this process, some 3.5 KB each. */
  remembered: number;
  /** The clock of the circuit breaker, in milliseconds. */
  now(): number;
}

const defaults: QueryEmbedderOptions = {
  budgetMs: 3_000,
  retry: { attempts: 2, attemptTimeoutMs: 3_000, firstPauseMs: 100, longestPauseMs: 500 },
  breaker: { failures: 3, openMs: 15_000, longestOpenMs: 60_000 },
  remembered: 500,
  now: Date.now,
};

/** @param options what differs from the defaults above. */
export function createQueryEmbedder(
  platform: EmbeddingPlatform,
  options: Partial<QueryEmbedderOptions> = {},
): QueryEmbedder {
  const { budgetMs, retry, breaker, remembered, now } = { ...defaults, ...options };
  const recent = new Recent<EmbeddedQuery>(remembered);
  // The operator changes the model while we run, so there can be more than one.
  const models = new Recent<{ provider: EmbeddingProvider; circuit: CircuitBreaker }>(8);

  function modelNamed(model: string) {
    const known = models.get(model);
    if (known !== undefined) return known;
    const made = { provider: providerOf(model, platform), circuit: new CircuitBreaker(breaker, now) };
    models.set(model, made);
    return made;
  }

  async function embed({ model, text }: WantedEmbedding): Promise<QueryEmbedding> {
    const { provider, circuit } = modelNamed(model);
    if (!circuit.admits()) return { ok: false, reason: undefined };
    try {
      const [vector = []] = await withDeadline(budgetMs, undefined, (limit) =>
        withRetries((signal) => provider.embed([text], signal), retry, limit),
      );
      circuit.succeeded();
      return { ok: true, value: { model, vector: vectorText(vector) } };
    } catch (error) {
      const { failure, message, retryAfterMs } = error as EmbeddingError;
      // A text that the provider does not take says nothing of the next one.
      if (failure === "refused") circuit.succeeded();
      else circuit.failed(retryAfterMs);
      return { ok: false, reason: `${model}: ${message}` };
    }
  }

  return {
    remembered: (query) => recent.get(query),
    async embed(query, wanted) {
      try {
        const embedding = await embed(wanted);
        if (embedding.ok) recent.set(query, embedding.value);
        return embedding;
      } catch (error) {
        return { ok: false, reason: error instanceof EmbeddingError ? error.message : "the provider cannot be used" };
      }
    },
  };
}
