import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { MigrationError, migrate, NewerDatabaseError } from "../../database/migrate.ts";
import { hasDatabase, openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { mendFunctions } from "../../database/schema-faults.ts";
import { type DataFolder, DataFolderError } from "./data-folder.ts";

/**
 * Opens the database in a data folder, applies this version's migrations, and mends its functions.
 *
 * @param report takes lines for the operator, when the schema is not what its migrations made.
 * @throws {DataFolderError} when a newer version made the database, it cannot be read, or a migration fails: then it is as
 *   it was.
 */
export async function openEmbedded(folder: DataFolder, report: (lines: string[]) => void): Promise<PGlite> {
  let database: PGlite;
  try {
    database = await openOrCreate(folder);
  } catch (error) {
    throw new DataFolderError(`The database in ${folder.path} cannot be opened: ${(error as Error).message}`);
  }
  try {
    const connection = pgliteConnection(database);
    await migrate(connection);
    const lines = await mendFunctions(connection);
    if (lines.length > 0) report(lines);
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof NewerDatabaseError) {
      throw new DataFolderError(
        `The data folder ${folder.path} was made by a newer version of this program: ${error.message}. Update, or set DATA_DIR to another folder.`,
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

/** Opens or creates the database. One that an interrupted start left incomplete has no data yet and is made again. */
async function openOrCreate(folder: DataFolder): Promise<PGlite> {
  const marker = join(folder.path, "creating-database");
  if (existsSync(marker)) {
    // The folder itself is kept, with its mode.
    for (const name of readdirSync(folder.databasePath)) rmSync(join(folder.databasePath, name), { recursive: true });
  }
  if (!hasDatabase(folder.databasePath)) writeFileSync(marker, "", { mode: 0o600 });
  const database = await openPGlite(folder.databasePath);
  rmSync(marker, { force: true });
  return database;
}
