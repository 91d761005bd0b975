import type { Connection } from "../database/connection.ts";
import { requireMigrated } from "../database/migrate.ts";
import { pgliteConnection } from "../database/pglite.ts";
import { connectPostgres } from "../database/postgres.ts";
import { dataFolderPath, runningServer, takeDataFolder } from "../local/embedded/data-folder.ts";
import { openEmbedded } from "../local/embedded/open.ts";
import { variable } from "../shared/platform/environment.ts";

/**
 * Opens the database that a command works on: the one at `databaseUrl` (or in `DATABASE_URL`), else
 * the running embedded server's, else the embedded one in the data folder. Only the last is brought
 * up to this version's schema by itself; elsewhere that is `npm run migrate`'s work.
 *
 * @throws {DataFolderError} when the data folder cannot be used.
 * @throws {OutdatedDatabaseError} or {NewerDatabaseError} when the database has another version's schema.
 */
export async function openDatabase(databaseUrl = variable("DATABASE_URL")): Promise<Connection> {
  if (databaseUrl !== undefined) return checked(await connectPostgres(databaseUrl));
  const folderPath = dataFolderPath();
  const running = runningServer(folderPath);
  if (running !== undefined) return checked(await connectPostgres(running.database_url));

  const folder = takeDataFolder(folderPath);
  try {
    const connection = pgliteConnection(await openEmbedded(folder));
    return {
      ...connection,
      async close() {
        await connection.close();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

async function checked(connection: Connection): Promise<Connection> {
  try {
    await requireMigrated(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** What every command's help says of `--database-url`. */
export const databaseUrlHelp =
  "--database-url URL    the database (default: DATABASE_URL, else the embedded one in DATA_DIR)";
