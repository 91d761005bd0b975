import { EmbeddingError } from "./errors.ts";
import { openaiProvider } from "./openai.ts";
import type { EmbeddingPlatform, EmbeddingProvider } from "./provider.ts";
import { supabaseProvider } from "./supabase.ts";

/** The model whose vectors the database makes itself. */
export const lexiconModel = "lexicon";

/** Who makes vectors outside the database, and the model that each uses unless told otherwise. */
export const defaultModels = { openai: "text-embedding-3-small", supabase: "gte-small" } as const;

export type ExternalProviderName = keyof typeof defaultModels;

/** How the database names a model: `openai/text-embedding-3-small`. The name itself may have slashes. */
export function modelKey(provider: ExternalProviderName, name: string): string {
  return `${provider}/${name}`;
}

/**
 * The provider of an external model.
 *
 * @param model the database's name for it.
 * @throws {EmbeddingError} `unconfigured`, when nobody here provides it.
 */
export function providerOf(model: string, platform: EmbeddingPlatform): EmbeddingProvider {
  const [provider, ...rest] = model.split("/");
  const name = rest.join("/");
  if (name !== "" && provider === "openai") return openaiProvider(name, platform);
  if (name !== "" && provider === "supabase") return supabaseProvider(name, platform);
  throw new EmbeddingError("unconfigured", `no provider has a model ${model}`);
}
