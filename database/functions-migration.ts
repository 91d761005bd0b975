/**
 * The migration of the functions. Until a release it is a stub in supabase/migrations: it has the number, and drops what `create or replace` cannot change.
 * Whoever applies it takes the functions from supabase/schemas. A release writes both into the file, which stays as it is from then on.
 */
import { definedRpcs, type FunctionFile, readFunctionFiles } from "./functions.ts";

/** An object of the schema, with a hash of its definition (`funding.present_objects`). */
export interface SchemaObject {
  kind: string;
  name: string;
  digest: string;
}

const begin = "-- Begins a transaction (database/migrate.ts).";
const stubLine = "-- Stands for the functions in supabase/schemas. A release has them here. Written by npm run schema.";
const renderedLine = "-- Functions of supabase/schemas.";
const wholeLine = "-- Written by npm run schema -- --whole from supabase/schemas: change those.";

/**
 * Renaming of what functions name: at the end of the functions' migration, so that no function meets a name that it does not know. It is written by hand,
 * as one `do` statement after this line. It does nothing where it was applied, and locks renamed tables that requests do not use (`funding.lock_tables`).
 */
const renamingLine = "-- Renames what the functions of the release before name otherwise.";

/** The renaming in a functions' migration; empty where there is none. */
export function renamingOf(text: string): string {
  const start = text.indexOf(`${renamingLine}\n`);
  const end = text.indexOf("\n$$;\n", start);
  return start < 0 || end < 0 ? "" : text.slice(start, end + 5);
}

/** Text of the stub. What does not know stubs, such as `supabase db push`, fails at it, and says why. */
export function renderStub(dropped: readonly string[], renaming = ""): string {
  return `${begin}
${stubLine}
do $$ begin
  raise exception 'this version is not released: npm run schema -- --whole writes its functions into this migration, then begin again';
end $$;
${dropped.map((signature) => `drop function if exists ${signature};\n`).join("")}${renaming}`;
}

export const isStub = (text: string) => text.startsWith(`${begin}\n${stubLine}\n`);

/** Whether a text is that of `renderFunctions`: it lacks the hashes of `renderObjects`. */
export const isRendered = (text: string) => text.startsWith(`${begin}\n${renderedLine}\n`);

/** The statements of files, each with its name. */
export const joinFiles = (files: readonly FunctionFile[]) =>
  files.map(({ name, text }) => `-- supabase/schemas/${name}\n${text}\n`).join("");

/** Who may call the functions that the files define. */
export function renderGrants(files: readonly FunctionFile[]): string {
  const rpcs = files
    .flatMap(definedRpcs)
    .map((signature) => `  ${signature}`)
    .join(",\n");
  return `-- The functions of \`public\` are the edge's, those of \`funding\` nobody's but their owner's.
revoke execute on all functions in schema funding from public;
revoke execute on function
${rpcs}
from public, anon, authenticated;
grant execute on function
${rpcs}
to service_role;
`;
}

/** The functions' migration in place of the stub. */
export async function renderFunctions(stub: string): Promise<string> {
  const dropped = stub.match(/^drop function .*\n/gm) ?? [];
  const files = await readFunctionFiles();
  return `${begin}
${renderedLine}

-- A body may call functions that come later.
set check_function_bodies = off;

${dropped.join("")}
${joinFiles(files)}
reset check_function_bodies;

${renderGrants(files)}
-- Whoever applies this says what all migrations made.
delete from funding.schema_objects;

-- A request that is under way goes on with the functions with which it began; others wait until these are committed. Else it would call functions of
-- both versions. (Each request reads one of these tables first.)
select funding.lock_tables(array[${drainedTables.map((table) => `'${table}'`).join(", ")}]);
${renamingOf(stub)}`;
}

/** Objects that the database has after all migrations, for `funding.schema_faults` to compare it with. */
export function renderObjects(objects: readonly SchemaObject[]): string {
  const rows = objects.map(({ kind, name, digest }) => `  ('${kind}', '${name.replaceAll("'", "''")}', '${digest}')`);
  return `
insert into funding.schema_objects (kind, name, digest) values
${rows.join(",\n")};
`;
}

/** The functions' migration as a release has it. */
export async function renderWhole(stub: string, objects: readonly SchemaObject[]): Promise<string> {
  return (await renderFunctions(stub)).replace(renderedLine, wholeLine) + renderObjects(objects);
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
