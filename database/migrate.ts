import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Connection, closeAfter } from "./connection.ts";
import { definedFunctions, readFunctionFiles } from "./functions.ts";
import { isRendered, isStub, renderFunctions, renderObjects, type SchemaObject } from "./functions-migration.ts";
import { withoutStatementTimeout } from "./without-statement-timeout.ts";

/** The database lacks this checkout's schema, or some of it. */
export class OutdatedDatabaseError extends Error {
  constructor(readonly missing: number) {
    super(`${missing} migrations are missing`);
  }
}

/** The database knows a migration that this checkout does not have. */
export class NewerDatabaseError extends Error {
  constructor(readonly migration: string) {
    super(`it has migration ${migration}, which this version does not know`);
  }
}

/** The schema was dropped. Its migrations are recorded as applied, so that none of them would make it again. */
export class DroppedSchemaError extends Error {
  constructor() {
    super(
      "The schema funding was dropped from this database, and its migrations are still recorded as applied. npm run restore puts a backup into it; npm run migrate -- --anew makes the schema again, empty.",
    );
  }
}

/** A migration failed. Of its transaction none was applied. */
export class MigrationError extends Error {
  constructor(
    readonly migration: string,
    override readonly cause: unknown,
    /** How many were applied in transactions before. */
    readonly applied = 0,
  ) {
    super(`migration ${migration} failed: ${(cause as Error).message}`);
  }
}

const migrationsFolder = fileURLToPath(new URL("../supabase/migrations/", import.meta.url));

/**
 * Brings a database up to this checkout's migrations, all in one transaction, and records them in the table in which the
 * Supabase CLI looks. While somebody else does the same, it waits, and applies what is missing then.
 *
 * @param before a version: it is not applied, and none after it.
 * @param only the versions that are applied. A database that lacks them makes them as their release did.
 * @returns the versions applied now.
 * @throws {NewerDatabaseError} when the database is ahead of this checkout.
 * @throws {DroppedSchemaError} when it had the schema.
 * @throws {MigrationError} when one fails; then none was applied. After a deadlock all are tried again, unless the caller has a transaction.
 */
export async function migrate(
  connection: Connection,
  { before, only }: { before?: string; only?: ReadonlySet<string> } = {},
): Promise<string[]> {
  const isWanted = ({ version }: MigrationFile) =>
    (before === undefined || version < before) && (only === undefined || only.has(version));
  return applyDespiteDeadlocks(connection, isWanted);
}

/**
 * Brings a database up to this checkout's migrations while requests use it, and records them, as `migrate` does, in a few transactions: a migration whose
 * file begins with "-- Begins a transaction" begins one. The functions of the release before answer between any two of them. So locks that requests
 * feel are held for moments, and what takes long holds none (docs/database.md). When one transaction fails, those before it stay, and the next call
 * goes on there. A new database, which nobody uses yet, gets all in one.
 *
 * @returns the versions applied now.
 * @throws {NewerDatabaseError} when the database is ahead of this checkout.
 * @throws {DroppedSchemaError} when it had the schema.
 * @throws {MigrationError} when one fails; after a deadlock its transaction is tried again.
 */
export async function migrateBesideRequests(connection: Connection): Promise<string[]> {
  const applied: string[] = [];
  for (;;) {
    try {
      const versions = await applyDespiteDeadlocks(connection, () => true, { oneTransaction: true });
      if (versions.length === 0) return applied;
      applied.push(...versions);
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      throw new MigrationError(error.migration, error.cause, applied.length);
    }
  }
}

/** Tries of a transaction. Requests go on meanwhile, and Postgres ends one of two that wait for each other's locks. */
const mostTries = 5;

const isDeadlock = (error: unknown) =>
  error instanceof MigrationError && (error.cause as { code?: unknown }).code === "40P01";

async function applyDespiteDeadlocks(...parameters: Parameters<typeof applyPending>): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await applyPending(...parameters);
    } catch (error) {
      if (!isDeadlock(error) || tries === mostTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 800));
    }
  }
}

