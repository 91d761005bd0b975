import type { Connection } from "../connection.ts";
import { removeRemains } from "../dropped-schema.ts";
import { hasSchema, lockMigrations, migrate, requireKnown } from "../migrate.ts";
import { withoutStatementTimeout } from "../without-statement-timeout.ts";
import { BackupError } from "./format.ts";
import { TableLoader } from "./load.ts";
import type { Backup } from "./read.ts";
import { requireReferences } from "./references.ts";
import { readSettingSchemas, requireSettings } from "./settings.ts";
import { isUsersTable, RestorableObjects } from "./tables.ts";
import { exactFormats } from "./write.ts";

/** Progress of a restore. */
export interface RestoreReport {
  step(text: string): void;
  /** Called before each part of a table's rows. */
  table(name: string): void;
  /** Called for a column of the backup, or a sequence, that no migration made. It is not restored. */
  leftOut(name: string): void;
}

/**
 * Puts a backup into an empty database, in one transaction: the migrations that had made its database, then its rows, exactly as
 * they were, then the migrations that this version has beyond them. If any of it fails, the database stays empty.
 *
 * The schema may have been there, and dropped: what that left behind is removed first.
 *
 * The file may come from somebody else. It fills the tables and sequences that those migrations made, and users; anything else is
 * refused by name. What triggers would have refused is looked for afterwards.
 *
 * Columns that an operator added to a table are in the file, and in none of the migrations: their values are left out.
 *
 * Users of the service's own sign-in are restored where the database has that (local/auth). Elsewhere accounts wait for their
 * owners: the first sign-in with the same e-mail address takes the account, and its other members are invited again.
 *
 * @param keepsSchema leaves the schema as the backup's version made it.
 * @returns the versions of the migrations that brought it up to this version.
 * @throws {BackupError} when the database has the schema, or the file was cut short, or names or holds what is not a
 * backup's.
 * @throws {NewerDatabaseError} when a newer version made the backup.
 */
export async function restoreBackup(
  connection: Connection,
  { header, parts }: Backup,
  report: RestoreReport,
  { keepsSchema = false }: { keepsSchema?: boolean } = {},
): Promise<string[]> {
  await requireKnown(header.migrations);
  return withoutStatementTimeout(connection, async (transaction) => {
    await lockMigrations(transaction);
    if (await hasSchema(transaction)) {
      throw new BackupError(
        'The database has the schema funding already, and a backup goes into one without it. If nothing in the schema is needed any more, run "drop schema funding cascade" in the database, and restore again (docs/operate/back-up.md, "Into a database that was used").',
      );
    }
    const { migrations, functions } = await removeRemains(transaction);
    if (migrations + functions > 0) {
      report.step(
        `removed what the dropped schema had left: the record of ${migrations} migrations, and ${functions} functions of public`,
      );
    }
    report.step(`making the schema of version ${header.version}`);
    await migrate(transaction, { only: new Set(header.migrations) });
    // Rows are as they were: no trigger has to do anything about them.
    await transaction.execute(`set local session_replication_role = replica; ${exactFormats}`);
    const settingSchemas = await readSettingSchemas(transaction);
    await emptyTables(transaction);
    const usersAreOurs = await hasOwnUsers(transaction);
    // Vectors of a backup have the size of its model, which the settings say once they are there.
    const hasSizes = await hasFunction(transaction, "funding.loosen_vectors()");
    if (hasSizes) await transaction.execute("select funding.loosen_vectors()");
    const objects = await RestorableObjects.read(transaction);
    const loader = new TableLoader(transaction, objects, (column) => report.leftOut(column));
    for await (const part of parts) {
      if (part.kind === "rows") {
        report.table(part.table);
        if (!isUsersTable(part.table) || usersAreOurs) await loader.load(part);
        else for await (const _chunk of part.data);
      } else if (part.kind === "sequence") {
        const sequence = objects.sequence(part.sequence);
        if (sequence === undefined) report.leftOut(part.sequence);
        else await transaction.query("select setval($1::regclass, $2, $3)", [sequence, part.value, part.isCalled]);
      }
    }
    await requireReferences(transaction);
    await requireSettings(transaction, settingSchemas);
    await transaction.execute("set local session_replication_role = origin");
    if (hasSizes) {
      await transaction.execute(
        "select funding.resize_vectors(fit.vectors, funding.setting('embedding_model')#>>'{}') from funding.lexicon_fit as fit",
      );
    }
    await releaseAccountsWithoutUser(transaction);
    const brought = keepsSchema ? [] : await migrate(transaction);
    if (brought.length > 0) report.step(`brought up to this version by ${brought.length} migrations`);
    if (await hasFunction(transaction, "funding.continue_slots()")) {
      await transaction.execute("select funding.continue_slots()");
    }
    if (header.has_vector_indexes) {
      report.step("building the vector indexes");
      await transaction.execute("select funding.refresh_vector_indexes()");
    }
    await transaction.execute("analyze");
    return brought;
  });
}

async function hasFunction(connection: Connection, signature: string): Promise<boolean> {
  const [found] = await connection.query<{ exists: boolean }>("select to_regprocedure($1) is not null as exists", [
    signature,
  ]);
  return found?.exists === true;
}

async function hasOwnUsers(connection: Connection): Promise<boolean> {
  const [found] = await connection.query<{ exists: boolean }>(
    "select to_regclass('auth.sign_in_links') is not null as exists",
  );
  return found?.exists === true;
}

/** Removes the rows that the migrations themselves put into tables: the backup has them as they were. */
async function emptyTables(transaction: Connection): Promise<void> {
  const [found] = await transaction.query<{ names: string }>(`
    select string_agg(format('funding.%I', relname), ', ') as names from pg_class
    where relnamespace = 'funding'::regnamespace and relkind = 'r' and relname <> 'schema_objects'`);
  await transaction.execute(`truncate ${found?.names}`);
}

/** Releases accounts whose user is not in this database: nobody could ever sign in to them again. */
async function releaseAccountsWithoutUser(transaction: Connection): Promise<void> {
  const [auth] = await transaction.query<{ exists: boolean }>("select to_regclass('auth.users') is not null as exists");
  const hasNoUser = (userId: string) =>
    auth?.exists === true ? `not exists (select from auth.users where users.id = ${userId})` : "true";
  await transaction.execute(
    `update funding.accounts set auth_user_id = null where auth_user_id is not null and ${hasNoUser("auth_user_id")}`,
  );
  // A backup from before there were members has none.
  const [members] = await transaction.query("select where to_regclass('funding.members') is not null");
  if (members === undefined) return;
  await transaction.execute(`delete from funding.members where ${hasNoUser("members.user_id")}`);
}
