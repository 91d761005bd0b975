import { EmbeddingError } from "./errors.ts";
import type { EmbeddingPlatform, EmbeddingProvider, LocalModel } from "./provider.ts";
import { defaultSize, readVector, type Vector } from "./vector.ts";

/** Provider that runs a model inside Supabase's edge runtime, such as gte-small. No other platform has it. */
export function supabaseProvider(name: string, platform: EmbeddingPlatform): EmbeddingProvider {
  let model: LocalModel | undefined;
  return {
    async embed(texts, signal) {
      if (platform.localModel === undefined) {
        throw new EmbeddingError("unconfigured", `the model ${name} runs inside Supabase's edge runtime only`);
      }
      model ??= platform.localModel(name);
      const vectors: Vector[] = [];
      for (const text of texts) {
        if (signal.aborted) throw new EmbeddingError("timeout", "the model did not answer in time");
        vectors.push(readVector(await run(model, text), defaultSize));
      }
      return { vectors };
    },
  };
}

async function run(model: LocalModel, text: string): Promise<unknown> {
  try {
    return await model.run(text, { mean_pool: true, normalize: true });
  } catch {
    throw new EmbeddingError("failed", "the model failed");
  }
}
