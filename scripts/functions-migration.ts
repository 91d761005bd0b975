/**
 * Writes what follows from shared/catalogue and from the schemas of records, and the latest supabase/migrations/NUMBER_functions.sql from supabase/schemas: all functions of the schemas `funding` and
 * `public`, in one migration, with a hash of every object that the migrations make. It drops those that are gone or that `create or replace` cannot change, makes the others, and
 * sets who may call them. Once that file is released, the next change makes a new one. docs/database.md says how to work with it.
 *
 * usage: node local/deno.mjs scripts/functions-migration.ts [--check]
 *
 * With --check it writes nothing, and fails when the file is not what it would write.
 */

import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Connection } from "../database/connection.ts";
import { type DatabaseFunction, readDatabaseFunctions, readFunctionFiles } from "../database/functions.ts";
import { beginsTransaction, listMigrations, migrate } from "../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../database/pglite.ts";
import { readReleases, releasedMigrations } from "../database/releases.ts";
import { printError } from "../local/print.ts";
import { renderDocs } from "./catalogue/docs.ts";
import { fieldNamesPath, renderFieldNames } from "./catalogue/fields.ts";
import { cataloguePath, detailFieldsPath, renderCatalogue, renderDetailFields } from "./catalogue/filter-sql.ts";
import { formPath, renderForm } from "./catalogue/form.ts";
import { recordPagesPath, renderRecordPages } from "./catalogue/record-sql.ts";

const migrationsFolder = fileURLToPath(new URL("../supabase/migrations/", import.meta.url));

interface FunctionsMigration {
  version: string;
  path: string;
  /** Text of the file; empty if there is none yet. */
  text: string;
}

/**
 * The latest functions' migration, and whether it may be written: a release keeps its own as it is. After it come only migrations that begin a
 * transaction, and so are applied when the functions are there.
 */
async function findMigration(): Promise<{ latest: FunctionsMigration; isReleased: boolean; isCurrent: boolean }> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql")).sort();
  const name = names.findLast((file) => file.endsWith("_functions.sql"));
  if (name === undefined) throw new Error("supabase/migrations has no NUMBER_functions.sql: make an empty one");
  const path = `${migrationsFolder}${name}`;
  const next = names[names.indexOf(name) + 1];
  return {
    latest: { version: name.split("_")[0] ?? "", path, text: await readFile(path, "utf8") },
    isReleased: releasedMigrations(await readReleases()).includes(name),
    isCurrent: next === undefined || beginsTransaction(await readFile(`${migrationsFolder}${next}`, "utf8")),
  };
}

/** A new functions' migration, numbered after every migration that there is. */
async function newMigration(): Promise<FunctionsMigration> {
  const last =
    (await readdir(migrationsFolder))
      .filter((name) => name.endsWith(".sql"))
      .sort()
      .at(-1) ?? "";
  const today = `${new Date().toISOString().slice(0, 10).replaceAll("-", "")}001000`;
  const version = last < today ? today : String(BigInt(last.split("_")[0] ?? "") + 10n);
  return { version, path: `${migrationsFolder}${version}_functions.sql`, text: "" };
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
  return `-- Begins a transaction (database/migrate.ts).
-- Written by scripts/functions-migration.ts from supabase/schemas: change those, and run npm run schema.

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

/** Tables that requests read or write, in the order in which they do. */
const drainedTables = [
  "stripe_events",
  "stripe_subscriptions",
  "usage_writers",
  "api_keys",
  "accounts",
  "subscriptions",
  "tiers",
  "pages",
  "totals",
  "lexicon_fit",
  "lexicon",
  "funders",
  "grants",
  "contracts",
  "daily_quota",
  "usage",
  "events",
  "dispatch_clock",
  "record_changes",
  "webhook_endpoints",
  "webhook_deliveries",
  "webhook_recoveries",
];

interface SchemaObject {
  kind: string;
  name: string;
  digest: string;
}

/** Objects that the database has after all migrations, for `funding.schema_faults` to compare it with. */
function renderObjects(objects: SchemaObject[]): string {
  const rows = objects.map(({ kind, name, digest }) => `  ('${kind}', '${name.replaceAll("'", "''")}', '${digest}')`);
  return `
-- What the migrations made.
delete from funding.schema_objects;
insert into funding.schema_objects (kind, name, digest) values
${rows.join(",\n")};

-- A request that is under way goes on with the functions with which it began; others wait until these are committed. Else it would call functions of
-- both versions. (Each request reads one of these tables first.)
select funding.lock_tables(array[${drainedTables.map((table) => `'${table}'`).join(", ")}]);
`;
}

const isCheck = process.argv.includes("--check");

/** Files that follow from shared/catalogue and shared/responses. */
const derived = {
  [cataloguePath]: renderCatalogue(),
  [detailFieldsPath]: renderDetailFields(),
  [recordPagesPath]: renderRecordPages(),
  [fieldNamesPath]: renderFieldNames(),
  [formPath]: renderForm(),
  ...(await renderDocs(fileURLToPath(new URL("../", import.meta.url)))),
};
for (const [path, rendered] of Object.entries(derived)) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (rendered === (await readFile(file, "utf8").catch(() => ""))) continue;
  if (isCheck) {
    printError(`${path} is stale: run npm run schema`);
    process.exitCode = 1;
  } else {
    await writeFile(file, rendered);
  }
}

const statements = (await readFunctionFiles())
  .map(({ name, text }) => `-- supabase/schemas/${name}\n${text}\n`)
  .join("");

/** Text of the functions' migration of that version: what it changes depends on the migrations before it. */
async function write(version: string): Promise<string> {
  const connection = pgliteConnection(await openPGlite());
  await migrate(connection, { before: version });
  const defined = await readDefinedFunctions(connection, statements);
  const functions = render(statements, findDropped(await readDatabaseFunctions(connection), defined), defined);
  // They apply, and so do the bodies, which Postgres checks once all functions are there.
  await connection.transaction(async (transaction) => {
    await transaction.execute(functions);
    await transaction.execute(statements);
  });
  for (const { version: later, path } of await listMigrations()) {
    if (later > version) await connection.execute(await readFile(path, "utf8"));
  }
  const objects = await connection.query<SchemaObject>(
    'select kind, name, digest from funding.present_objects() order by kind, name collate "C"',
  );
  await connection.close();
  return functions + renderObjects(objects);
}

const { latest, isReleased, isCurrent } = await findMigration();
const text = isCurrent ? await write(latest.version) : undefined;
if (text !== latest.text) {
  const target = isReleased ? await newMigration() : latest;
  if (!isCurrent && !isReleased) {
    printError(
      `A migration comes after ${latest.path}: number it before, since the functions have to know its tables, or let it begin a transaction (docs/database.md).`,
    );
    process.exitCode = 1;
  } else if (isCheck) {
    printError(`${target.path} is ${target === latest ? "stale" : "missing"}: run npm run schema`);
    process.exitCode = 1;
  } else {
    await writeFile(target.path, target === latest && text !== undefined ? text : await write(target.version));
  }
}
