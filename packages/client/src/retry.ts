/** Options of retries. */
export interface RetryOptions {
  /** Maximum number of attempts, including the first. Default 3; 1 never retries. */
  maximumAttempts?: number;
  /**
   * Maximum wait before a retry, in milliseconds. Default 30,000. If the API asks for a longer wait, as it does when a
   * day's quota is used up, its answer is returned at once.
   */
  maximumWaitMs?: number;
}

const retriedStatuses = new Set([429, 503]);
const firstWaitMs = 500;

/**
 * Returns a `fetch` that retries a request when the answer is 429 or 503: after the time in `Retry-After`, or without one
 * with exponential backoff and jitter. A request's signal also aborts the wait.
 */
export function withRetries(
  send: typeof fetch,
  { maximumAttempts = 3, maximumWaitMs = 30_000 }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const response = await send(attempt < maximumAttempts ? request.clone() : request);
      if (attempt >= maximumAttempts || !retriedStatuses.has(response.status)) return response;
      const waitMs = computeWaitMs(response, attempt);
      if (waitMs > maximumWaitMs) return response;
      await response.body?.cancel();
      await pause(waitMs, request.signal);
    }
  };
}

function computeWaitMs(response: Response, attempt: number): number {
  const named = response.headers.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(named)) return Number(named) * 1000;
  // Without letters, "-1" and the like would be read as a day of the past.
  const moment = /[a-z]/i.test(named) ? Date.parse(named) : Number.NaN;
  if (!Number.isNaN(moment)) return Math.max(0, moment - Date.now());
  return firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
