import { cpSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { closeAfter } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import type { DataFolder } from "./data-folder.ts";

/**
 * Copies a database's files while a server runs on them. The server's one session is held meanwhile, so requests wait for the time
 * of a copy on the disk. PGlite writes nothing outside a session, so the copy is the state of one moment, which starts as after a
 * crash.
 *
 * @param databaseUrl address of the running server's database.
 * @param from folder of the database's files.
 * @param to a folder that is not there yet.
 */
export async function copyRunningDatabase(databaseUrl: string, from: string, to: string): Promise<void> {
  await closeAfter(await connectPostgres(databaseUrl), async (connection) => {
    // Before the copy, so that little of the write-ahead log has to be replayed.
    await connection.execute("checkpoint");
    await connection.transaction(async () => copyFolder(from, to));
  });
}

/** With the ending of a copy that was interrupted. */
const upgradeCopyName = /^postgres-before-\d+(\.unfinished)?$/;

/** Removes the copies that upgrades of a data folder have left. */
export function removeUpgradeCopies(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (upgradeCopyName.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Copies the database of a data folder, whose session nothing uses meanwhile, before an upgrade. An interrupted upgrade left the
 * database as it was, so the copy that it made stays.
 *
 * @param last the last migration that the database has.
 * @returns the copy's path.
 */
export function copyBeforeUpgrade(folder: DataFolder, last: string): string {
  const copy = join(folder.path, `postgres-before-${last}`);
  if (!existsSync(copy)) copyFolder(folder.databasePath, copy);
  return copy;
}

/** Copies a folder: it appears whole or not at all. */
export function copyFolder(from: string, to: string): void {
  const unfinished = `${to}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(from, unfinished, { recursive: true, preserveTimestamps: true });
  renameSync(unfinished, to);
}
