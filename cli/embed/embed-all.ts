import { embedTexts, estimateTokens } from "../../shared/embeddings/embed-texts.ts";
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

/**
 * Embeds texts, with retries.
 *
 * @throws {EmbeddingError} when the provider refuses a text, or fails for longer than the policy allows.
 */
export async function embedAll(
  provider: EmbeddingProvider,
  texts: readonly string[],
  policy: RetryPolicy,
  signal: AbortSignal,
  report: (error: EmbeddingError, pauseMs: number) => void,
): Promise<{ vectors: Vector[]; tokens: number; requests: number }> {
  const all = { vectors: [] as Vector[], tokens: 0, requests: 0 };
  const request = async (some: readonly string[]) => {
    const answer = await withRetries(
      (limit) => {
        all.requests += 1;
        return provider.embed(some, limit);
      },
      policy,
      signal,
      report,
    );
    all.tokens += answer.tokens ?? estimateTokens(some);
    return answer;
  };
  for await (const item of embedTexts(request, texts)) {
    if ("refusal" in item) throw refusedText(item.refusal, texts[item.first] ?? "");
    all.vectors.push(...item.vectors);
  }
  return all;
}

function refusedText({ message }: EmbeddingError, text: string): EmbeddingError {
  return new EmbeddingError(
    "refused",
    `${message}, even to this text alone: ${JSON.stringify(text.slice(0, 80))}. Perhaps it refuses the parameter dimensions: OPENAI_SEND_DIMENSIONS=false leaves it out`,
  );
}
