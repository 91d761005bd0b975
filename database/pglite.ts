import { PGlite, type Transaction } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { vector } from "@electric-sql/pglite-pgvector";
import type { Connection } from "./connection.ts";

/**
 * Opens a PGlite database with the extensions that the migrations need.
 *
 * @param folder where it lives; absent, it lives in memory.
 */
export function openPGlite(folder?: string): Promise<PGlite> {
  return PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    extensions: { vector, pg_trgm, unaccent },
  });
}

/** A PGlite, which has one session, as a connection. `close` closes the database. */
export function pgliteConnection(database: PGlite): Connection {
  return {
    ...statements(database),
    transaction: (work) => database.transaction((transaction) => work(nested(transaction))),
    close: () => database.close(),
  };
}

function statements(runner: PGlite | Transaction): Pick<Connection, "query" | "execute"> {
  return {
    async query<Row>(text: string, parameters: readonly unknown[] = []) {
      return (await runner.query<Row>(text, [...parameters])).rows;
    },
    async execute(text) {
      await runner.exec(text);
    },
  };
}

/** Inside a transaction a further one is part of it, and there is nothing to close. */
function nested(transaction: Transaction): Connection {
  const connection: Connection = {
    ...statements(transaction),
    transaction: (work) => work(connection),
    close: () => Promise.resolve(),
  };
  return connection;
}
