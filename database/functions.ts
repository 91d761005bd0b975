import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Connection } from "./connection.ts";

const supabaseFolder = fileURLToPath(new URL("../supabase/", import.meta.url));

/** A file of supabase/schemas. */
export interface FunctionFile {
  /** Path from supabase/schemas, with slashes. */
  name: string;
  text: string;
}

/** Files that declare the whole schema, in the order in which they make it: `schema_paths` of supabase/config.toml, where a star is any name. */
export async function readSchemaFiles(): Promise<FunctionFile[]> {
  const [, list = ""] =
    /^schema_paths = \[([^\]]*)\]/m.exec(await readFile(`${supabaseFolder}config.toml`, "utf8")) ?? [];
  const patterns = [...list.matchAll(/^\s*"\.\/schemas\/([^"]+)"/gm)].map(([, pattern = ""]) =>
    RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^/]+")}$`),
  );
  const paths = (await readdir(`${supabaseFolder}schemas`, { recursive: true }))
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
  const names = new Set(patterns.flatMap((pattern) => paths.filter((path) => pattern.test(path))));
  return Promise.all(
    [...names].map(async (name) => ({ name, text: await readFile(`${supabaseFolder}schemas/${name}`, "utf8") })),
  );
}

/** Files that define the functions of the schemas `funding` and `public`, in the order in which they are applied. */
export async function readFunctionFiles(): Promise<FunctionFile[]> {
  return (await readSchemaFiles()).filter(({ name }) => name.includes("/") && !name.includes("/tables/"));
}

/** Names of the functions that a file defines, with their schema, in its order; of overloads, each. */
export function definedFunctions({ text }: FunctionFile): string[] {
  return [...text.matchAll(/^create or replace function ((?:funding|public)\.\w+)\(/gm)].map(([, name = ""]) => name);
}

/** The functions of `public` that a file defines, in its order, each with its arguments in one line. An argument's default is a literal. */
export function definedRpcs({ text }: FunctionFile): string[] {
  return [...text.matchAll(/^create or replace function (public\.\w+\([^$]*?\))\s+returns /gm)].map(
    ([, signature = ""]) => signature.replaceAll(/ default (?:'[^']*'|[^,')]+)/g, "").replaceAll(/\s+/g, " "),
  );
}

/** A function of the schemas `funding` and `public` that no extension owns. */
export interface DatabaseFunction {
  schema: "funding" | "public";
  /** Schema and name. */
  name: string;
  /** Schema, name and types of the arguments, as a `drop` names them. */
  signature: string;
  /** Result, and names and modes of the arguments: `create or replace` cannot change them. */
  shape: string;
  /** Number of arguments with a default: `create or replace` cannot make them fewer. */
  defaults: number;
  /** `pg_get_functiondef`, owner and privileges. */
  definition: string;
}

export async function readDatabaseFunctions(connection: Connection): Promise<DatabaseFunction[]> {
  return connection.query<DatabaseFunction>(`
    select namespace.nspname as schema, format('%I.%I', namespace.nspname, routine.proname) as name,
           format('%I.%I(%s)', namespace.nspname, routine.proname, (
             select string_agg(format_type(argument.type_id, null), ', ' order by argument.position)
             from unnest(routine.proargtypes::oid[]) with ordinality as argument(type_id, position))) collate "C" as signature,
           concat_ws(' ', pg_get_function_result(routine.oid), routine.proargnames, routine.proargmodes) as shape,
           routine.pronargdefaults as defaults,
           concat_ws(' ', pg_get_functiondef(routine.oid), routine.proowner::regrole, routine.proacl) as definition
    from pg_proc as routine join pg_namespace as namespace on namespace.oid = routine.pronamespace
    where namespace.nspname in ('funding', 'public') and not exists (
      select from pg_depend where classid = 'pg_proc'::regclass and objid = routine.oid and deptype = 'e')
    order by signature`);
}
