import pg from "pg";
import type { Connection } from "./connection.ts";

/**
 * Connects to a Postgres, or to the embedded stack's socket.
 *
 * @param url `postgresql://user:password@host:port/database`
 */
export async function connectPostgres(url: string): Promise<Connection> {
  // Without this the driver takes any text for the name of a host.
  if (!/^postgres(ql)?:\/\//.test(url))
    throw Object.assign(new Error(`"${url}" is not an address`), { code: "ERR_INVALID_URL" });
  const client = new pg.Client({ connectionString: url, application_name: "funding-cli" });
  await client.connect();
  return connectionOf(client);
}

function connectionOf(client: pg.Client): Connection {
  const connection: Connection = {
    async query<Row>(text: string, parameters: readonly unknown[] = []) {
      const result = await client.query(text, [...parameters]);
      return result.rows as Row[];
    },
    async execute(text) {
      await client.query(text);
    },
    async transaction(work) {
      await client.query("begin");
      try {
        const result = await work(connection);
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback");
        throw error;
      }
    },
    close: () => client.end(),
  };
  return connection;
}
