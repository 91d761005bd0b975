import { randomBytes } from "node:crypto";
import { type Connection, closeAfter } from "../../database/connection.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { connectPostgres } from "../../database/postgres.ts";

/**
 * Runs `work` on an empty scratch database, which is dropped afterwards: a new one on the server at `serverUrl`, or a
 * PGlite in memory. The database in `serverUrl` itself is not changed.
 *
 * @param work called with the connection and, on a server, the database's address.
 * @param copied on a server, the database to make a copy of, in which nobody may have a session.
 */
export async function withScratchDatabase<Result>(
  serverUrl: string | undefined,
  work: (connection: Connection, url?: string) => Promise<Result>,
  copied?: { name: string; pause<Paused>(work: () => Promise<Paused>): Promise<Paused> },
): Promise<Result> {
  if (serverUrl === undefined) {
    return closeAfter(pgliteConnection(await openPGlite()), work);
  }
  const name = `scratch_${randomBytes(6).toString("hex")}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return closeAfter(await connectPostgres(serverUrl), async (server) => {
    if (copied === undefined) await server.execute(`create database ${name}`);
    else await copied.pause(() => server.execute(`create database ${name} template ${copied.name}`));
    const drop = () => server.execute(`drop database if exists ${name} with (force)`);
    // Ctrl-C drops the database, and the work in progress fails without it.
    const interrupt = () => void drop().catch(() => undefined);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
    try {
      return await closeAfter(await connectPostgres(url.href), (connection) => work(connection, url.href));
    } finally {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
      await drop();
    }
  });
}
