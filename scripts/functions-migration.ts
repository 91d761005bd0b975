/**
 * Writes the latest supabase/migrations/NUMBER_functions.sql from supabase/schemas: all functions of the schemas `funding` and
 * `public`, in one migration, with a digest of every object that the migrations make. It drops those that are gone or that `create or replace` cannot change, makes the others, and
 * sets who may call them. docs/database.md says how to work with it.
 *
 * usage: node local/deno.mjs scripts/functions-migration.ts [--check]
 *
 * With --check it writes nothing, and fails when the file is not what it would write.
 */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Connection } from "../database/connection.ts";
import { type DatabaseFunction, readDatabaseFunctions, readFunctionFiles } from "../database/functions.ts";
import { migrate } from "../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../database/pglite.ts";
import { printError } from "../local/print.ts";

const migrationsFolder = fileURLToPath(new URL("../supabase/migrations/", import.meta.url));

/** Path of the migration to write: a release has one, and a new release takes a new number. */
async function findMigration(): Promise<{ version: string; path: string }> {
  const name = (await readdir(migrationsFolder)).sort().findLast((file) => file.endsWith("_functions.sql"));
  if (name === undefined) throw new Error("supabase/migrations has no NUMBER_functions.sql: make an empty one");
  return { version: name.split("_")[0] ?? "", path: `${migrationsFolder}${name}` };
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

const indented = (functions: DatabaseFunction[]) => functions.map(({ signature }) => `  ${signature}`).join(",\n");

function render(statements: string, dropped: DatabaseFunction[], defined: DatabaseFunction[]): string {
  const rpcs = indented(defined.filter(({ schema }) => schema === "public"));
  return `-- Written by scripts/functions-migration.ts from supabase/schemas: change those, and run npm run schema.

-- A body may call functions that come later.
set check_function_bodies = off;

${dropped.map(({ signature }) => `drop function if exists ${signature};\n`).join("")}
${statements}
reset check_function_bodies;

-- The functions of \`public\` are the edge's, those of \`funding\` nobody's but their owner's.
revoke execute on all functions in schema funding from public;
revoke execute on function
${rpcs}
from public, anon, authenticated;
grant execute on function
${rpcs}
to service_role;
`;
}

interface SchemaObject {
  kind: string;
  name: string;
  digest: string;
}

/** What the database has after all migrations, for `funding.schema_faults` to compare it with. */
function renderObjects(objects: SchemaObject[]): string {
  const rows = objects.map(({ kind, name, digest }) => `  ('${kind}', '${name.replaceAll("'", "''")}', '${digest}')`);
  return `
-- What the migrations made.
truncate funding.schema_objects;
insert into funding.schema_objects (kind, name, digest) values
${rows.join(",\n")};
`;
}

const { version, path } = await findMigration();
const statements = (await readFunctionFiles())
  .map(({ name, text }) => `-- supabase/schemas/${name}\n${text}\n`)
  .join("");
const connection = pgliteConnection(await openPGlite());
await migrate(connection, version);
const defined = await readDefinedFunctions(connection, statements);
const functions = render(statements, findDropped(await readDatabaseFunctions(connection), defined), defined);
// They apply, and so do the bodies, which Postgres checks once all functions are there.
await connection.transaction(async (transaction) => {
  await transaction.execute(functions);
  await transaction.execute(statements);
});
const objects = await connection.query<SchemaObject>(
  'select kind, name, digest from funding.present_objects() order by kind, name collate "C"',
);
await connection.close();
const migration = functions + renderObjects(objects);

if (!process.argv.includes("--check")) {
  await writeFile(path, migration);
} else if ((await readFile(path, "utf8").catch(() => "")) !== migration) {
  printError(`${path} is stale: run npm run schema`);
  process.exitCode = 1;
}
