import { type Connection, queryValue } from "./connection.ts";
import { hasSchema, listMigrations, lockMigrations, migrate, readMigration } from "./migrate.ts";
import { withoutStatementTimeout } from "./without-statement-timeout.ts";

/** Thrown when an operator's own object needs a function of the dropped schema. The message names the object. */
export class RemainsInUseError extends Error {
  constructor(dependents: string) {
    super(
      `What the dropped schema funding left behind is still needed: ${dependents}. Drop that first; nothing was changed.`,
    );
  }
}

/** Numbers of what a dropped schema left behind. */
export interface Remains {
  /** Migrations that were recorded as applied. */
  migrations: number;
  /** Functions of `public`. */
  functions: number;
}

/**
 * Removes what `drop schema funding cascade` leaves behind and what would be in the migrations' way: the record that they were
 * applied, and functions of `public`. Does nothing where the schema is there. Extensions, roles and the job of pg_cron stay: the
 * migrations use them again.
 *
 * @returns what was removed.
 * @throws {RemainsInUseError} where a view, or whatever else an operator made, needs one of the functions.
 */
export async function removeRemains(transaction: Connection): Promise<Remains> {
  await lockMigrations(transaction);
  if (await hasSchema(transaction)) return { migrations: 0, functions: 0 };
  const files = await listMigrations();
  return {
    migrations: await removeRecord(
      transaction,
      files.map(({ version }) => version),
    ),
    functions: await dropFunctions(transaction, await Promise.all(files.map(readMigration))),
  };
}

async function removeRecord(transaction: Connection, versions: string[]): Promise<number> {
  const exists = await queryValue<boolean>(
    transaction,
    "select to_regclass('supabase_migrations.schema_migrations') is not null",
  );
  if (!exists) return 0;
  const removed = await transaction.query(
    "delete from supabase_migrations.schema_migrations where version = any ($1::text[]) returning version",
    [versions],
  );
  return removed.length;
}

const dependentObjectsStillExist = "2BP01";

/** Drops the functions of `public` that one of these migrations made. An operator's function of the same name does not name the schema. */
async function dropFunctions(transaction: Connection, migrations: string[]): Promise<number> {
  const names = migrations.flatMap((text) =>
    [...text.matchAll(/^create (?:or replace )?function public\.(\w+)\(/gm)].map(([, name]) => name),
  );
  const functions = await transaction.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = to_regnamespace('public') and prokind = 'f' and proname = any ($1::text[])
       and concat_ws(' ', prosrc, proconfig::text) like '%funding%'`,
    [names],
  );
  if (functions.length === 0) return 0;
  try {
    await transaction.execute(`drop function ${functions.map(({ signature }) => signature).join(", ")}`);
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: string };
    if (code !== dependentObjectsStillExist || detail === undefined) throw error;
    throw new RemainsInUseError(detail.replaceAll("\n", "; "));
  }
  return functions.length;
}

/** Makes the schema again, empty, in a database from which it was dropped: all of it or nothing. @returns the versions of the migrations. */
export function migrateAnew(connection: Connection): Promise<string[]> {
  return withoutStatementTimeout(connection, async (transaction) => {
    await removeRemains(transaction);
    return migrate(transaction);
  });
}
