import { EmbeddingError } from "./errors.ts";

/**
 * Runs work that may take so long and no longer. Its signal aborts when the time is over, or when `parent` does;
 * whether or not it heeds that, it is not waited for.
 *
 * (`AbortSignal.timeout` would do the same, but its timer keeps a Deno process from ending.)
 *
 * @throws {EmbeddingError} `timeout`.
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
    return await Promise.race([work(controller.signal), aborted(controller.signal)]);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener("abort", stop);
  }
}

/** Waits, unless the signal aborts. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([over, aborted(signal)]).finally(() => clearTimeout(timer));
}

/** Never gives anything, and fails when the signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new EmbeddingError("timeout", "the provider did not answer in time"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
