import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryOne } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { withScratchDatabase } from "../relevance/scratch-database.ts";
import { type CopyFiles, type CopyRuns, measureCopy, serverFiles } from "./copy.ts";
import { type CommandRun, runImportCommand } from "./import-command.ts";

/** An import of a file into an empty database, the same import again, and COPY of the imported rows. */
export interface StackRuns {
  first: CommandRun;
  again: CommandRun;
  copy: CopyRuns;
}

/**
 * Measures on a native Postgres.
 *
 * @param serverUrl a Postgres on this machine, as its superuser, who may create a database and write a file.
 */
export async function runNative(serverUrl: string, extractPath: string): Promise<StackRuns> {
  return withScratchDatabase(serverUrl, async (connection, url = serverUrl) => {
    await migrate(connection);
    const words = ["grants-gov", extractPath, "--database-url", url];
    const first = await runImportCommand(words, {}, connection);
    const again = await runImportCommand(words, {}, connection);
    const { pid } = await queryOne<{ pid: number }>(connection, "select pg_backend_pid() as pid");
    const folder = await makeScratchFolder();
    try {
      // The server runs as another user.
      await chmod(folder, 0o777);
      const copy = await measureCopy(connection, serverFiles(connection, join(folder, "grants.copy")), pid);
      return { first, again, copy };
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

/** Measures on the database of `npm start`, in its own data folder. */
export async function runEmbedded(extractPath: string): Promise<StackRuns> {
  const folder = await makeScratchFolder();
  const openDatabase = () => openPGlite(join(folder, "postgres"));
  try {
    // Making the database is not part of an import.
    const empty = pgliteConnection(await openDatabase());
    await migrate(empty);
    await empty.close();
    const words = ["grants-gov", extractPath];
    const first = await runImportCommand(words, { DATA_DIR: folder });
    const again = await runImportCommand(words, { DATA_DIR: folder });
    const database = await openDatabase();
    let file: Blob | undefined;
    const files: CopyFiles = {
      async write(query) {
        file = (await database.query(`copy (${query}) to '/dev/blob'`)).blob;
      },
      async read(target) {
        await database.query(`copy ${target} from '/dev/blob'`, [], file === undefined ? {} : { blob: file });
      },
    };
    const copy = await measureCopy(pgliteConnection(database), files, process.pid);
    await database.close();
    return { first, again, copy };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function makeScratchFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "import-bench-"));
}
