import pg from "pg";

/** @throws unless the environment names the native stack's database. */
export function databaseUrl(): string {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL === undefined) throw new Error("DATABASE_URL must name the native stack's database");
  return DATABASE_URL;
}

/** A session of its own, whose transactions hold their locks beside the others'. The caller ends it. */
export async function newSession(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: databaseUrl() });
  await session.connect();
  return session;
}
