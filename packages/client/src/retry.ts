/** When and how often a request is sent again. */
export interface RetryOptions {
  /** Most times that a request is sent, the first included. Default 3; 1 never retries. */
  maximumAttempts?: number;
  /**
   * Longest wait before a request is sent again, in milliseconds. Default 30,000. Where the API asks for a longer one,
   * as it does when a day's quota is used up, its answer is given at once.
   */
  maximumWaitMs?: number;
}

const retriedStatuses = new Set([429, 503]);
const firstWaitMs = 500;

/**
 * A `fetch` that sends a request again when the answer is 429 or 503, after the time that `Retry-After` names or, where
 * it names none, after twice the time before, spread by chance. A request's signal ends the wait as it ends the request.
 */
export function retrying(
  send: typeof fetch,
  { maximumAttempts = 3, maximumWaitMs = 30_000 }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const response = await send(attempt < maximumAttempts ? request.clone() : request);
      if (attempt >= maximumAttempts || !retriedStatuses.has(response.status)) return response;
      const waitMs = waitOf(response, attempt);
      if (waitMs > maximumWaitMs) return response;
      await response.body?.cancel();
      await pause(waitMs, request.signal);
    }
  };
}

function waitOf(response: Response, attempt: number): number {
  const named = response.headers.get("retry-after");
  if (named !== null && /^\d+$/.test(named)) return Number(named) * 1000;
  const moment = named === null ? Number.NaN : Date.parse(named);
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
