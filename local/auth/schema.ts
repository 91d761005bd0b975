import { readFile } from "node:fs/promises";
import type { Connection } from "../../database/connection.ts";

/** Makes the tables of the embedded sign-in where they are missing. Never to be run on a Supabase database. */
export async function prepareAuthSchema(connection: Connection): Promise<void> {
  await connection.execute(await readFile(new URL("schema.sql", import.meta.url), "utf8"));
}