/**
 * Applies the migrations that are missing and wanted, in one transaction.
 *
 * @param oneTransaction ends before the next one that begins a transaction.
 * @returns their versions.
 * @throws {MigrationError} when one fails.
 */
async function applyPending(
  connection: Connection,
  isWanted: (migration: MigrationFile) => boolean,
  { oneTransaction = false } = {},
): Promise<string[]> {
  return withoutStatementTimeout(connection, async (transaction) => {
    await lockMigrations(transaction);
    await transaction.execute(`
      create schema if not exists supabase_migrations;
      create table if not exists supabase_migrations.schema_migrations (
        version text primary key, statements text[], name text);
    `);
    const pending = (await pendingMigrations(transaction)).filter(isWanted);
    const isNew = pending.length === (await listMigrations()).length;
    const texts = await Promise.all(pending.map(readMigration));
    const end = oneTransaction && !isNew ? texts.findIndex((text, index) => index > 0 && beginsTransaction(text)) : -1;
    const sent = withoutRepeats(end < 0 ? texts : texts.slice(0, end));
    const isOfFolder = sent.some(isRendered);
    const reference = isOfFolder && !isNew ? await readReference() : undefined;
    const applied: string[] = [];
    for (const [index, text] of sent.entries()) {
      const { version, name } = pending[index] as MigrationFile;
      try {
        await transaction.execute(text);
      } catch (error) {
        throw new MigrationError(`${version}_${name}`, error);
      }
      await transaction.query("insert into supabase_migrations.schema_migrations (version, name) values ($1, $2)", [
        version,
        name,
      ]);
      applied.push(version);
    }
    if (reference !== undefined) await transaction.execute(renderObjects(reference));
    else if (isOfFolder) await recordObjects(transaction);
    return applied;
  });
}

/** Lets a database that was made now be what it is compared with later. What an operator has in `public` is left out. */
async function recordObjects(transaction: Connection): Promise<void> {
  await transaction.query(
    `insert into funding.schema_objects (kind, name, digest)
     select kind, name, digest from funding.present_objects() where kind <> 'function' or split_part(name, '(', 1) = any ($1)`,
    [(await readFunctionFiles()).flatMap(definedFunctions)],
  );
}

let made: Promise<SchemaObject[]> | undefined;

/** Objects that all migrations of this checkout make, as a new database in memory has them. */
export function readReference(): Promise<SchemaObject[]> {
  made ??= makeReference();
  return made;
}

async function makeReference(): Promise<SchemaObject[]> {
  // Imported here: a database that has all migrations needs no other one.
  const { openPGlite, pgliteConnection } = await import("./pglite.ts");
  return closeAfter(pgliteConnection(await openPGlite()), async (connection) => {
    await migrate(connection);
    return connection.query<SchemaObject>(
      'select kind, name, digest from funding.schema_objects order by kind, name collate "C"',
    );
  });
}

/** Whether a migration is not applied in one transaction with those before it, where requests go on meanwhile. */
export const beginsTransaction = (text: string) => text.startsWith("-- Begins a transaction");

/** Statement in many migrations. It writes the row of every function in the catalogue, changed or not. */
const revokeFromPublic = "revoke execute on all functions in schema funding from public;";

/**
 * Texts of migrations that are applied in one transaction, without the revocations that a later one of them repeats: 32 of 33, which take a quarter
 * of the time in which a new database gets its migrations.
 */
function withoutRepeats(texts: readonly string[]): string[] {
  const last = texts.findLastIndex((text) => text.includes(revokeFromPublic));
  return texts.map((text, index) => (index < last ? text.replaceAll(revokeFromPublic, "") : text));
}

/**
 * Waits until nobody else migrates the database, and keeps others from it until the end of the transaction. An upgrade takes longer than a role's
 * lock timeout may be. What this statement's transaction reads after it, others have committed.
 */
