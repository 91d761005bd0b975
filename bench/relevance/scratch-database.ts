import { randomBytes } from "node:crypto";
import type { Connection } from "../../database/connection.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { connectPostgres } from "../../database/postgres.ts";

/**
 * Gives `work` an empty database of its own, which is gone afterwards: a new one on the server at
 * `serverUrl`, or a PGlite in memory. The database that `serverUrl` names is only connected to.
 *
 * @param work gets the connection and, on a server, the database's address.
 */
export async function withScratchDatabase<Result>(
  serverUrl: string | undefined,
  work: (connection: Connection, url?: string) => Promise<Result>,
): Promise<Result> {
  if (serverUrl === undefined) {
    return closing(pgliteConnection(await openPGlite()), work);
  }
  const name = `scratch_${randomBytes(6).toString("hex")}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return closing(await connectPostgres(serverUrl), async (server) => {
    await server.execute(`create database ${name}`);
    const drop = () => server.execute(`drop database if exists ${name} with (force)`);
    // Ctrl-C takes the database away, and the work that is under way fails for want of it.
    const interrupt = () => void drop().catch(() => undefined);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
    try {
      return await closing(await connectPostgres(url.href), (connection) => work(connection, url.href));
    } finally {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
      await drop();
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
