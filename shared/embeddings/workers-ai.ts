import { estimateTokens } from "./embed-texts.ts";
import { EmbeddingError, type EmbeddingFailure } from "./errors.ts";
import type { EmbeddingPlatform, EmbeddingProvider } from "./provider.ts";
import { defaultSize, readVector } from "./vector.ts";

/** Length at which texts are cut: the models read 512 tokens. */
const textCharacters = 1_800;

/** Provider that runs a model of Workers AI by the Worker's binding `AI`, such as `bge-small-en-v1.5` of BAAI. No other platform has it. */
export function workersAiProvider(name: string, { workersAi }: EmbeddingPlatform): EmbeddingProvider {
  return {
    async embed(texts, signal) {
      if (workersAi === undefined) {
        throw new EmbeddingError(
          "unconfigured",
          `the model ${name} runs on Cloudflare Workers with the binding AI only`,
        );
      }
      const text = texts.map((text) => text.slice(0, textCharacters).toWellFormed());
      const answer = await workersAi.run(`@cf/baai/${name}`, { text, pooling: "cls" }).catch((error: unknown) => {
        throw toEmbeddingError(error);
      });
      if (signal.aborted) throw new EmbeddingError("timeout", "the model did not answer in time");
      const { data } = answer as { data?: unknown };
      if (!Array.isArray(data) || data.length !== texts.length) {
        throw new EmbeddingError("invalid", "the answer does not have a vector for each text");
      }
      return { vectors: data.map((vector) => readVector(vector, defaultSize)), tokens: estimateTokens(text) };
    },
  };
}

/** Codes with which messages of Workers AI begin; the others are of its load. */
const failures: Readonly<Record<string, EmbeddingFailure>> = {
  "3003": "refused",
  "3006": "refused",
  "5004": "refused",
  "5006": "refused",
  "3023": "unconfigured",
  "3042": "unconfigured",
  "5007": "unconfigured",
};

/** Turns the binding's error into ours, without its words, which may repeat the texts. */
function toEmbeddingError(error: unknown): EmbeddingError {
  const [, code = ""] = /(?:^|\s)(\d{4}):/.exec((error as Error).message) ?? [];
  return new EmbeddingError(failures[code] ?? "overloaded", `Workers AI failed${code && ` with ${code}`}`);
}
