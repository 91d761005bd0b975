/**
 * Writes what follows from shared/catalogue and from the schemas of records, the tables in supabase/schemas, as the migrations make them, and the stub of the
 * functions' migration: supabase/migrations/NUMBER_functions.sql drops the functions that are gone or that `create or replace` cannot change, and stands for
 * those in supabase/schemas, which it tries in memory. Once that file is released, the next change makes a new one. docs/database.md says how to work with it.
 *
 * usage: node local/deno.mjs scripts/functions-migration.ts [--check | --whole [FOLDER]]
 *
 * With --check it writes nothing, and fails when a file is not what it would write. With --whole it writes the functions into the migration, of this checkout
 * or of the copy of the folder supabase in FOLDER, as a release has it: for what applies the files of supabase/migrations as they are.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Connection } from "../database/connection.ts";
import {
  type DatabaseFunction,
  readDatabaseFunctions,
  readFunctionFiles,
  readSchemaFiles,
} from "../database/functions.ts";
import {
  isStub,
  joinFiles,
  renamingOf,
  renderFunctions,
  renderGrants,
  renderStub,
  renderWhole,
} from "../database/functions-migration.ts";
import { beginsTransaction, listMigrations, type MigrationFile, migrate, readReference } from "../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../database/pglite.ts";
import { readReleases, releasedMigrations } from "../database/releases.ts";
import { printError } from "../local/print.ts";
import { renderDocs } from "./catalogue/docs.ts";
import { fieldNamesPath, renderFieldNames } from "./catalogue/fields.ts";
import { cataloguePath, detailFieldsPath, renderCatalogue, renderDetailFields } from "./catalogue/filter-sql.ts";
import { formPath, renderForm } from "./catalogue/form.ts";
import { recordPagesPath, renderRecordPages } from "./catalogue/record-sql.ts";
import { readObjects, renderTables } from "./schema/tables.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const migrationsPath = "supabase/migrations";

interface FunctionsMigration {
  name: string;
  version: string;
  /** Text of the file; empty if there is none yet. */
  text: string;
}

/** The latest functions' migration, and whether it may be written: a release keeps its own as it is. Whatever comes after a release needs a new one. */
async function findMigration(): Promise<{
  latest: FunctionsMigration;
  isReleased: boolean;
  isAllReleased: boolean;
  next: MigrationFile | undefined;
}> {
  const files = await listMigrations();
  const released = releasedMigrations(await readReleases());
  const file = files.findLast(({ name }) => name === "functions");
  if (file === undefined) throw new Error(`${migrationsPath} has no NUMBER_functions.sql: make an empty one`);
  const { version, path } = file;
  const name = `${version}_functions.sql`;
  return {
    latest: { name, version, text: await readFile(path, "utf8") },
    isReleased: released.includes(name),
    isAllReleased: files.every((one) => released.includes(`${one.version}_${one.name}.sql`)),
    next: files[files.indexOf(file) + 1],
  };
}

/** A new functions' migration, numbered after every migration that there is. */
async function newMigration(): Promise<FunctionsMigration> {
  const last = (await listMigrations()).at(-1)?.version ?? "";
  const today = `${new Date().toISOString().slice(0, 10).replaceAll("-", "")}001000`;
  const version = last < today ? today : String(BigInt(last) + 10n);
  return { name: `${version}_functions.sql`, version, text: "" };
}

/** Functions as the files define them. Nothing stays in the database. */
async function readDefinedFunctions(connection: Connection, statements: string): Promise<DatabaseFunction[]> {
  await connection.execute("begin; set local check_function_bodies = off");
  const before = await readDatabaseFunctions(connection);
  for (const { signature } of before) await connection.execute(`drop function if exists ${signature} cascade`);
  await connection.execute(statements);
  const defined = await readDatabaseFunctions(connection);
  await connection.execute("rollback");
  return defined;
}

/** Functions that are gone, or that `create or replace` cannot turn into what is defined. */
function findDropped(before: DatabaseFunction[], defined: DatabaseFunction[]): DatabaseFunction[] {
  const bySignature = new Map(defined.map((one) => [one.signature, one]));
  return before.filter(({ signature, shape, defaults }) => {
    const after = bySignature.get(signature);
    return after === undefined || after.shape !== shape || after.defaults < defaults;
  });
}

