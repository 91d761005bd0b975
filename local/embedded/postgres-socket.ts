import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { AnswerSpool } from "./answer-spool.ts";
import { PostgresClient } from "./postgres-client.ts";
import type { SessionLock } from "./session.ts";

/** Connections at a time. They take turns, so more would only wait longer. */
const maximumConnections = 20;

/** The socket that is listened on. */
export interface PostgresSocket {
  port: number;
  /** Stops listening and sends every client away; what they had not committed is undone. */
  close(): void;
}

/** Limits of the socket; what is left out has the value that `npm start` uses. */
export interface PostgresSocketOptions {
  /** Where answers wait that a client has not read, in files without a name. @default the system's temporary folder */
  folder?: string;
  /** Bytes of an answer kept in memory for a client; the rest is kept in a file. @default 4 MiB */
  memoryBytes?: number;
  /** Bytes kept for a client in all; a longer answer ends its connection with SQLSTATE 53400. @default 2 GiB */
  maximumAnswerBytes?: number;
  /** How long a client may hold the session and send nothing; then 25P03 ends its connection. @default 60 seconds */
  maximumIdleMs?: number;
}

/**
 * Lets `psql`, the Supabase CLI and our own commands talk to the PGlite in this process, over the
 * Postgres protocol.
 *
 * Each client's statements run with the session lock held: from the first message of an exchange to
 * its end, and through a whole transaction. (PGlite's own socket server runs message by message, so
 * that two clients' statements, or a client's and the API's, can end up in each other's
 * transaction.)
 *
 * An answer is taken from the database whole and then sent as fast as its client reads, without the session.
 *
 * The session is one, so a client's `set` and `set role` last until somebody else is served, and clients
 * that name their prepared statements alike get in each other's way. `COPY ... FROM STDIN` is refused.
 *
 * @param port where to listen on 127.0.0.1 (0: any free one).
 */
export async function listenForPostgresClients(
  lock: SessionLock,
  port: number,
  options: PostgresSocketOptions = {},
): Promise<PostgresSocket> {
  const { folder = tmpdir(), memoryBytes = 4 * 1024 ** 2, maximumAnswerBytes = 2 * 1024 ** 3 } = options;
  const clients = new Set<Socket>();
  const surroundings = { lock, maximumIdleMs: options.maximumIdleMs ?? 60_000, isAlone: () => clients.size === 1 };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    clients.add(socket);
    const client = new PostgresClient(socket, new AnswerSpool(folder, memoryBytes, maximumAnswerBytes), surroundings);
    socket.on("data", (data) => client.receive(data));
    socket.on("end", () => client.receiveEnd());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      // What fails here has failed for everybody: the database is closed.
      void client
        .leave()
        .catch(() => undefined)
        .finally(() => clients.delete(socket));
    });
  });
  server.maxConnections = maximumConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close() {
      server.close();
      for (const client of clients) client.destroy();
    },
  };
}
