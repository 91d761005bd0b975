import { EmbeddingError } from "../../shared/embeddings/errors.ts";
import type { EmbeddingProvider } from "../../shared/embeddings/provider.ts";
import { type RetryPolicy, withRetries } from "../../shared/embeddings/retry.ts";
import type { Vector } from "../../shared/embeddings/vector.ts";

/** Nobody waits for a bulk run, so it is patient: limits by the minute are over after one of its pauses. */
export const patience: RetryPolicy = {
  attempts: 8,
  attemptTimeoutMs: 60_000,
  firstPauseMs: 1_000,
  longestPauseMs: 120_000,
};

/** A text this short is within every model's limit; a provider that refuses it has another reason. */
const shortestCut = 250;

/**
 * Embeds texts, however many and however long the provider takes at once: a batch that it refuses is halved, and a
 * single text that it refuses is cut to its first half.
 *
 * @throws {EmbeddingError} when it still refuses, or fails for longer than the policy allows.
 */
export async function embedTexts(
  provider: EmbeddingProvider,
  texts: readonly string[],
  policy: RetryPolicy,
  signal: AbortSignal,
  report: (error: EmbeddingError, pauseMs: number) => void,
): Promise<Vector[]> {
  const again = (some: readonly string[]) => embedTexts(provider, some, policy, signal, report);
  try {
    return await withRetries((limit) => provider.embed(texts, limit), policy, signal, report);
  } catch (error) {
    if (!(error instanceof EmbeddingError && error.failure === "refused")) throw error;
    const [text = "", ...others] = texts;
    if (others.length > 0) {
      const half = Math.ceil(texts.length / 2);
      return [...(await again(texts.slice(0, half))), ...(await again(texts.slice(half)))];
    }
    if (text.length > shortestCut) return again([text.slice(0, Math.ceil(text.length / 2)).toWellFormed()]);
    throw new EmbeddingError("refused", `${error.message}, even to this alone: ${JSON.stringify(text.slice(0, 80))}`);
  }
}
