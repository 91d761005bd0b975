import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../../database/connection.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { dataFolderPath } from "../../local/caller-path.mjs";
import { runningServer } from "../../local/embedded/data-folder.ts";
import { copyRunningDatabase } from "../../local/embedded/folder-copy.ts";
import { printError } from "../../local/print.ts";
import { openDatabase } from "../database.ts";
import { removedOnSignal } from "../removed-on-signal.ts";

/**
 * Opens the database that a command reads for long: that of a running embedded server as a copy of its files, since one transaction would hold up
 * all of its requests; any other as `openDatabase` does. `copiedAt` is a moment before the copy was made.
 */
export async function openFrozenDatabase(
  url: string | undefined,
): Promise<{ connection: Connection; copiedAt?: Date }> {
  const folder = dataFolderPath();
  const running = url === undefined ? runningServer(folder) : undefined;
  if (running === undefined) return { connection: await openDatabase(url) };
  const copiedAt = new Date();
  const copy = mkdtempSync(join(folder, "backup-"));
  removedOnSignal.add(copy);
  const remove = () => {
    rmSync(copy, { recursive: true, force: true });
    removedOnSignal.delete(copy);
  };
  try {
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
    return { connection: { ...connection, close }, copiedAt };
  } catch (error) {
    remove();
    throw error;
  }
}
