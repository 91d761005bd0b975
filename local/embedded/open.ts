import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import {
  DroppedSchemaError,
  MigrationError,
  migrate,
  migrationState,
  NewerDatabaseError,
} from "../../database/migrate.ts";
import { hasDatabase, openPGlite, pgliteConnection } from "../../database/pglite.ts";
import type { DatabaseFault } from "../../database/pglite-faults.ts";
import { mendFunctions } from "../../database/schema-faults.ts";
import { creatingMarker, type DataFolder, DataFolderError } from "./data-folder.ts";
import { freeBytes, megabytes, openingBytes } from "./disk-room.ts";
import { copyBeforeUpgrade } from "./folder-copy.ts";
import { upgradeCopyDays } from "./upgrade-copies.ts";

/**
 * Opens the database in a data folder, applies this version's migrations, and mends its functions. Before it changes a database
 * that an earlier version made, it copies that within the data folder. A server that runs removes the copy after `upgradeCopyDays`.
 *
 * @param report takes lines for the operator, when the schema is not what its migrations made.
 * @param onFault called when Postgres ends within a statement. The database answers nothing from then on.
 * @throws {DataFolderError} when a newer version made the database, its schema was dropped, it cannot be read, or a migration
 *   fails: then it is as it was.
 */
export async function openEmbedded(
  folder: DataFolder,
  report: (lines: string[]) => void,
  onFault?: (fault: DatabaseFault) => void,
): Promise<PGlite> {
  requireRoom(folder);
  let database: PGlite;
  try {
    database = await openOrCreate(folder, onFault);
  } catch (error) {
    throw new DataFolderError(`The database in ${folder.path} cannot be opened: ${(error as Error).message}`);
  }
  try {
    const connection = pgliteConnection(database);
    const { last, missing } = await migrationState(connection);
    if (last !== undefined && missing > 0) {
      await connection.execute("checkpoint");
      report([
        `Upgrading the database by ${missing} migrations. ${keepCopy(folder, last)} is a copy of it as it was.`,
        `It is as large as the database, and is removed after ${upgradeCopyDays} days.`,
      ]);
    }
    await migrate(connection);
    const lines = last === undefined ? [] : await mendFunctions(connection);
    if (lines.length > 0) report(lines);
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof NewerDatabaseError) {
      throw new DataFolderError(
        `The data folder ${folder.path} was made by a newer version of this program: ${error.message}. Update, or set DATA_DIR to another folder.`,
      );
    }
    if (error instanceof DroppedSchemaError) {
      throw new DataFolderError(
        `The schema funding was dropped from the database in ${folder.path}, with all data. Set DATA_DIR to a new folder, where npm run restore can put a backup.`,
      );
    }
    if (error instanceof MigrationError) {
      throw new DataFolderError(
        `The database in ${folder.path} could not be brought up to this version, and is as it was: ${error.message}. The version that made it still opens it.`,
      );
    }
    throw error;
  }
}

/** Postgres would end, or wait for itself for ever, where it cannot write its log. @throws {DataFolderError} when the disk has too little room. */
function requireRoom({ path }: DataFolder): void {
  const free = freeBytes(path);
  if (free >= openingBytes) return;
  throw new DataFolderError(
    `The disk of the data folder ${path} has ${megabytes(free)} left, and the database needs ${megabytes(openingBytes)} to open. Free some space, and start again: nothing is lost.`,
  );
}

/** @throws {DataFolderError} when there is no room for the copy; the database is not touched then. */
function keepCopy(folder: DataFolder, last: string): string {
  try {
    return copyBeforeUpgrade(folder, last);
  } catch (error) {
    throw new DataFolderError(
      `The database in ${folder.path} was made by an earlier version, and is not upgraded, since no copy of it could be made first: ${(error as Error).message}.`,
    );
  }
}

/** Opens or creates the database. One that an interrupted start left incomplete has no data yet and is made again. */
async function openOrCreate(folder: DataFolder, onFault?: (fault: DatabaseFault) => void): Promise<PGlite> {
  const marker = creatingMarker(folder.path);
  if (existsSync(marker)) {
    // The folder itself is kept, with its mode.
    for (const name of readdirSync(folder.databasePath)) rmSync(join(folder.databasePath, name), { recursive: true });
    // Of an interrupted restore: its keys are those of the database that is gone.
    rmSync(join(folder.path, "demo-keys.json"), { force: true });
  }
  if (!hasDatabase(folder.databasePath)) writeFileSync(marker, "", { mode: 0o600 });
  const database = await openPGlite(folder.databasePath, onFault);
  rmSync(marker, { force: true });
  return database;
}
