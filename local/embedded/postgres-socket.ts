import { createServer, type Server, type Socket } from "node:net";
import { frontendMessages, isStartup, transactionStatus } from "./postgres-protocol.ts";
import type { Release, SessionLock } from "./session.ts";

/** Connections at a time. They take turns, so more would only wait longer. */
const maximumConnections = 20;

/**
 * Lets `psql`, the Supabase CLI and our own commands talk to the PGlite in this process, over the
 * Postgres protocol.
 *
 * Each client's statements run with the session lock held: from the first message of an exchange to
 * its end, and through a whole transaction. (PGlite's own socket server runs message by message, so
 * that two clients' statements, or a client's and the API's, can end up in each other's
 * transaction.) `COPY ... FROM STDIN` is not supported.
 *
 * @returns the server, listening on 127.0.0.1 at `port` (0: any free one).
 */
export async function listenForPostgresClients(lock: SessionLock, port: number): Promise<Server> {
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
  return server;
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
    this.#received = Buffer.concat([this.#received, data]);
    const { messages, rest } = frontendMessages(this.#received, this.#started);
    this.#received = rest;
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
    this.#release ??= await this.lock.acquire();
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
    this.#release ??= await this.lock.acquire();
    let status: string | undefined;
    await this.lock.database.runExclusive(() =>
      this.lock.database.execProtocolRawStream(message, {
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