export async function lockMigrations(transaction: Connection): Promise<void> {
  await transaction.execute(`
    do $$
    declare
      patience text := current_setting('lock_timeout');
    begin
      perform set_config('lock_timeout', '0', true);
      perform pg_advisory_xact_lock(hashtextextended('funding migrations', 0));
      perform set_config('lock_timeout', patience, true);
    end
    $$`);
}

/**
 * Makes sure, without changing anything, that a database has this checkout's schema.
 *
 * @throws {OutdatedDatabaseError} when it lacks migrations.
 * @throws {NewerDatabaseError} when it is ahead of this checkout.
 * @throws {DroppedSchemaError} when it had the schema.
 */
export async function requireMigrated(connection: Connection): Promise<void> {
  const pending = await pendingMigrations(connection);
  if (pending.length > 0) throw new OutdatedDatabaseError(pending.length);
}

/** The last migration that a database has, and how many of this checkout's it lacks. @throws {NewerDatabaseError} @throws {DroppedSchemaError} */
export async function migrationState(connection: Connection): Promise<{ last: string | undefined; missing: number }> {
  const missing = (await pendingMigrations(connection)).length;
  if (missing === (await listMigrations()).length) return { last: undefined, missing };
  const [row] = await connection.query<{ last: string }>(
    "select max(version) as last from supabase_migrations.schema_migrations",
  );
  return { last: row?.last, missing };
}

async function pendingMigrations(connection: Connection): Promise<MigrationFile[]> {
  const [table] = await connection.query<{ exists: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null as exists",
  );
  const rows = table?.exists
    ? await connection.query<{ version: string }>(
        "select version from supabase_migrations.schema_migrations order by version",
      )
    : [];
  const applied = new Set(rows.map((row) => row.version));
  const available = await listMigrations();
  const unknown = [...applied].find((version) => !available.some((file) => file.version === version));
  if (unknown !== undefined) throw new NewerDatabaseError(unknown);
  // The first migration makes it.
  if (applied.size > 0 && !(await hasSchema(connection))) throw new DroppedSchemaError();
  return available.filter((file) => !applied.has(file.version));
}

/** Whether a database has the schema `funding`. */
export async function hasSchema(connection: Connection): Promise<boolean> {
  const [found] = await connection.query<{ exists: boolean }>(
    "select to_regnamespace('funding') is not null as exists",
  );
  return found?.exists === true;
}

/** @throws {NewerDatabaseError} when this checkout lacks one of those versions. */
export async function requireKnown(versions: readonly string[]): Promise<void> {
  const known = new Set((await listMigrations()).map(({ version }) => version));
  const unknown = versions.find((version) => !known.has(version));
  if (unknown !== undefined) throw new NewerDatabaseError(unknown);
}

/** Text of the migration that carries all functions: the latest of that name. Running it again changes nothing else. */
export async function readFunctionsMigration(): Promise<string> {
  const file = (await listMigrations()).findLast(({ name }) => name === "functions");
  if (file === undefined) throw new Error("supabase/migrations has no NUMBER_functions.sql");
  const text = await readMigration(file);
  return isRendered(text) ? text + renderObjects(await readReference()) : text;
}

/** Text of a migration, as it is applied: the functions of an unreleased version are those of supabase/schemas. */
export async function readMigration({ path }: MigrationFile): Promise<string> {
  const text = await readFile(path, "utf8");
  return isStub(text) ? renderFunctions(text) : text;
}

/** A file of supabase/migrations. */
export interface MigrationFile {
  version: string;
  name: string;
  path: string;
}

/** This checkout's migrations, in their order. */
export async function listMigrations(): Promise<MigrationFile[]> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql")).sort();
  return names.map((fileName) => {
    const [, version, name] = /^(\d+)_(.+)\.sql$/.exec(fileName) ?? [];
    if (version === undefined || name === undefined) {
      throw new Error(`supabase/migrations/${fileName} is not named VERSION_NAME.sql`);
    }
    return { version, name, path: `${migrationsFolder}${fileName}` };
  });
}
