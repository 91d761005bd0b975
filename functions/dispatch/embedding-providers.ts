import type { EmbeddingPlatform } from "../../shared/embeddings/provider.ts";

/** Providers of vectors that this deployment can ask, by the names that models begin with. */
export function availableProviders({ variable, localModel, workersAi }: EmbeddingPlatform): string[] {
  return [
    ...((variable("OPENAI_API_KEY") ?? variable("OPENAI_BASE_URL")) ? ["openai"] : []),
    ...(localModel === undefined ? [] : ["supabase"]),
    ...(workersAi === undefined ? [] : ["workers-ai"]),
  ];
}
