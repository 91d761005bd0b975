import { EmbeddingError } from "./errors.ts";
import { openaiProvider } from "./openai.ts";
import type { EmbeddingPlatform, EmbeddingProvider } from "./provider.ts";

/** Model whose vectors the database makes itself. */
export const lexiconModel = "lexicon";

/** OpenAI's model where none is named. */
export const defaultOpenAiModel = "text-embedding-3-small";

/**
 * Creates the provider of an external model.
 *
 * @param model the database's name of it: `openai/text-embedding-3-small`. The model's own name may have slashes.
 * @throws {EmbeddingError} `unconfigured` when no provider has the model.
 */
export function createProvider(model: string, platform: EmbeddingPlatform): EmbeddingProvider {
  const name = /^openai\/(.+)$/s.exec(model)?.[1];
  if (name === undefined) throw new EmbeddingError("unconfigured", `no provider has a model ${model}`);
  return openaiProvider(name, platform);
}
