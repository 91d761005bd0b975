import type { PGlite } from "@electric-sql/pglite";
import { migrate, NewerDatabaseError } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { type DataFolder, DataFolderError } from "./data-folder.ts";

/**
 * Opens the database in a data folder and brings it up to this version's migrations.
 *
 * @throws {DataFolderError} when a newer version made it, or it cannot be read.
 */
export async function openEmbedded(folder: DataFolder): Promise<PGlite> {
  let database: PGlite;
  try {
    database = await openPGlite(folder.databasePath);
  } catch (error) {
    throw new DataFolderError(`The database in ${folder.path} cannot be opened: ${(error as Error).message}`);
  }
  try {
    await migrate(pgliteConnection(database));
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof NewerDatabaseError) {
      throw new DataFolderError(
        `The data folder ${folder.path} was made by a newer version of this program: ${error.message}. Update, or set DATA_DIR to another folder.`,
      );
    }
    throw error;
  }
}
