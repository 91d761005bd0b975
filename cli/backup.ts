import { once } from "node:events";
import { createWriteStream, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { snapshotSettings, writeBackup } from "../database/backup/write.ts";
import { type Connection, closeAfter } from "../database/connection.ts";
import { hasDatabase, openPGlite, pgliteConnection } from "../database/pglite.ts";
import { connectPostgres } from "../database/postgres.ts";
import { callerPath, dataFolderPath } from "../local/caller-path.mjs";
import { readBackupFiles } from "../local/embedded/backup-files.ts";
import { DataFolderError, lockDataFolder, runningServer } from "../local/embedded/data-folder.ts";
import { copyRunningDatabase, makeCopyFolder } from "../local/embedded/folder-copy.ts";
import { print, printError } from "../local/print.ts";
import { removeAbandoned, unfinishedName } from "../local/unfinished.ts";
import manifest from "../package.json" with { type: "json" };
import { variable } from "../shared/platform/environment.ts";
import { runCommand } from "./command.ts";
import { databaseUrlHelp } from "./database.ts";
import { UsageError } from "./options.ts";
import { formatCount } from "./progress.ts";
import { removedOnSignal } from "./removed-on-signal.ts";

const help = `Writes the whole database to a file, as of one moment: records and their index, accounts, keys, usage, webhooks and
their history. npm run restore puts it into an empty data folder, or into a Postgres.

A server may go on running on the data folder. Its files are copied first, and its requests wait for what changed meanwhile.

FILE appears when it is whole. A backup that was killed leaves FILE.UUID.unfinished. After an hour, a backup to FILE, or to a
name that differs in its numbers alone, removes that.

The file is an SQL script, compressed with gzip. That of a data folder also has the key that opens webhook secrets and the
demo's API keys: keep it as you keep passwords. Only its owner can read it.

usage: npm run backup -- FILE [--without-documents] [--database-url URL]

options:
  --without-documents  leave out the texts of documents: npm run documents -- load brings them back
  ${databaseUrlHelp}
  --help`;

await runCommand({
  help,
  options: { "database-url": { type: "string" }, "without-documents": { type: "boolean" } },
  allowPositionals: true,
  async run({ positionals: [file, ...more], values }) {
    const { "database-url": url = variable("DATABASE_URL"), "without-documents": withoutDocuments = false } = values;
    if (file === undefined || more.length > 0) throw new UsageError("Say which file to write: npm run backup -- FILE.");
    const path = resolve(callerPath(file));
    if (existsSync(path)) throw new UsageError(`${file} is there already. A backup overwrites nothing.`);
    if (!existsSync(dirname(path))) throw new UsageError(`There is no folder ${dirname(path)}.`);
    await removeKilledBackups(path);
    const rows =
      url === undefined
        ? await backUpFolder(dataFolderPath(), path, !withoutDocuments)
        : await closeAfter(await connectPostgres(url), (connection) => backUp(connection, {}, path, !withoutDocuments));
    print(`${formatCount(rows)} rows, ${formatCount(Math.ceil(statSync(path).size / 1024))} KiB: ${file}`);
  },
});

/** Removes what killed backups to files of such a name have left, since it may be what fills the disk. */
async function removeKilledBackups(path: string): Promise<void> {
  // Names such as nightly-2026-11-27.sql.gz.
  const withoutNumbers = (name: string) => name.replaceAll(/\d+/g, "0");
  const ours = withoutNumbers(basename(path));
  try {
    for (const name of await removeAbandoned(dirname(path), (other) => withoutNumbers(other) === ours))
      printError(`removed ${name}: a backup that was killed had left it`);
  } catch (error) {
    printError(`Warning: what killed backups have left cannot be removed: ${(error as Error).message}`);
  }
}

/** Backs up a data folder, from a copy of its files where a server runs on it. */
async function backUpFolder(folder: string, path: string, hasDocuments: boolean): Promise<number> {
  const databasePath = join(folder, "postgres");
  if (!hasDatabase(databasePath)) {
    throw new DataFolderError(`The data folder ${folder} has no database. Set DATA_DIR to the folder that has one.`);
  }
  const files = readBackupFiles(folder);
  const backUpFiles = async (from: string) =>
    closeAfter(pgliteConnection(await openPGlite(from)), (connection) => backUp(connection, files, path, hasDocuments));
  const running = runningServer(folder);
  if (running === undefined) {
    const locked = lockDataFolder(folder);
    try {
      return await backUpFiles(databasePath);
    } finally {
      locked.release();
    }
  }
  const { path: copy, release } = makeCopyFolder(folder);
  removedOnSignal.add(copy);
  try {
    const heldMs = await copyRunningDatabase(running.database_url, databasePath, copy);
    printError(`copied the running server's files; its requests waited for ${Math.ceil(heldMs)} ms`);
    return await backUpFiles(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
    removedOnSignal.delete(copy);
    release();
  }
}

/** Gives a finished file its name. A file that has come meanwhile is not replaced. */
function publish(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
  } catch (error) {
    // Disks without hard links, such as exFAT, refuse with EPERM and others.
    if (existsSync(path)) throw error;
    renameSync(unfinished, path);
  }
}

/** Writes a backup to a file, which appears whole or not at all. @returns the number of rows. */
async function backUp(
  connection: Connection,
  files: Record<string, string>,
  path: string,
  hasDocuments: boolean,
): Promise<number> {
  let total = 0;
  const unfinished = unfinishedName(path);
  removedOnSignal.add(unfinished);
  const about = { version: manifest.version, created_at: new Date().toISOString(), files };
  try {
    await connection.transaction(async (transaction) => {
      await transaction.execute(snapshotSettings);
      const report = {
        table(name: string, rows: number) {
          total += rows;
          if (rows > 0) printError(`  ${name}: ${formatCount(rows)} rows`);
        },
        leftOut: (name: string) => printError(`  ${name} is left out: no migration made it`),
      };
      const lines = writeBackup(transaction, about, report, hasDocuments);
      const output = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
      await pipeline(Readable.from(lines), createGzip({ level: 4 }), output);
      if (!output.closed) await once(output, "close");
    });
    publish(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
    removedOnSignal.delete(unfinished);
  }
  return total;
}
