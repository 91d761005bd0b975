import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../../database/connection.ts";
import { readDatabaseFunctions, readSchemaFiles } from "../../../database/functions.ts";
import { openPGlite, pgliteConnection } from "../../../database/pglite.ts";
import { readObjects, renderTables } from "../../../scripts/schema/tables.ts";
import { openEmptyDatabase } from "../../support/service.ts";

/** A database that the files of supabase/schemas made, in their order, as `supabase db diff` makes one. */
let declared: Connection;
/** One that the migrations made. */
let migrated: Connection;

beforeAll(async () => {
  migrated = pgliteConnection(await openEmptyDatabase());
  declared = pgliteConnection(await openPGlite());
  for (const { name, text } of await readSchemaFiles()) {
    await declared.execute(text).catch((error: unknown) => {
      throw new Error(`supabase/schemas/${name}: ${(error as Error).message}`);
    });
  }
});
afterAll(() => Promise.all([declared?.close(), migrated?.close()]));

const both = <Result>(read: (connection: Connection) => Promise<Result>) =>
  Promise.all([read(declared), read(migrated)]);

test("the folder makes the tables, types, sequences, indexes, constraints and triggers that the migrations make", async () => {
  const [ours, theirs] = await both((connection) => connection.transaction(readObjects));
  expect(theirs.length).toBeGreaterThan(80);
  expect(ours).toEqual(theirs);
  const [digests, expected] = await both((connection) =>
    connection.query('select kind, name, digest from funding.present_objects() order by kind, name collate "C"'),
  );
  expect(digests).toEqual(expected);
});

test("the folder makes the functions that the migrations make, with their owners and grants", async () => {
  const [ours, theirs] = await both(readDatabaseFunctions);
  expect(theirs.length).toBeGreaterThan(200);
  expect(ours).toEqual(theirs);
});

test("the folder makes the extensions, grants, policies and text search that the migrations make, and nothing else", async () => {
  const [ours, theirs] = await both((connection) =>
    connection.query(`
      select 'schema' as kind, nspname::text as name, nspacl::text as definition from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'supabase_migrations'
      union all select 'extension', extname, extnamespace::regnamespace::text from pg_extension
      union all select 'role', rolname, null from pg_roles where rolname !~ '^pg_'
      union all select 'default privileges', defaclnamespace::regnamespace::text, concat_ws(' ', defaclobjtype, defaclacl) from pg_default_acl
      union all select 'grant', relname, relacl::text from pg_class where relnamespace = 'funding'::regnamespace and relacl is not null
      union all select 'policy', concat_ws(' ', tablename, policyname), concat_ws(' ', permissive, roles, cmd, qual, with_check) from pg_policies
      union all select 'relation', oid::regclass::text, concat_ws(' ', relkind, relpersistence, reloptions, relreplident, relforcerowsecurity)
        from pg_class where relnamespace in ('funding'::regnamespace, 'public'::regnamespace)
      union all select 'sequence', seqrelid::regclass::text, concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle)
        from pg_sequence
      union all select 'text search', concat_ws(' ', cfgname, maptokentype, mapseqno), mapdict::regdictionary::text
        from pg_ts_config join pg_ts_config_map on mapcfg = pg_ts_config.oid where cfgnamespace = 'funding'::regnamespace
      order by 1, 2, 3`),
  );
  expect(ours).toEqual(theirs);
});

test("a table that no room declares is told, and comments stay with their line", async () => {
  const objects = await migrated.transaction(readObjects);
  const file =
    "-- Tables.\n\n-- One row.\ncreate table funding.usage_totals (\n  -- How many.\n  requests bigint\n);\n";
  const { texts, homeless } = renderTables(objects, [{ name: "accounts/tables/tables.sql", text: file }]);
  const text = texts.get("accounts/tables/tables.sql") ?? "";
  expect(text).toMatch(/^-- Tables\.\n\n-- One row\.\ncreate table funding\.usage_totals \(\n/);
  expect(text).toMatch(/\n {2}-- How many\.\n {2}requests /);
  expect(homeless).toContain("table funding.accounts");
  expect(homeless).not.toContain("table funding.usage_totals");
});
