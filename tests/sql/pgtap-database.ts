import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { pgtap } from "@electric-sql/pglite-pgtap";
import { vector } from "@electric-sql/pglite-pgvector";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import { migrate } from "../../database/migrate.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { faultsIn } from "./tap.ts";

/** The folder that `supabase test db` runs on a Supabase database. */
const folder = fileURLToPath(new URL("../../supabase/tests/", import.meta.url));

/** Names of the files of the SQL suite. */
export const pgtapFiles = readdirSync(folder).filter((name) => name.endsWith(".test.sql"));

/**
 * Supabase projects made before the autumn of 2026 give the API roles whatever is made in public, so
 * that revoking it from `public` is not enough. A migration that is safe there is safe everywhere.
 */
const olderProject = `
  create role anon nologin noinherit;
  create role authenticated nologin noinherit;
  create role service_role nologin noinherit bypassrls;
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
`;

/** Opens a migrated database with pgTAP, for the SQL suite. */
export async function openPgtapDatabase(): Promise<PGlite> {
  const database = await PGlite.create({
    extensions: { vector, pg_trgm, unaccent, pgtap },
    loadDataDir: await dataDir(),
    startParams: [...PGlite.defaultStartParams, "-c", "timezone=UTC"],
  });
  await database.exec(olderProject);
  await migrate(pgliteConnection(database));
  await database.exec("create extension pgtap with schema extensions");
  return database;
}

/**
 * Runs a file of the SQL suite, which rolls back what it did.
 *
 * @returns what is wrong, by its TAP.
 * @throws when an error ends the file.
 */
export async function runPgtapFile(database: PGlite, name: string): Promise<string[]> {
  try {
    const results = await database.exec(readFileSync(folder + name, "utf8"), { rowMode: "array" });
    return faultsIn(results.flatMap(({ rows }) => rows.flat().flatMap((value) => String(value).split("\n"))));
  } catch (error) {
    // A file that an error ends has not come to its own rollback.
    await database.exec("rollback");
    throw error;
  }
}
