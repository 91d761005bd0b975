import { setTimeout as sleep } from "node:timers/promises";
import { pgliteConnection } from "../../database/pglite.ts";
import { tablesToVacuum, vacuum } from "../../database/vacuum.ts";
import type { Log } from "../../shared/log/log.ts";
import type { SessionLock } from "./session.ts";

/** Time between two rounds: the default of Postgres' `autovacuum_naptime`. */
const defaultIntervalMs = 60_000;

/**
 * Vacuums and analyzes tables while the server runs, as Postgres' autovacuum does, which PGlite does not have. Without it the space of
 * deleted rows is not used again before the next fit, if at all, and a plan made while a table was small, which reads all of it, stays in use
 * until a restart.
 *
 * @returns stops it, after the table under way.
 */
export function startAutovacuum(lock: SessionLock, log: Log, intervalMs = defaultIntervalMs): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const done = (async () => {
    for (;;) {
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await runAutovacuum(lock, signal);
      } catch (error) {
        if (!signal.aborted) log.write("error", { function: "autovacuum", error: String(error) });
      }
    }
  })();
  return async () => {
    stopped.abort();
    await done;
  };
}

/** Vacuums each table that is due. Requests are answered between two tables. */
export async function runAutovacuum(lock: SessionLock, signal?: AbortSignal): Promise<void> {
  const wait = signal === undefined ? {} : { signal };
  const tables = await lock.run((database) => tablesToVacuum(pgliteConnection(database)), wait);
  for (const table of tables) {
    if (signal?.aborted) return;
    await lock.run((database) => vacuum(pgliteConnection(database), [table]), wait);
  }
}
