import { rest, withDeadline } from "./deadline.ts";
import { EmbeddingError, isPassing } from "./errors.ts";

/** How patient a caller is with a provider. */
export interface RetryPolicy {
  /** How often to ask, the first time included. */
  attempts: number;
  /** Longest wait for one answer. */
  attemptTimeoutMs: number;
  /** The first pause. Each further one is twice as long. */
  firstPauseMs: number;
  /** The longest pause. A provider that wants a longer one is not asked again. */
  longestPauseMs: number;
}

/**
 * How long to wait before asking again, or undefined when there is no use in it. A pause that the provider asks
 * for is kept; others vary by a quarter, so that callers who failed together do not return together.
 *
 * @param attempt how often was asked, from 1.
 */
export function pauseMs(
  error: EmbeddingError,
  attempt: number,
  policy: RetryPolicy,
  random: () => number = Math.random,
): number | undefined {
  if (!isPassing(error.failure) || attempt >= policy.attempts) return undefined;
  const asked = error.retryAfterMs;
  if (asked !== undefined) return asked <= policy.longestPauseMs ? asked : undefined;
  const pause = Math.min(policy.firstPauseMs * 2 ** (attempt - 1), policy.longestPauseMs);
  return pause * (1 - random() / 4);
}

/**
 * Asks a provider until it answers, as far as the policy goes.
 *
 * @param ask one attempt. It is left alone when its signal aborts, whether or not it heeds it.
 * @param report is told of each pause.
 * @throws {EmbeddingError} the last attempt's, or `timeout` once `signal` has aborted.
 */
export async function withRetries<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  policy: RetryPolicy,
  signal: AbortSignal,
  report: (error: EmbeddingError, pauseMs: number) => void = () => undefined,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withDeadline(policy.attemptTimeoutMs, signal, ask);
    } catch (error) {
      const failure = error instanceof EmbeddingError ? error : unexplained(error);
      const pause = signal.aborted ? undefined : pauseMs(failure, attempt, policy);
      if (pause === undefined) throw failure;
      report(failure, pause);
      await rest(pause, signal);
    }
  }
}

function unexplained(cause: unknown): EmbeddingError {
  return new EmbeddingError("unconfigured", "the provider cannot be used", undefined, { cause });
}
