/**
 * Reasons why a provider returned no vectors:
 * - `unconfigured`: this deployment cannot use the model (no key, a wrong one, an unknown model, another runtime)
 * - `refused`: the provider does not accept these texts (400, 413, 422)
 * - `unsuitable`: the model's vectors do not fit the database's columns
 * - `failed`: the provider failed, perhaps at these texts (424, 500)
 * - `overloaded`: too many requests, or the provider is down (408, 409, 429, other 5xx)
 * - `unreachable`: no connection could be made, or it broke
 * - `timeout`: no answer in time
 * - `invalid`: the answer breaks the protocol, or does not fit the request
 */
export type EmbeddingFailure =
  | "unconfigured"
  | "refused"
  | "unsuitable"
  | "failed"
  | "overloaded"
  | "unreachable"
  | "timeout"
  | "invalid";

/** A provider's failure. The message is our own: it repeats neither the provider's words nor the texts that were sent. */
export class EmbeddingError extends Error {
  constructor(
    readonly failure: EmbeddingFailure,
    message: string,
    /** Pause that the provider asked for, if it did. */
    readonly retryAfterMs?: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Whether the same request may succeed a little later. */
export function isTransient(failure: EmbeddingFailure): boolean {
  return ["failed", "overloaded", "unreachable", "timeout", "invalid"].includes(failure);
}
