/**
 * Generates shared/database/types.generated.ts: the functions of the schema `public` after all migrations, in the format
 * of supabase-js and `supabase gen types`. Also generates migration.generated.ts beside it: the latest migration, which the
 * functions require.
 *
 * usage: node local/deno.mjs scripts/database-types.ts [--check]
 *
 * With --check it writes nothing, and fails when the files are stale.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Connection } from "../database/connection.ts";
import { migrate } from "../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../database/pglite.ts";
import { printError } from "../local/print.ts";

const outputFolder = fileURLToPath(new URL("../shared/database/", import.meta.url));

/** TypeScript types of Postgres types, as PostgREST reads and writes them in JSON. */
const jsonTypes: Record<string, string> = {
  bool: "boolean",
  int2: "number",
  int4: "number",
  int8: "number",
  float4: "number",
  float8: "number",
  numeric: "number",
  text: "string",
  uuid: "string",
  date: "string",
  timestamptz: "string",
  json: "Json",
  jsonb: "Json",
  void: "undefined",
};

interface FunctionRow {
  name: string;
  arguments: { name: string; type: string; is_optional: boolean }[];
  result: string;
}

async function readFunctions(connection: Connection): Promise<FunctionRow[]> {
  return connection.query<FunctionRow>(`
    select routine.proname as name,
           (select coalesce(json_agg(json_build_object(
              'name', routine.proargnames[position],
              'type', format_type.typname,
              'is_optional', position > routine.pronargs - routine.pronargdefaults) order by position), '[]')
            from unnest(routine.proargtypes::oid[]) with ordinality as argument(type_id, position)
            join pg_type as format_type on format_type.oid = argument.type_id) as arguments,
           result_type.typname as result
    from pg_proc as routine
    join pg_type as result_type on result_type.oid = routine.prorettype
    where routine.pronamespace = 'public'::regnamespace
    order by routine.proname collate "C"`);
}

/** Fails if `public` has tables or views. It must have only RPCs, so the types have no relations. */
async function refuseRelations(connection: Connection): Promise<void> {
  const [relation] = await connection.query<{ relname: string }>(
    "select relname from pg_class where relnamespace = 'public'::regnamespace limit 1",
  );
  if (relation !== undefined)
    throw new Error(`public.${relation.relname} is not a function, and public holds RPCs alone`);
}

function toJsonType(postgresType: string): string {
  if (postgresType.startsWith("_")) return `${toJsonType(postgresType.slice(1))}[]`;
  const type = jsonTypes[postgresType];
  if (type === undefined) throw new Error(`scripts/database-types.ts does not know the type ${postgresType}`);
  return type;
}

/** Formats a function's type, with one line for each member. The formatter does not wrap such lines. */
function formatFunction({ name, arguments: parameters, result }: FunctionRow): string {
  const members = parameters.map(
    (one) => `          ${one.name}${one.is_optional ? "?" : ""}: ${toJsonType(one.type)};`,
  );
  const args = members.length === 0 ? "Record<PropertyKey, never>" : `{\n${members.join("\n")}\n        }`;
  return `      ${name}: {\n        Args: ${args};\n        Returns: ${toJsonType(result)};\n      };`;
}

function render(functions: FunctionRow[]): string {
  return `// Written by scripts/database-types.ts from supabase/migrations: change those, and write it again.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

type None = Record<never, never>;

export type Database = {
  public: {
    Tables: None;
    Views: None;
    Functions: {
${functions.map(formatFunction).join("\n")}
    };
    Enums: None;
    CompositeTypes: None;
  };
};
`;
}

const connection = pgliteConnection(await openPGlite());
const latest = (await migrate(connection)).at(-1);
await refuseRelations(connection);
const outputs = {
  "types.generated.ts": render(await readFunctions(connection)),
  "migration.generated.ts": `// Written by scripts/database-types.ts, as types.generated.ts is.

/** The latest migration: what a database must have for these functions. */
export const latestMigration = "${latest}";
`,
};
await connection.close();

for (const [name, text] of Object.entries(outputs)) {
  const path = `${outputFolder}${name}`;
  if (!process.argv.includes("--check")) {
    await writeFile(path, text);
  } else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
    printError(`${path} is stale: run node local/deno.mjs scripts/database-types.ts`);
    process.exitCode = 1;
  }
}
