import type { Vector } from "./vector.ts";

/** A vector of length 1 for each text, in the order of the texts. */
export interface Embeddings {
  vectors: Vector[];
  /** Tokens that the provider bills, where it says how many. */
  tokens?: number | undefined;
}

/** Embeds texts with one model, outside the database. */
export interface EmbeddingProvider {
  /**
   * Makes one attempt, without retries.
   *
   * @throws {EmbeddingError}
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
}

/** The part of a platform that providers need. */
export interface EmbeddingPlatform {
  /** Reads a variable of the environment; undefined where it is not set, or empty. */
  variable(name: string): string | undefined;
  /** Loads a model that the platform itself runs, if it runs any. */
  localModel?(name: string): LocalModel;
  /** Cloudflare's binding to Workers AI, on a Worker that has it. */
  workersAi?: WorkersAi;
}

/** Cloudflare's binding to Workers AI, as far as it embeds texts. */
export interface WorkersAi {
  run(model: string, input: { text: string[]; pooling: "cls" }): Promise<unknown>;
}

/** Model inside Supabase's edge runtime. It embeds one text at a time. */
export interface LocalModel {
  run(text: string, options: { mean_pool: boolean; normalize: boolean }): Promise<unknown>;
}

/** Embedding of a query, in pgvector's text form, and the model that made it. */
export interface EmbeddedQuery {
  model: string;
  vector: string;
}

/** Text whose embedding the database wants, and the model. */
export interface WantedEmbedding {
  model: string;
  text: string;
}
