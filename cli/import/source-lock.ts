import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, queryValue } from "../../database/connection.ts";
import { dataFolderPath } from "../../local/caller-path.mjs";
import { createFolderLock } from "../../local/embedded/data-folder.ts";
import { isEmbedded, openDatabase } from "../database.ts";

/** Another import of the source did not end in time. */
export class SourceBusyError extends Error {}

export interface SourceLockOptions {
  /** The Postgres server, or undefined for the embedded database in the data folder. */
  databaseUrl: string | undefined;
  /** Ends the wait. */
  signal?: AbortSignal;
  /** Called once, when another import of the source is running. */
  onWait?(): void;
  /** @default an hour */
  maxWaitMs?: number;
}

/** Lock of a source, which only one import has at a time. */
interface SourceLock {
  /** Locks the source, unless another import has locked it; returns whether it did. */
  tryLock(): Promise<boolean>;
  /** Unlocks the source. Never fails. */
  release(): Promise<void>;
}

const hourMs = 3_600_000;
const pauseMs = 500;
/** Time between two statements on the lock's connection: a network that drops silent connections would leave the lock to nobody. */
const heartbeatMs = 30_000;
/**
 * `show` takes no snapshot, unlike `select 1`: an index that this import's refit builds concurrently waits for the end of each transaction that has one
 * when it looks, and this one ends after it.
 */
export const heartbeat = "show transaction_isolation";
const closeTimeoutMs = 5_000;

/**
 * Waits until no other import of a source is running, and makes later ones wait: of two at once, the one with the older list would archive
 * records that the other brings.
 *
 * @returns a function that releases the lock. The lock also ends with the process, or five minutes after the server last heard of this process.
 * @throws {SourceBusyError} when another import is still running after `maxWaitMs`.
 */
export async function acquireSourceLock(source: string, options: SourceLockOptions): Promise<() => Promise<void>> {
  const { databaseUrl, signal, onWait, maxWaitMs = hourMs } = options;
  const lock =
    databaseUrl === undefined ? lockInFolder(source) : lockInDatabase(await openDatabase(databaseUrl), source);
  try {
    const startMs = Date.now();
    for (let tries = 0; !(await lock.tryLock()); tries++) {
      if (tries === 0) onWait?.();
      if (Date.now() - startMs >= maxWaitMs) {
        throw new SourceBusyError(
          `Another import of ${source} is still running: nothing was imported. Run the same command again when it has ended.`,
        );
      }
      await sleep(pauseMs, undefined, { signal });
    }
    return () => lock.release();
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** A lock of the operating system, for all that use the embedded database of this data folder. */
function lockInFolder(source: string): SourceLock {
  const lock = createFolderLock(dataFolderPath(), `import-${source}.lock`);
  return { tryLock: async () => lock.tryLock(), release: async () => lock.release() };
}

/**
 * A lock in a transaction of its own, which stays open: a pooler in transaction mode keeps a server's connection for it. The transaction reads
 * nothing, so it holds up neither vacuum nor indexes that are built concurrently. The server ends it five minutes after the last statement, so it
 * does not outlive a machine that went away.
 */
function lockInDatabase(connection: Connection, source: string): SourceLock {
  let beating: ReturnType<typeof setInterval> | undefined;
  return {
    async tryLock() {
      // All clients of the embedded database share one session, which an open transaction would keep from them: there is no lock.
      if (await isEmbedded(connection)) return true;
      await connection.execute("begin");
      await connection.query(
        `select set_config(name, case name when 'transaction_timeout' then '0' else '5min' end, true) from pg_settings
         where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`,
      );
      const locked = await queryValue<boolean>(connection, "select funding.lock_source($1)", [source]);
      if (!locked) await connection.execute("rollback");
      else beating = setInterval(() => connection.query(heartbeat).catch(() => undefined), heartbeatMs);
      return locked;
    },
    async release() {
      clearInterval(beating);
      await Promise.race([connection.close(), sleep(closeTimeoutMs, undefined, { ref: false })]).catch(() => undefined);
    },
  };
}
