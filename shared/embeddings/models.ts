import { EmbeddingError } from "./errors.ts";
import { openaiProvider } from "./openai.ts";
import type { EmbeddingPlatform, EmbeddingProvider } from "./provider.ts";
import { supabaseProvider } from "./supabase.ts";
import { workersAiProvider } from "./workers-ai.ts";

/** Model whose vectors the database makes itself. */
export const lexiconModel = "lexicon";

/** Providers of vectors outside the database, each with its default model. */
export const defaultModels = {
  openai: "text-embedding-3-small",
  supabase: "gte-small",
  "workers-ai": "bge-small-en-v1.5",
} as const;

export type ExternalProviderName = keyof typeof defaultModels;

/** Returns the database's name of a model: `openai/text-embedding-3-small`. The model's own name may have slashes. */
export function modelKey(provider: ExternalProviderName, name: string): string {
  return `${provider}/${name}`;
}

/**
 * Creates the provider of an external model.
 *
 * @param model the database's name of it.
 * @throws {EmbeddingError} `unconfigured` when no provider has the model.
 */
export function createProvider(model: string, platform: EmbeddingPlatform): EmbeddingProvider {
  const [provider, ...rest] = model.split("/");
  const name = rest.join("/");
  if (name !== "" && provider === "openai") return openaiProvider(name, platform);
  if (name !== "" && provider === "supabase") return supabaseProvider(name, platform);
  if (name !== "" && provider === "workers-ai") return workersAiProvider(name, platform);
  throw new EmbeddingError("unconfigured", `no provider has a model ${model}`);
}
