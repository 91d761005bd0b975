import { randomBytes } from "node:crypto";
import type { Connection } from "../../database/connection.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { connectPostgres } from "../../database/postgres.ts";

/**
 * Gives `work` an empty database of its own, which is gone afterwards: a new one on the server at
 * `serverUrl`, or a PGlite in memory. The database that `serverUrl` names is only connected to.
 */
export async function withScratchDatabase<Result>(
  serverUrl: string | undefined,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  if (serverUrl === undefined) {
    return closing(pgliteConnection(await openPGlite()), work);
  }
  const name = `relevance_${randomBytes(6).toString("hex")}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return closing(await connectPostgres(serverUrl), async (server) => {
    await server.execute(`create database ${name}`);
    try {
      return await closing(await connectPostgres(url.href), work);
    } finally {
      await server.execute(`drop database ${name} with (force)`);
    }
  });
}

async function closing<Result>(
  connection: Connection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
