import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join, relative } from "node:path";
import { closeAfter } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { createFolderLock, type DataFolder } from "./data-folder.ts";
import { unfinishedEnding, upgradeCopyPath } from "./upgrade-copies.ts";

/** Length and time of a file's last change, by path within its folder. */
type Seen = Map<string, { size: number; mtimeMs: number }>;

/** A file that was changed so recently might be changed again without another time. */
const clockMs = 1_000;

/**
 * Copies a database's files while a server runs on them. PGlite writes nothing outside its one session, so with that session held the
 * files are those of one moment, and the copy starts as after a crash. All files are copied first without the session; those that have
 * changed meanwhile are copied again with it: requests wait only for the second part.
 *
 * @param databaseUrl address of the running server's database.
 * @param from folder of the database's files.
 * @param to an empty folder.
 * @returns milliseconds for which requests waited.
 */
export async function copyRunningDatabase(databaseUrl: string, from: string, to: string): Promise<number> {
  return closeAfter(await connectPostgres(databaseUrl), async (connection) => {
    // Before the copy, so that little of the write-ahead log has to be replayed.
    await connection.execute("checkpoint");
    const seen = copyFiles(from, to, new Map());
    return connection.transaction(async (transaction) => {
      await transaction.execute("select 1");
      const startedMs = performance.now();
      const current = copyFiles(from, to, seen);
      for (const path of listFiles(to)) {
        if (!current.has(relative(to, path))) rmSync(path);
      }
      return performance.now() - startedMs;
    });
  });
}

/** Name of a folder that a command copies the running server's database to. */
const copyName = /^database-copy-\w{6}$/;
/** Lock that every command with a copy shares. */
const copyLock = "copy-lock";

/**
 * Makes an empty folder for a copy of the running server's database, after it has removed those that killed commands have left.
 *
 * @returns its path, and a function that ends the caller's claim to it; the end of the process ends it, too.
 */
export function makeCopyFolder(folder: string): { path: string; release(): void } {
  removeAbandonedCopies(folder);
  const lock = createFolderLock(folder, copyLock);
  lock.share();
  return { path: mkdtempSync(join(folder, "database-copy-")), release: lock.release };
}

/** Removes the copies of commands that were killed: all there are, unless a command has one now. */
export function removeAbandonedCopies(folder: string): void {
  const lock = createFolderLock(folder, copyLock);
  try {
    if (!lock.tryLock()) return;
    for (const name of readdirSync(folder)) {
      if (copyName.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}

/** Copies the files that are not as they were `seen`. A file that goes meanwhile is left out. @returns those there are now. */
function copyFiles(from: string, to: string, seen: Seen): Seen {
  const startedMs = Date.now();
  const current: Seen = new Map();
  for (const path of listFiles(from)) {
    const name = relative(from, path);
    const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { size: -1, mtimeMs: 0 };
    if (size < 0) continue;
    current.set(name, { size, mtimeMs: mtimeMs > startedMs - clockMs ? -1 : mtimeMs });
    const before = seen.get(name);
    if (before?.size === size && before.mtimeMs === mtimeMs) continue;
    mkdirSync(join(to, name, ".."), { recursive: true, mode: 0o700 });
    try {
      copyFileSync(path, join(to, name));
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") throw error;
    }
  }
  // Postgres wants its empty folders, too.
  for (const folder of listFolders(from)) mkdirSync(join(to, relative(from, folder)), { recursive: true, mode: 0o700 });
  return current;
}

/** Waits until the disk has a file. */
function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function* listFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listFiles(path);
    else yield path;
  }
}

function* listFolders(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    yield join(folder, entry.name);
    yield* listFolders(join(folder, entry.name));
  }
}

/**
 * Copies the database of a data folder, whose session nothing uses meanwhile, before an upgrade. The copy takes the place of that
 * of an earlier attempt, since when the database may have been used.
 *
 * @param last the last migration that the database has.
 * @returns the copy's path.
 */
export function copyBeforeUpgrade(folder: DataFolder, last: string): string {
  const copy = upgradeCopyPath(folder.path, last);
  // The copy appears whole or not at all.
  const unfinished = `${copy}${unfinishedEnding}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  try {
    copyFiles(folder.databasePath, unfinished, new Map());
    for (const path of listFiles(unfinished)) syncFile(path);
  } catch (error) {
    // A full disk is no place for a part of a copy.
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  rmSync(copy, { recursive: true, force: true });
  renameSync(unfinished, copy);
  return copy;
}
