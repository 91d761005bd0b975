import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Connection, queryOne } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";

const migrationsFolder = new URL("../../supabase/migrations/", import.meta.url);
const thisMigration = "20261122000500";

/** Brings a database to where it was before the migration. */
async function migrateUntilThen(connection: Connection): Promise<void> {
  await connection.execute(`create schema supabase_migrations;
    create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text)`);
  for (const name of (await readdir(migrationsFolder)).sort()) {
    const [version = ""] = name.split("_");
    if (version >= thisMigration) continue;
    await connection.execute(await readFile(new URL(name, migrationsFolder), "utf8"));
    await connection.query("insert into supabase_migrations.schema_migrations (version) values ($1)", [version]);
  }
}

test("a database with a funder that was renamed, and with one name twice, is migrated: its sources find their funders", async () => {
  const connection = pgliteConnection(await openPGlite());
  const load = (dataset: string, ...records: object[]) =>
    connection.query("select funding.upsert_records($1, $2)", [dataset, JSON.stringify(records)]);
  const grant = (id: string, source: string, funder_name: string) =>
    load("grants", { source, source_id: id, title: id, status: "open", funder_name });
  const funderOf = async (id: string) =>
    (
      await queryOne<{ funder_id: string }>(connection, "select funder_id from funding.grants where source_id = $1", [
        id,
      ])
    ).funder_id;
  try {
    await migrateUntilThen(connection);
    await grant("renamed", "grants-a", "Alpha");
    await load("funders", { source: "directory", source_id: "1", name: "Alpha", created_at: null });
    await load("funders", { source: "directory", source_id: "1", name: "Alpha International", created_at: null });
    await expect(grant("lost", "grants-a", "ALPHA")).rejects.toThrow("funder_id");
    // As two imports at once left it.
    await connection.execute(`insert into funding.funders (id, name, created_at, source, source_id, content_hash) values
      (funding.record_id('funders', 'grants-a', 'name:beta'), 'Beta', '2026-01-01', 'grants-a', 'name:beta', ''),
      (funding.record_id('funders', 'grants-b', 'name:beta'), 'Beta', '2026-01-02', 'grants-b', 'name:beta', '')`);

    expect(await migrate(connection)).toContain(thisMigration);
    await grant("found", "grants-a", "ALPHA");
    await grant("found elsewhere", "grants-b", "alpha");
    await grant("by its present name", "grants-c", "Alpha International");
    for (const id of ["found", "found elsewhere", "by its present name"]) {
      expect(await funderOf(id)).toBe(await funderOf("renamed"));
    }
    for (const source of ["grants-a", "grants-b", "grants-c"]) await grant(`beta of ${source}`, source, "Beta");
    expect(await funderOf("beta of grants-a")).not.toBe(await funderOf("beta of grants-b"));
    expect(await funderOf("beta of grants-c")).toBe(await funderOf("beta of grants-a"));
    expect(await queryOne(connection, "select count(*)::integer as count from funding.funders")).toEqual({ count: 3 });
  } finally {
    await connection.close();
  }
});
