import type { EmbeddingPlatform } from "../embeddings/provider.ts";

/** A process of our own, under Deno or Node: the embedded stack and the commands. */
export const processPlatform: EmbeddingPlatform = { variable: (name) => process.env[name] || undefined };
