import { type Connection, closeAfter, queryValue } from "../database/connection.ts";
import { OutdatedDatabaseError, requireMigrated } from "../database/migrate.ts";
import { pgliteConnection } from "../database/pglite.ts";
import { connectPostgres } from "../database/postgres.ts";
import { dataFolderPath } from "../local/caller-path.mjs";
import { DataFolderError, lockDataFolder, runningServer } from "../local/embedded/data-folder.ts";
import { openEmbedded } from "../local/embedded/open.ts";
import { printError } from "../local/print.ts";
import { variable } from "../shared/platform/environment.ts";

/**
 * Opens the database that a command works on: the one at `databaseUrl` (or in `DATABASE_URL`), else the running
 * embedded server's, else the embedded one in the data folder. Only the last is migrated to this version's schema here;
 * the others are migrated with `npm run migrate`.
 *
 * @throws {DataFolderError} when the data folder cannot be used.
 * @throws {OutdatedDatabaseError} or {NewerDatabaseError} when the database has another version's schema.
 * @throws {DroppedSchemaError} when the schema was dropped.
 */
export async function openDatabase(databaseUrl = variable("DATABASE_URL")): Promise<Connection> {
  if (databaseUrl !== undefined) return requiringMigrated(await connectPostgres(databaseUrl));
  const folderPath = dataFolderPath();
  const running = runningServer(folderPath);
  if (running !== undefined) {
    return requiringMigrated(await connectPostgres(running.database_url)).catch((error: unknown) => {
      if (!(error instanceof OutdatedDatabaseError)) throw error;
      throw new DataFolderError(
        `The server that runs on ${folderPath} is of an earlier version. End it and start it again: it upgrades its database then, and keeps a copy.`,
      );
    });
  }

  const folder = lockDataFolder(folderPath);
  try {
    const connection = pgliteConnection(await openEmbedded(folder, printError));
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

async function requiringMigrated(connection: Connection): Promise<Connection> {
  try {
    await requireMigrated(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Whether a connection leads to an embedded database, through the port of a running server. All its clients share one session. */
export async function isEmbedded(connection: Connection): Promise<boolean> {
  const version = await queryValue<string>(connection, "select version()");
  return /emscripten|emcc/i.test(version);
}

/** Opens the command's database as {@link openDatabase} does, runs work on it, and closes it. */
export async function withDatabase<Result>(
  databaseUrl: string | undefined,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return closeAfter(await openDatabase(databaseUrl), work);
}

/** Line about `--database-url` in a command's help. */
export const databaseUrlHelp =
  "--database-url URL    the database (default: DATABASE_URL, else the embedded one in DATA_DIR)";
