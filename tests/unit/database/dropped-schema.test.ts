import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeBackup } from "../../../database/backup/write.ts";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { migrateAnew } from "../../../database/dropped-schema.ts";
import { DroppedSchemaError, migrate, migrationState, requireMigrated } from "../../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../../database/pglite.ts";
import { readSchemaFaults } from "../../../database/schema-faults.ts";
import { DataFolderError } from "../../../local/embedded/data-folder.ts";
import { openEmbedded } from "../../../local/embedded/open.ts";
import { recipe } from "../../docs/blocks.ts";
import { openEmptyDatabase } from "../../support/service.ts";

let connection: Connection;

beforeEach(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});
afterEach(() => connection.close());

const drop = () => connection.execute(recipe("recipe-empty"));

const recorded = async () =>
  (
    await queryOne<{ versions: string[] }>(
      connection,
      "select array(select version from supabase_migrations.schema_migrations order by version) as versions",
    )
  ).versions;

test("a schema that was dropped is told from one that is up to date", async () => {
  await drop();
  await expect(migrate(connection)).rejects.toThrow(DroppedSchemaError);
  await expect(requireMigrated(connection)).rejects.toThrow("npm run migrate -- --anew makes the schema again, empty");
  await expect(migrationState(connection)).rejects.toThrow(DroppedSchemaError);
  const about = { version: "", created_at: "", files: {} };
  const report = { table: () => undefined, leftOut: () => undefined };
  await expect(writeBackup(connection, about, report).next()).rejects.toThrow("has no schema funding");
});

test("made anew it is whole, and what others have in the database stays", async () => {
  const before = await recorded();
  await drop();
  await connection.execute(`
    insert into supabase_migrations.schema_migrations (version) values ('20200101000000');
    create function public.get_metrics(of_the_operator text) returns text language sql as $$ select 'theirs' $$`);
  await expect(migrateAnew(connection)).rejects.toThrow("20200101000000");
  await connection.execute("delete from supabase_migrations.schema_migrations where version = '20200101000000'");
  expect(await migrateAnew(connection)).toEqual(before);
  expect(await recorded()).toEqual(before);
  expect(await readSchemaFaults(connection)).toEqual([]);
  expect(await queryOne(connection, "select public.get_metrics('x') as whose")).toEqual({ whose: "theirs" });
});

test("functions are dropped also where somebody has removed the record of the migrations", async () => {
  await drop();
  await connection.execute("drop schema supabase_migrations cascade");
  expect((await migrateAnew(connection)).length).toBeGreaterThan(50);
  expect(await readSchemaFaults(connection)).toEqual([]);
});

test("it is not made anew at the cost of what needs one of its functions", async () => {
  const before = await recorded();
  await connection.execute("create view public.of_the_operator as select public.get_metrics()");
  await drop();
  await expect(migrateAnew(connection)).rejects.toThrow(
    "needed: view of_the_operator depends on function get_metrics().",
  );
  expect(await recorded()).toEqual(before);
  expect(await connection.query("select from pg_views where viewname = 'of_the_operator'")).toHaveLength(1);
});

test("npm start does not go on with an empty schema", async () => {
  const path = mkdtempSync(join(tmpdir(), "dropped-"));
  const ignored = () => undefined;
  const folder = { path, databasePath: join(path, "postgres"), announce: ignored, release: ignored };
  try {
    const created = pgliteConnection(await openPGlite(folder.databasePath));
    await created.execute(`
      create schema supabase_migrations;
      create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
      insert into supabase_migrations.schema_migrations (version) values ('20261120000100')`);
    await created.close();
    const opened = openEmbedded(folder, () => undefined);
    await expect(opened).rejects.toThrow(DataFolderError);
    await expect(opened).rejects.toThrow("The schema funding was dropped from the database");
  } finally {
    rmSync(path, { recursive: true });
  }
});
