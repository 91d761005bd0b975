import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import { applyDueDates } from "../../functions/dispatch/due-dates.ts";
import { type SegmentSizes, sealingMs, sealRecords } from "../../functions/dispatch/sealing.ts";
import type { Senders } from "../../functions/dispatch/senders.ts";
import type { Runtime } from "../../shared/runtime.ts";

/** Wait after a failed run. */
const retryDelayMs = 5_000;
/** Requests wait while the one session makes a segment: about a second for so many slots. */
const segments: SegmentSizes = { sealed: 500, merged: 2_000 };

/**
 * Sends webhooks and digests, and has records embedded, while the server runs: one run of the dispatcher without end, and another after one that
 * failed. The end of a run waits for its attempts, so that runs of a minute would leave everybody waiting for a slow receiver each minute.
 *
 * @returns stops the loop. Attempts under way are aborted, and made again at the next start.
 */
export function startDispatchLoop({
  database,
  webhooks,
  mail,
  embedding,
  log,
}: Runtime & Senders): () => Promise<void> {
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await dispatch({
          database,
          webhooks,
          mail,
          embedding,
          log,
          budgetMs: Number.POSITIVE_INFINITY,
          signal: stopped.signal,
          stay: true,
          segments,
        });
      } catch (error) {
        log.write("error", { function: "dispatch", error: String(error) });
        await pause(retryDelayMs, stopped.signal);
      }
    }
  })();
  return async () => {
    stopped.abort();
    await done;
  };
}

/**
 * Indexes new records while a server runs that sends nothing, so that its searches stay fast, and lets dates act that have come. It does nothing else
 * of the dispatcher's work. In particular it deletes no row past its retention, since a copy of a service is to have what the service had.
 *
 * @returns stops the loop, after the call under way.
 */
export function startUpkeepLoop({ database, log }: Pick<Runtime, "database" | "log">): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const done = (async () => {
    while (!signal.aborted) {
      try {
        while (!signal.aborted && (await applyDueDates({ database, log })).found > 0);
      } catch (error) {
        log.write("error", { function: "dispatch", error: String(error) });
      }
      await sealRecords({ database, log, isOver: () => signal.aborted }, segments);
      await pause(sealingMs, signal);
    }
  })();
  return async () => {
    stopped.abort();
    await done;
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}
