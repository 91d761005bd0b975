import { EmbeddingError } from "./errors.ts";
import type { Embeddings } from "./provider.ts";
import type { Vector } from "./vector.ts";

/** A text of this length is within every model's limit. A provider that refuses it has another reason. */
const shortestCutCharacters = 250;

/** English funding notices have between 4 and 5 characters a token, so an estimate is on the high side. */
export const charactersPerToken = 4;

/** Estimates the tokens of texts, as the database does when it reserves them. */
export function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + Math.ceil(length / charactersPerToken), 0);
}

/** Vectors of some texts, from the one at `first` on; or why the provider refuses the text at `first`. */
export type EmbeddedTexts = { first: number; vectors: readonly Vector[] } | { first: number; refusal: EmbeddingError };

/**
 * Embeds texts in their order within the provider's limits, which need not be known: a batch that it refuses is halved, and a single text that it
 * refuses is cut to its first half.
 *
 * @param request makes one request, with what attempts it takes.
 * @throws what `request` throws, unless texts are refused.
 */
export async function* embedTexts(
  request: (texts: readonly string[]) => Promise<Embeddings>,
  texts: readonly string[],
  first = 0,
): AsyncGenerator<EmbeddedTexts> {
  let refusal: EmbeddingError;
  try {
    const { vectors } = await request(texts);
    yield { first, vectors };
    return;
  } catch (error) {
    if (!(error instanceof EmbeddingError && error.failure === "refused")) throw error;
    refusal = error;
  }
  const [text = "", ...others] = texts;
  if (others.length > 0) {
    const half = Math.ceil(texts.length / 2);
    yield* embedTexts(request, texts.slice(0, half), first);
    yield* embedTexts(request, texts.slice(half), first + half);
  } else if (text.length > shortestCutCharacters) {
    yield* embedTexts(request, [text.slice(0, Math.ceil(text.length / 2)).toWellFormed()], first);
  } else {
    yield { first, refusal };
  }
}
