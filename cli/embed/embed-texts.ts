import { EmbeddingError } from "../../shared/embeddings/errors.ts";
import type { EmbeddingProvider } from "../../shared/embeddings/provider.ts";
import { type RetryPolicy, withRetries } from "../../shared/embeddings/retry.ts";
import type { Vector } from "../../shared/embeddings/vector.ts";

/** Long backoff for bulk runs, for which nobody waits: a provider's limits by the minute end within one pause. */
export const bulkRetryPolicy: RetryPolicy = {
  attempts: 8,
  attemptTimeoutMs: 60_000,
  firstPauseMs: 1_000,
  longestPauseMs: 120_000,
};

/** A text of this length is within every model's limit. A provider that refuses it has another reason. */
const shortestCutCharacters = 250;

/**
 * Embeds texts within the provider's limits, which need not be known: a batch that it refuses is halved, and a single
 * text that it refuses is cut to its first half.
 *
 * @throws {EmbeddingError} when the provider still refuses, or fails for longer than the policy allows.
 */
export async function embedTexts(
  provider: EmbeddingProvider,
  texts: readonly string[],
  policy: RetryPolicy,
  signal: AbortSignal,
  report: (error: EmbeddingError, pauseMs: number) => void,
): Promise<Vector[]> {
  const retry = (some: readonly string[]) => embedTexts(provider, some, policy, signal, report);
  try {
    return await withRetries((limit) => provider.embed(texts, limit), policy, signal, report);
  } catch (error) {
    if (!(error instanceof EmbeddingError && error.failure === "refused")) throw error;
    const [text = "", ...others] = texts;
    if (others.length > 0) {
      const half = Math.ceil(texts.length / 2);
      return [...(await retry(texts.slice(0, half))), ...(await retry(texts.slice(half)))];
    }
    if (text.length > shortestCutCharacters) return retry([text.slice(0, Math.ceil(text.length / 2)).toWellFormed()]);
    throw new EmbeddingError(
      "refused",
      `${error.message}, even to this text alone: ${JSON.stringify(text.slice(0, 80))}. Perhaps it refuses the parameter dimensions: OPENAI_SEND_DIMENSIONS=false leaves it out`,
    );
  }
}
