import type { Runtime } from "../../shared/runtime.ts";
import { dispatch } from "../../shared/webhooks/dispatcher.ts";

/** How long a run looks for work before the next begins. */
const runMs = 60_000;
/** The wait after a run that failed. */
const pauseMs = 5_000;

/**
 * Sends webhooks for as long as the server runs, one run after the other.
 *
 * @returns how to stop: what is under way is given up, and attempted again at the next start.
 */
export function startDispatchTimer({ database, webhooks, log }: Runtime): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await dispatch({ database, webhooks, log, budgetMs: runMs, signal: stopped.signal, stay: true });
      } catch (error) {
        log.write("error", { function: "dispatch", error: String(error) });
        await pause(stopped.signal);
      }
    }
  })();
  return async () => {
    stopped.abort();
    await done;
  };
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, pauseMs);
    signal.addEventListener("abort", end, { once: true });
  });
}
