import { createServer, type Socket } from "node:net";
import { frontendMessages, isStartup, transactionStatus, withoutCopyFromClient } from "./postgres-protocol.ts";
import type { Release, SessionLock } from "./session.ts";

/** Connections at a time. They take turns, so more would only wait longer. */
const maximumConnections = 20;

/** The socket that is listened on. */
export interface PostgresSocket {
  port: number;
  /** Stops listening and sends every client away; what they had not committed is undone. */
  close(): void;
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
 * The session is one, so a client's `set` and `set role` last until somebody else is served, and clients
 * that name their prepared statements alike get in each other's way. `COPY ... FROM STDIN` is refused.
 *
 * @param port where to listen on 127.0.0.1 (0: any free one).
 */
export async function listenForPostgresClients(lock: SessionLock, port: number): Promise<PostgresSocket> {
  const clients = new Set<Socket>();
  const server = createServer((socket) => {
    clients.add(socket);
    const client = new Client(socket, lock, () => clients.size === 1);
    socket.on("data", (data) => client.receive(data));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      void client.leave().finally(() => clients.delete(socket));
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

/** One client's side of the conversation. */
class Client {
  #received: Buffer = Buffer.alloc(0);
  #started = false;
  /** Held from the first message of an exchange until the session is idle again. */
  #release: Release | undefined;
  /** Messages are answered one after the other, in order. */
  #work: Promise<void> = Promise.resolve();

  constructor(
    private readonly socket: Socket,
    private readonly lock: SessionLock,
    private readonly isAlone: () => boolean,
  ) {}

  receive(data: Buffer): void {
    let messages: Buffer[];
    try {
      ({ messages, rest: this.#received } = frontendMessages(Buffer.concat([this.#received, data]), this.#started));
    } catch {
      // A browser or a port scanner, not a Postgres client.
      this.socket.destroy();
      return;
    }
    for (const message of messages) {
      if (isStartup(message)) this.#started = true;
      this.#work = this.#work
        .then(() => this.#answer(message))
        .catch(() => {
          this.socket.destroy();
        });
    }
  }

  /** Undoes what a client that went away left in the shared session. */
  async leave(): Promise<void> {
    await this.#work;
    this.#release ??= await this.lock.acquire(this);
    try {
      await this.lock.database.exec("rollback");
      // Another client may still be using its own prepared statements and settings.
      if (this.isAlone()) await this.lock.database.exec("discard all");
    } finally {
      this.#finish();
    }
  }

  async #answer(message: Buffer): Promise<void> {
    if (message.length === 8 && !isStartup(message)) {
      // A request for encryption, which is refused; the client goes on in the clear.
      this.socket.write("N");
      return;
    }
    this.#release ??= await this.lock.acquire(this);
    let status: string | undefined;
    await this.lock.database.runExclusive(() =>
      this.lock.database.execProtocolRawStream(this.#started ? withoutCopyFromClient(message) : message, {
        onRawData: (data) => {
          status = transactionStatus(data) ?? status;
          this.socket.write(data);
        },
      }),
    );
    if (status === "idle") this.#finish();
  }

  #finish(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
