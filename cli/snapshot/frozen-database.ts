import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Connection, closeAfter } from "../../database/connection.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { dataFolderPath } from "../../local/caller-path.mjs";
import { runningServer } from "../../local/embedded/data-folder.ts";
import { copyRunningDatabase, makeCopyFolder } from "../../local/embedded/folder-copy.ts";
import { printError } from "../../local/print.ts";
import { openDatabase } from "../database.ts";
import { removedOnSignal } from "../removed-on-signal.ts";
import { readSettledMark } from "./write-snapshot.ts";

/**
 * Opens the database that a command reads for long: that of a running embedded server as a copy of its files, since one transaction would hold up
 * all of its requests; any other as `openDatabase` does. `settledUntil` is the running database's mark of before the copy was made.
 */
export async function openFrozenDatabase(
  url: string | undefined,
): Promise<{ connection: Connection; settledUntil?: string }> {
  const folder = dataFolderPath();
  const running = url === undefined ? runningServer(folder) : undefined;
  if (running === undefined) return { connection: await openDatabase(url) };
  const { path: copy, release } = makeCopyFolder(folder);
  removedOnSignal.add(copy);
  const remove = () => {
    rmSync(copy, { recursive: true, force: true });
    removedOnSignal.delete(copy);
    release();
  };
  try {
    const settledUntil = await closeAfter(await connectPostgres(running.database_url), readSettledMark);
    const heldMs = await copyRunningDatabase(running.database_url, join(folder, "postgres"), copy);
    printError(`copied the running server's files; its requests waited for ${Math.ceil(heldMs)} ms`);
    const connection = pgliteConnection(await openPGlite(copy));
    const close = async () => {
      try {
        await connection.close();
      } finally {
        remove();
      }
    };
    return { connection: { ...connection, close }, settledUntil };
  } catch (error) {
    remove();
    throw error;
  }
}
