import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** The data folder cannot be used. The message is for the person at the terminal: what is wrong and what to do. */
export class DataFolderError extends Error {}

/** Major version of the Postgres in PGlite. It cannot open a folder of another major version. */
const postgresVersion = "18";

/** Path of a file that marks a database that is being made: one that an interrupted start or restore left has no data yet. */
export const creatingMarker = (path: string): string => join(path, "creating-database");

/** Data folder that this process has locked. */
export interface DataFolder {
  path: string;
  /** Folder of PGlite's files. */
  databasePath: string;
  /** Publishes the addresses of the running server to other processes, in `server.json`. */
  announce(running: RunningServer): void;
  /** Unlocks the folder. */
  release(): void;
}

/** Addresses of a server that runs on a data folder. */
export interface RunningServer {
  database_url: string;
  /** Address of its pages: `http://127.0.0.1:54321/`. */
  page_url: string;
  /** Absent where an earlier version runs. */
  process_id?: number;
}

/**
 * Locks a data folder for this process, creating it if need be. The lock is the operating system's (`flock`), so it ends with
 * the process, however that ends.
 *
 * @throws {DataFolderError} when the folder is not writable, in use, or of another version.
 */
export function lockDataFolder(path: string): DataFolder {
  const lock = openLock(path);
  if (!lock.tryLockSync(true)) {
    lock.close();
    const running = readAddresses(path);
    const user = running === undefined ? "another process" : `the server at ${running.page_url}${processOf(running)}`;
    throw new DataFolderError(
      `The data folder ${path} is in use by ${user}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
  // A killed server leaves its addresses behind, and another program may use its port by now.
  rmSync(join(path, "server.json"), { force: true });
  const databasePath = join(path, "postgres");
  try {
    if (hasForeignFiles(path, databasePath)) {
      throw new DataFolderError(
        `The data folder ${path} has a folder postgres with files of something else. Set DATA_DIR to another folder.`,
      );
    }
    restrictToOwner(path, databasePath);
  } catch (error) {
    lock.close();
    if (error instanceof DataFolderError) throw error;
    throw new DataFolderError(
      `The data folder ${path} belongs to another user, or its mode cannot be changed: ${(error as Error).message}. Set DATA_DIR to another folder.`,
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

/** Whether the folder of the database has files, and neither a database nor the beginnings of one. */
function hasForeignFiles(path: string, databasePath: string): boolean {
  if (existsSync(join(databasePath, "PG_VERSION")) || existsSync(creatingMarker(path))) return false;
  return existsSync(databasePath) && readdirSync(databasePath).length > 0;
}

/** Lock on a file of a data folder, for processes that share its database. It is the operating system's (`flock`), so it ends with the process. */
export interface FolderLock {
  /** Locks the file for this process alone, unless another has locked it; returns whether it did. */
  tryLock(): boolean;
  /** Locks the file with others that share it. Waits for one that has it alone. */
  share(): void;
  release(): void;
}

/** Opens a lock of a data folder. @throws {DataFolderError} when the folder is not writable. */
export function createFolderLock(path: string, name: string): FolderLock {
  const lock = openLock(path, name);
  return {
    tryLock: () => lock.tryLockSync(true),
    share: () => lock.lockSync(false),
    release: () => lock.close(),
  };
}

/** Addresses of the server that runs on a data folder, or undefined when none is running. */
export function runningServer(path: string): RunningServer | undefined {
  const running = readAddresses(path);
  if (running === undefined) return undefined;
  // The file outlives a killed server; the lock does not.
  const lock = openLock(path);
  const isFree = lock.tryLockSync(true);
  lock.close();
  return isFree ? undefined : running;
}

/** ` (process 123)`. */
export function processOf({ process_id }: RunningServer): string {
  return process_id === undefined ? "" : ` (process ${process_id})`;
}

function readAddresses(path: string): RunningServer | undefined {
  const text = readText(join(path, "server.json"));
  return text === undefined ? undefined : (JSON.parse(text) as RunningServer);
}

/**
 * Restricts the modes of folders that may have existed before: other users of this machine can neither read the database nor
 * replace it with files of their own. A sticky folder (`/tmp`) prevents the replacement by itself.
 */
function restrictToOwner(path: string, databasePath: string): void {
  mkdirSync(databasePath, { recursive: true, mode: 0o700 });
  chmodSync(databasePath, 0o700);
  const { mode } = statSync(path);
  const isSticky = (mode & 0o1000) !== 0;
  if ((mode & 0o022) !== 0 && !isSticky) chmodSync(path, mode & 0o7755);
}

/** Writes a file whole or not at all, readable by its owner alone. It is on the disk before it has its name. */
export function writePrivateFile(path: string, text: string): void {
  const file = openSync(`${path}.new`, "w", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}

function openLock(path: string, name = "lock"): Deno.FsFile {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return Deno.openSync(join(path, name), { create: true, read: true, write: true, mode: 0o600 });
  } catch (error) {
    throw new DataFolderError(
      `The data folder ${path} cannot be written: ${(error as Error).message}. Set DATA_DIR to another folder.`,
    );
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
