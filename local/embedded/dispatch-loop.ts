import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import type { SegmentSizes } from "../../functions/dispatch/sealing.ts";
import type { Runtime } from "../../shared/runtime.ts";

/** Wait after a failed run. */
const retryDelayMs = 5_000;
/** Requests wait while the one session makes a segment: about a second for so many slots. */
const segments: SegmentSizes = { sealed: 500, merged: 2_000 };

/**
 * Sends webhooks and digests while the server runs: one run of the dispatcher without end, and another after one that failed. The end of a run
 * waits for its attempts, so that runs of a minute would leave everybody waiting for a slow receiver each minute.
 *
 * @returns stops the loop. Attempts under way are aborted, and made again at the next start.
 */
export function startDispatchLoop({ database, webhooks, mail, log }: Runtime): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await dispatch({
          database,
          webhooks,
          mail,
          log,
          budgetMs: Number.POSITIVE_INFINITY,
          signal: stopped.signal,
          stay: true,
          segments,
        });
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
    const timer = setTimeout(end, retryDelayMs);
    signal.addEventListener("abort", end, { once: true });
  });
}
