import { createReadStream, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { BackupError } from "../database/backup/format.ts";
import { type Backup, checkBackup, readBackup } from "../database/backup/read.ts";
import { restoreBackup } from "../database/backup/restore.ts";
import { type Connection, closeAfter } from "../database/connection.ts";
import { hasDatabase, openPGlite, pgliteConnection } from "../database/pglite.ts";
import { connectPostgres } from "../database/postgres.ts";
import { describeSchemaFaults, readSchemaFaults } from "../database/schema-faults.ts";
import { createAuthTables } from "../local/auth/tables.ts";
import { callerPath, dataFolderPath } from "../local/caller-path.mjs";
import { presentBackupFile, writeBackupFiles } from "../local/embedded/backup-files.ts";
import { creatingMarker, DataFolderError, lockDataFolder } from "../local/embedded/data-folder.ts";
import { print, printError } from "../local/print.ts";
import { variable } from "../shared/platform/environment.ts";
import { runCommand } from "./command.ts";
import { UsageError } from "./options.ts";

const help = `Puts a file that npm run backup wrote into an empty database, and brings that up to this version's schema. All of it is
restored or, if anything fails, nothing.

Without --database-url it makes the database in DATA_DIR, which must have none. With it, the database must not have the schema
funding: "drop schema funding cascade" removes that with all data, and this command what the schema leaves behind. The role must
be allowed to set session_replication_role, as postgres is on Supabase. Accounts then wait for their owners: the first sign-in
with the same e-mail address takes the account.

Webhook secrets are sealed. With --database-url the command prints the key that opens them, webhook_secrets_key=..., if the
file has one: set WEBHOOK_SECRETS_KEY of the functions to it.

usage: npm run restore -- FILE [--database-url URL]

options:
  --database-url URL    the database (default: DATABASE_URL, else a new embedded one in DATA_DIR)
  --help`;

await runCommand({
  help,
  options: { "database-url": { type: "string" } },
  allowPositionals: true,
  async run({ positionals: [file, ...more], values: { "database-url": url = variable("DATABASE_URL") } }) {
    if (file === undefined || more.length > 0)
      throw new UsageError("Say which file to restore: npm run restore -- FILE.");
    const path = callerPath(file);
    if (!existsSync(path)) throw new UsageError(`There is no file ${file}.`);
    // The whole file is read before anything is written, and again to write it.
    await checkBackup(await readBackup(decompressed(path)));
    const backup = await readBackup(decompressed(path));
    printError(`${file}: version ${backup.header.version}, of ${backup.header.created_at}`);
    if (url === undefined) return restoreIntoFolder(dataFolderPath(), backup);
    const status = await closeAfter(await connectPostgres(url), (connection) => restore(connection, backup));
    const key = backup.header.files["webhook-secrets-key"];
    if (key !== undefined) print(`webhook_secrets_key=${key.trim()}`);
    return status;
  },
});

/** Bytes of a file that gzip compressed. @throws {BackupError} while reading, when it was cut short or damaged. */
async function* decompressed(path: string): AsyncGenerator<Uint8Array> {
  try {
    const gunzip = createGunzip();
    pipeline(createReadStream(path), gunzip, () => undefined);
    yield* gunzip;
  } catch (error) {
    if (!String((error as { code?: string }).code).startsWith("Z_")) throw error;
    throw new BackupError("The file was cut short or damaged, or is no backup.");
  }
}

async function restoreIntoFolder(path: string, backup: Backup): Promise<number> {
  const folder = lockDataFolder(path);
  // Marks a database that is not whole: the next start or restore makes it again.
  const marker = creatingMarker(path);
  try {
    // An interrupted restore may have written some of them.
    const present = existsSync(marker) ? undefined : presentBackupFile(path);
    if (present !== undefined || (hasDatabase(folder.databasePath) && !existsSync(marker))) {
      throw new DataFolderError(
        `The data folder ${path} has ${present ?? "a database"} already. A backup goes into an empty one: set DATA_DIR.`,
      );
    }
    writeFileSync(marker, "", { mode: 0o600 });
    for (const name of readdirSync(folder.databasePath)) rmSync(join(folder.databasePath, name), { recursive: true });
    const connection = pgliteConnection(await openPGlite(folder.databasePath));
    const status = await closeAfter(connection, async () => {
      await createAuthTables(connection);
      return restore(connection, backup);
    });
    writeBackupFiles(path, backup.header.files);
    rmSync(marker);
    return status;
  } finally {
    folder.release();
  }
}

/** Restores, and says whether the schema is whole. @returns the exit status. */
async function restore(connection: Connection, backup: Backup): Promise<number> {
  let table: string | undefined;
  await restoreBackup(connection, backup, {
    step: (text) => printError(`  ${text}`),
    table(name) {
      if (name !== table) printError(`  loading ${name}`);
      table = name;
    },
    leftOut: (name) => printError(`Warning: ${name} is left out: no migration made it. Its values are in the file.`),
  });
  const faults = await readSchemaFaults(connection);
  if (faults.length > 0) {
    printError(["The schema is not what its migrations made:", ...(await describeSchemaFaults(faults))]);
    return 1;
  }
  print("restored; the schema is what its migrations made");
  return 0;
}
