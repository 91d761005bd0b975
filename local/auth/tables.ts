import { readFile } from "node:fs/promises";
import type { Connection } from "../../database/connection.ts";

/** Creates the tables of the service's own sign-in where they are missing. Never for a database that Supabase Auth uses. */
export async function createAuthTables(connection: Connection): Promise<void> {
  await connection.execute(await readFile(new URL("schema.sql", import.meta.url), "utf8"));
}
