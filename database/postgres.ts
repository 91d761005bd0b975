import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Connection } from "./connection.ts";

/**
 * Connects to a Postgres, or to the embedded stack's socket.
 *
 * @param url `postgresql://user:password@host:port/database`
 * @throws with the code `ERR_INVALID_URL` where it is no such address. The message does not have it, since it may have a password.
 */
export async function connectPostgres(url: string): Promise<Connection> {
  const client = newClient(url);
  // A connection that breaks while it is idle fails at its next statement.
  client.on("error", () => undefined);
  await client.connect();
  return connectionOf(client);
}

function newClient(url: string): pg.Client {
  // The driver would take any text for the name of a host, and its error for an address contains all of it.
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url, "postgres://base")) {
    throw Object.assign(new Error("the one that was given has another form"), { code: "ERR_INVALID_URL" });
  }
  return new pg.Client({ connectionString: url, application_name: "funding-cli", keepAlive: true });
}

function connectionOf(client: pg.Client): Connection {
  return {
    ...statements(client),
    async transaction(work) {
      await client.query("begin");
      try {
        const result = await work(nested(client));
        await client.query("commit");
        return result;
      } catch (error) {
        // If the connection is gone, so is the transaction: the first error tells more.
        await client.query("rollback").catch(() => undefined);
        throw error;
      }
    },
    close: () => client.end(),
  };
}

function statements(client: pg.Client): Pick<Connection, "query" | "execute" | "copyTo" | "copyFrom"> {
  return {
    async query<Row>(text: string, parameters: readonly unknown[] = []) {
      const result = await client.query(text, [...parameters]);
      return result.rows as Row[];
    },
    async execute(text) {
      await client.query(text);
    },
    async *copyTo(what) {
      const query = new CopyOut(`copy ${what} to stdout`);
      client.query(query);
      yield* await query.chunks;
    },
    copyFrom: (table, data) => pipeline(Readable.from(data), client.query(copyFrom(`copy ${table} from stdin`))),
  };
}

/** Inside a transaction a further one is part of it, and there is nothing to close. */
function nested(client: pg.Client): Connection {
  const connection: Connection = {
    ...statements(client),
    transaction: (work) => work(connection),
    close: () => Promise.resolve(),
  };
  return connection;
}

/** A `copy ... to stdout`, whose data are kept in memory. (The streams of pg-copy-streams never end under Deno.) */
class CopyOut implements pg.Submittable {
  readonly #text: string;
  readonly #received: Uint8Array[] = [];
  #settle!: { resolve(chunks: Uint8Array[]): void; reject(error: Error): void };
  /** All of the data, once the server has sent it. */
  readonly chunks = new Promise<Uint8Array[]>((resolve, reject) => {
    this.#settle = { resolve, reject };
  });

  constructor(text: string) {
    this.#text = text;
  }

  // Called by pg.Client.
  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }
  handleCopyData({ chunk }: { chunk: Uint8Array }): void {
    // The driver uses the memory again.
    this.#received.push(new Uint8Array(chunk));
  }
  handleCommandComplete(): void {}
  handleError(error: Error): void {
    this.#settle.reject(error);
  }
  handleReadyForQuery(): void {
    this.#settle.resolve(this.#received);
  }
}