/** A new database in memory, with the migrations before that version, or all. */
async function openDatabase(before?: string): Promise<Connection> {
  const connection = pgliteConnection(await openPGlite());
  await migrate(connection, before === undefined ? {} : { before });
  return connection;
}

/** Whether the files define other functions than all migrations made. */
async function hasOtherFunctions(statements: string): Promise<boolean> {
  const connection = await openDatabase();
  const made = await readDatabaseFunctions(connection);
  const isOther = findDropped(made, await readDefinedFunctions(connection, statements)).length > 0;
  await connection.execute(statements);
  const after = await readDatabaseFunctions(connection);
  await connection.close();
  return isOther || JSON.stringify(after) !== JSON.stringify(made);
}

/** Text of the stub of that version: what it drops depends on the migrations before it. The functions apply after these, and so do the bodies. */
async function makeStub(version: string, statements: string, renaming: string): Promise<string> {
  const connection = await openDatabase(version);
  const defined = await readDefinedFunctions(connection, statements);
  const dropped = findDropped(await readDatabaseFunctions(connection), defined);
  const stub = renderStub(
    dropped.map(({ signature }) => signature),
    renaming,
  );
  await connection.transaction(async (transaction) => {
    await transaction.execute(await renderFunctions(stub));
    // Postgres checks the bodies now that all functions are there.
    await transaction.execute(statements);
  });
  await connection.close();
  return stub;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean", default: false }, whole: { type: "boolean", default: false } },
});
const isCheck = values.check;

function fail(message: string): void {
  printError(message);
  process.exitCode = 1;
}

/** Writes a file that is not what it should be, or says so. */
async function keep(path: string, rendered: string): Promise<void> {
  const file = join(root, path);
  if (rendered === (await readFile(file, "utf8").catch(() => ""))) return;
  if (isCheck) fail(`${path} is stale: run npm run schema`);
  else await writeFile(file, rendered);
}

/** Files that follow from shared/catalogue and shared/responses. */
const derived = {
  [cataloguePath]: renderCatalogue(),
  [detailFieldsPath]: renderDetailFields(),
  [recordPagesPath]: renderRecordPages(),
  [fieldNamesPath]: renderFieldNames(),
  [formPath]: renderForm(),
  ...(await renderDocs(root)),
};
for (const [path, rendered] of Object.entries(derived)) {
  await keep(path, rendered);
}

async function writeMigration(): Promise<void> {
  const statements = joinFiles(await readFunctionFiles());
  const { latest, isReleased, isAllReleased, next } = await findMigration();
  if (isAllReleased && !(await hasOtherFunctions(statements))) return;
  const target = isReleased ? await newMigration() : latest;
  const path = join(root, migrationsPath, target.name);
  if (isCheck && isReleased) return fail(`${path} is missing: run npm run schema`);
  // What comes after it is applied when the functions are there.
  if (!isReleased && next !== undefined && !beginsTransaction(await readFile(next.path, "utf8"))) {
    return fail(
      `A migration comes after ${path}: number it before, since the functions have to know its tables, or let it begin a transaction (docs/database.md).`,
    );
  }
  const stub = await makeStub(target.version, statements, renamingOf(target.text));
  if (stub !== target.text) {
    if (isCheck) return fail(`${path} is ${isStub(target.text) ? "stale" : "no stub"}: run npm run schema`);
    await writeFile(path, stub);
  }
  if (!values.whole) return;
  const [folder = root] = positionals;
  await writeFile(join(folder, migrationsPath, target.name), await renderWhole(stub, await readReference()));
}

/** Writes what the migrations make into the files that declare it. */
async function writeDeclarations(): Promise<void> {
  const files = await readSchemaFiles();
  await keep("supabase/schemas/grants.sql", renderGrants(await readFunctionFiles()));
  const connection = await openDatabase();
  const objects = await connection.transaction(readObjects);
  await connection.close();
  const { texts, homeless } = renderTables(
    objects,
    files.filter(({ name }) => name.includes("/tables/")),
  );
  for (const [name, text] of texts) await keep(`supabase/schemas/${name}`, text);
  for (const object of homeless) {
    fail(
      `The ${object} has no room: write "create ${object} (" into tables/tables.sql of one in supabase/schemas, a type into tables/types.sql, and run npm run schema.`,
    );
  }
}

await writeMigration();
await writeDeclarations();
