import { EmbeddingError } from "./errors.ts";
import { openaiProvider } from "./openai.ts";
import type { EmbeddingPlatform, EmbeddingProvider } from "./provider.ts";
import { supabaseProvider } from "./supabase.ts";
import { defaultSize } from "./vector.ts";
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

/** Sizes that a model's vectors may have. */
export const vectorSizes = { least: 256, most: 3_072 } as const;

/**
 * Returns the database's name of a model: `openai/text-embedding-3-small`, or `openai/text-embedding-3-large@1024` where its vectors have another
 * size than 384. The model's own name may have slashes.
 */
export function modelKey(provider: ExternalProviderName, name: string, size: number = defaultSize): string {
  return `${provider}/${name}${size === defaultSize ? "" : `@${size}`}`;
}

/** The parts of the database's name of an external model. */
interface ModelParts {
  provider: string;
  name: string;
  size: number;
}

function parseModelKey(model: string): ModelParts {
  const [, provider = "", name = "", size = defaultSize] = /^([^/]*)\/(.+?)(?:@(\d+))?$/s.exec(model) ?? [];
  return { provider, name, size: Number(size) };
}

/**
 * Creates the provider of an external model.
 *
 * @param model the database's name of it.
 * @throws {EmbeddingError} `unconfigured` when no provider has the model.
 */
export function createProvider(model: string, platform: EmbeddingPlatform): EmbeddingProvider {
  const { provider, name, size } = parseModelKey(model);
  if (provider === "openai") return openaiProvider(name, size, platform);
  if (provider === "supabase" && size === defaultSize) return supabaseProvider(name, platform);
  if (provider === "workers-ai" && size === defaultSize) return workersAiProvider(name, platform);
  throw new EmbeddingError("unconfigured", `no provider has a model ${model}`);
}
