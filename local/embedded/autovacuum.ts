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
  let isStopped = false;
  let round: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    round = round
      .then(() => runAutovacuum(lock, () => isStopped))
      .catch((error) => {
        log.write("error", { function: "autovacuum", error: String(error) });
      });
  }, intervalMs);
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await round;
  };
}

/** Vacuums each table that is due. Requests are answered between two tables. */
export async function runAutovacuum(lock: SessionLock, isStopped = () => false): Promise<void> {
  const tables = await lock.run((database) => tablesToVacuum(pgliteConnection(database)));
  for (const table of tables) {
    if (isStopped()) return;
    await lock.run((database) => vacuum(pgliteConnection(database), [table]));
  }
}
