import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { variable } from "../../shared/platform/environment.ts";
import { callerPath } from "../caller-path.ts";

/** The data folder cannot be used; the message says why, for the person at the terminal. */
export class DataFolderError extends Error {}

/** The Postgres major version inside PGlite. A folder of another one cannot be opened. */
const postgresVersion = "18";

/** A data folder that belongs to this process until it ends. */
export interface DataFolder {
  path: string;
  /** Where PGlite keeps its files. */
  databasePath: string;
  /** Tells other processes where the running server and its database can be reached. */
  announce(running: RunningServer): void;
  release(): void;
}

/** Where a server that runs on a data folder can be reached. */
export interface RunningServer {
  database_url: string;
  /** Where its pages are: `http://127.0.0.1:54321/`. */
  page_url: string;
}

/** Where data lives: `DATA_DIR`, in the caller's folder; by default `.data` in the project's, under npm. */
export function dataFolderPath(): string {
  const given = variable("DATA_DIR");
  return resolve(given === undefined ? ".data" : callerPath(given));
}

/**
 * Takes a data folder, creating it if need be. The lock is the operating system's and goes with the
 * process, however it ends.
 *
 * @throws {DataFolderError} when it is not writable, in use, or of another version.
 */
export function takeDataFolder(path: string): DataFolder {
  const lock = openLock(path);
  if (!lock.tryLockSync(true)) {
    lock.close();
    throw new DataFolderError(
      `The data folder ${path} is in use by another process. Stop it, or set DATA_DIR to another folder.`,
    );
  }
  // A server that was killed leaves it behind, and its port may be another's by now.
  rmSync(join(path, "server.json"), { force: true });
  const databasePath = join(path, "postgres");
  try {
    keepFromOtherUsers(path, databasePath);
  } catch (error) {
    lock.close();
    throw new DataFolderError(
      `The data folder ${path} belongs to another user, or its mode cannot be changed: ${(error as Error).message}`,
    );
  }
  const version = readText(join(databasePath, "PG_VERSION"))?.trim();
  if (version !== undefined && version !== postgresVersion) {
    lock.close();
    throw new DataFolderError(
      `The data folder ${path} was made by Postgres ${version}; this version reads ${postgresVersion}. Set DATA_DIR to another folder.`,
    );
  }
  return {
    path,
    databasePath,
    announce: (running) => writeFileSync(join(path, "server.json"), JSON.stringify(running), { mode: 0o600 }),
    release() {
      rmSync(join(path, "server.json"), { force: true });
      lock.close();
    },
  };
}

/** Where the server that runs on a data folder can be reached, or undefined when none is running. */
export function runningServer(path: string): RunningServer | undefined {
  const text = readText(join(path, "server.json"));
  if (text === undefined) return undefined;
  // The file outlives a server that was killed; its lock does not.
  const lock = openLock(path);
  const isFree = lock.tryLockSync(true);
  lock.close();
  return isFree ? undefined : (JSON.parse(text) as RunningServer);
}

/**
 * Keeps other users of this machine from reading the database, and from putting files of theirs in its place, whatever
 * mode a folder has that was there before. A sticky folder (`/tmp`) keeps them from the second by itself.
 */
function keepFromOtherUsers(path: string, databasePath: string): void {
  mkdirSync(databasePath, { recursive: true, mode: 0o700 });
  chmodSync(databasePath, 0o700);
  const { mode } = statSync(path);
  const isSticky = (mode & 0o1000) !== 0;
  if ((mode & 0o022) !== 0 && !isSticky) chmodSync(path, mode & 0o7755);
}

function openLock(path: string): Deno.FsFile {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return Deno.openSync(join(path, "lock"), { create: true, read: true, write: true });
  } catch (error) {
    throw new DataFolderError(`The data folder ${path} cannot be written: ${(error as Error).message}`);
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
