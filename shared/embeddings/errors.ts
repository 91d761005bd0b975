/**
 * Why a provider gave no vectors:
 * - `unconfigured`: this deployment cannot use the model (no key, a wrong one, an unknown model, another runtime)
 * - `refused`: the provider does not take these texts (400, 413, 422)
 * - `unsuitable`: the model's vectors do not fit the database's columns
 * - `overloaded`: too many requests, or the provider failed (408, 409, 429, 5xx)
 * - `unreachable`: there was no connection, or it broke
 * - `timeout`: no answer in time
 * - `invalid`: the answer is not what the protocol says, or not what was asked
 */
export type EmbeddingFailure =
  | "unconfigured"
  | "refused"
  | "unsuitable"
  | "overloaded"
  | "unreachable"
  | "timeout"
  | "invalid";

/** A provider gave no vectors. The message is ours: nothing that the provider said or was told is in it. */
export class EmbeddingError extends Error {
  constructor(
    readonly failure: EmbeddingFailure,
    message: string,
    /** When the provider wants to be asked again, where it said so. */
    readonly retryAfterMs?: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The same request may succeed a little later. */
export function isPassing(failure: EmbeddingFailure): boolean {
  return ["overloaded", "unreachable", "timeout", "invalid"].includes(failure);
}
