import { EmbeddingError, isTransient } from "./errors.ts";

/** Attempts at calling a provider, and the pauses between them (backoff). */
export interface RetryPolicy {
  /** Limit of attempts, the first included. */
  attempts: number;
  /** Deadline of one attempt. */
  attemptTimeoutMs: number;
  /** First pause. Each further one is twice as long. */
  firstPauseMs: number;
  /** Longest pause. A provider that asks for a longer one is not called again. */
  longestPauseMs: number;
}

/**
 * Returns the pause before the next attempt, or undefined where another attempt is of no use. A pause that the provider
 * asked for is kept exactly. Others vary by a quarter (jitter), so that callers that failed together do not come back together.
 *
 * @param attempt number of the attempt that failed, from 1.
 */
export function pauseMs(
  error: EmbeddingError,
  attempt: number,
  policy: RetryPolicy,
  random: () => number = Math.random,
): number | undefined {
  if (!isTransient(error.failure) || attempt >= policy.attempts) return undefined;
  const requested = error.retryAfterMs;
  if (requested !== undefined) return requested <= policy.longestPauseMs ? requested : undefined;
  const pause = Math.min(policy.firstPauseMs * 2 ** (attempt - 1), policy.longestPauseMs);
  return pause * (1 - random() / 4);
}

/**
 * Calls a provider until it answers, as the policy allows.
 *
 * @param call makes one attempt. Once its signal aborts, the attempt is not waited for.
 * @param report is called before each pause.
 * @throws {EmbeddingError} the last attempt's error, or `timeout` once `signal` has aborted.
 */
export async function withRetries<Value>(
  call: (signal: AbortSignal) => Promise<Value>,
  policy: RetryPolicy,
  signal: AbortSignal,
  report: (error: EmbeddingError, pauseMs: number) => void = () => undefined,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withDeadline(policy.attemptTimeoutMs, signal, call);
    } catch (error) {
      const failure = error instanceof EmbeddingError ? error : wrapUnknown(error);
      const pause = signal.aborted ? undefined : pauseMs(failure, attempt, policy);
      if (pause === undefined) throw failure;
      report(failure, pause);
      await sleep(pause, signal);
    }
  }
}

/** Hides the message of an unexpected error, which may repeat the texts that were sent. */
function wrapUnknown(cause: unknown): EmbeddingError {
  return new EmbeddingError("unconfigured", "the provider cannot be used", undefined, { cause });
}

/**
 * Runs work with a deadline. The work's signal aborts at the deadline, or when `parent` aborts; from then on the work is
 * not waited for, whether or not it stops.
 *
 * (`AbortSignal.timeout` would do the same, but its timer keeps a Deno process from ending.)
 *
 * @throws {EmbeddingError} `timeout` at the deadline.
 */
export async function withDeadline<Value>(
  ms: number,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, ms);
  parent?.addEventListener("abort", stop);
  if (parent?.aborted) stop();
  try {
    return await Promise.race([work(controller.signal), rejectOnAbort(controller.signal)]);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener("abort", stop);
  }
}

/** Waits. Rejects as soon as the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([over, rejectOnAbort(signal)]).finally(() => clearTimeout(timer));
}

/** Returns a promise that never resolves and rejects when the signal aborts. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new EmbeddingError("timeout", "the provider did not answer in time"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
