import type { Vector } from "./vector.ts";

/** Makes the vectors of texts with one model, outside the database. */
export interface EmbeddingProvider {
  /**
   * Asks once, without retries.
   *
   * @returns a vector of length 1 for each text, in their order.
   * @throws {EmbeddingError}
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Vector[]>;
}

/** What providers need of the platform that they run on. */
export interface EmbeddingPlatform {
  /** A variable of the environment, or undefined when it is not set or empty. */
  variable(name: string): string | undefined;
  /** A model that the platform itself runs, on platforms that do. */
  localModel?(name: string): LocalModel;
}

/** A model inside Supabase's edge runtime. It takes one text at a time. */
export interface LocalModel {
  run(text: string, options: { mean_pool: boolean; normalize: boolean }): Promise<unknown>;
}
