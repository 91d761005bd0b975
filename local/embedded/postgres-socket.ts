import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { AnswerSpool } from "./answer-spool.ts";
import { PasswordChecks } from "./password-checks.ts";
import { PostgresClient } from "./postgres-client.ts";
import { authenticate, endConnection, type HandshakeOptions } from "./postgres-handshake.ts";
import { fatalError } from "./postgres-protocol.ts";
import { createScramVerifier } from "./scram.ts";
import type { SessionLock } from "./session.ts";

/** Limit of authenticated clients. They share one session, so more would only wait longer. */
const maximumClients = 20;
/** Limit of connections that have not authenticated. A further one evicts one of them, chosen at random. */
const maximumHandshakes = 200;
/** Concurrent password checks, and the time that a wrong one keeps its permit: at most 50 guesses a second. */
const passwordPermits = 50;
const refusalMs = 1000;

/** The listening socket. */
export interface PostgresSocket {
  port: number;
  /** Stops listening and disconnects every client. Open transactions are rolled back. */
  close(): void;
}

/** Password and limits of the socket. The defaults are those of `npm start`. */
export interface PostgresSocketOptions {
  /** The password of the user `postgres`: printable ASCII. */
  password: string;
  /** Called when a client gives a wrong password or user. */
  onRefusal?: () => void;
  /** Time limit for authentication. @default 10 seconds */
  maximumHandshakeMs?: number;
  /** Folder of the unlinked files that hold unread answers. @default the system's temporary folder */
  folder?: string;
  /** Unread bytes per client in memory; the rest goes to a file. @default 4 MiB */
  memoryBytes?: number;
  /** Unread bytes per client in all. A longer answer ends the connection with SQLSTATE 53400. @default 2 GiB */
  maximumAnswerBytes?: number;
  /** Idle time of a client that holds the session, after which 25P03 ends its connection. @default 60 seconds */
  maximumIdleMs?: number;
}

/**
 * Serves the PGlite in this process over the Postgres protocol, to `psql`, the Supabase CLI and our own commands.
 *
 * A client's statements run under the session lock: from the first message of a query to its end, and through a whole
 * transaction. (PGlite's own socket server works message by message, so statements of two clients, or of a client and the
 * API, can end up in each other's transaction.)
 *
 * An answer is read from the database in one piece. It is then sent as fast as the client reads, without the lock.
 *
 * All clients share one session. A client's `set` and `set role` last until somebody else is served, and clients with equal
 * names for prepared statements conflict. `COPY ... FROM STDIN` is refused.
 *
 * Only the user `postgres` with the password is let in. Refusals of wrong passwords are delayed, also of many at once; nobody
 * is locked out by them.
 *
 * @param port port on 127.0.0.1 (0: any free one).
 */
export async function listenForPostgresClients(
  lock: SessionLock,
  port: number,
  options: PostgresSocketOptions,
): Promise<PostgresSocket> {
  const { folder = tmpdir(), memoryBytes = 4 * 1024 ** 2, maximumAnswerBytes = 2 * 1024 ** 3 } = options;
  const handshake: HandshakeOptions = {
    verifier: createScramVerifier(options.password),
    checks: new PasswordChecks(passwordPermits, refusalMs),
    maximumHandshakeMs: options.maximumHandshakeMs ?? 10_000,
    onRefusal: options.onRefusal ?? (() => undefined),
  };
  const unauthenticated = new Set<Socket>();
  const clients = new Set<Socket>();
  const context = { lock, maximumIdleMs: options.maximumIdleMs ?? 60_000, isOnlyClient: () => clients.size === 1 };

  const serve = (socket: Socket) => {
    if (clients.size >= maximumClients) {
      endConnection(socket, fatalError("53300", "sorry, too many clients already"));
      return;
    }
    clients.add(socket);
    const client = new PostgresClient(socket, new AnswerSpool(folder, memoryBytes, maximumAnswerBytes), context);
    socket.on("close", () => {
      // Cleaning up fails only when the database is closed, and then for everybody.
      void client
        .cleanUp()
        .catch(() => undefined)
        .finally(() => clients.delete(socket));
    });
    client.start();
    socket.on("data", (data) => client.receive(data));
    socket.on("end", () => client.receiveEnd());
  };

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (unauthenticated.size >= maximumHandshakes) randomMember(unauthenticated)?.destroy();
    unauthenticated.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => unauthenticated.delete(socket));
    void authenticate(socket, handshake).then((isAuthentic) => {
      if (!isAuthentic) return;
      unauthenticated.delete(socket);
      serve(socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close() {
      server.close();
      for (const socket of [...unauthenticated, ...clients]) socket.destroy();
    },
  };
}

function randomMember<Member>(members: ReadonlySet<Member>): Member | undefined {
  return [...members][Math.floor(Math.random() * members.size)];
}
