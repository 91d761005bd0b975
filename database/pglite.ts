import { existsSync } from "node:fs";
import { join } from "node:path";
import { PGlite, type Transaction } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { vector } from "@electric-sql/pglite-pgvector";
import { dataDir } from "@electric-sql/pglite-prepopulatedfs";
import type { Connection } from "./connection.ts";
import { type DatabaseFault, guardAgainstFaults } from "./pglite-faults.ts";

const extensions = { vector, pg_trgm, unaccent };

/**
 * Opens a PGlite database with the extensions that the migrations need.
 *
 * A new database is unpacked from the files that `initdb` makes, which the publisher ships: running `initdb` in WebAssembly takes
 * three times as long as everything else that opening does.
 *
 * @param folder where it lives; absent, it lives in memory.
 * @param onFault called when Postgres ends within a statement, before that fails with a `DatabaseFault`.
 */
export async function openPGlite(
  folder?: string,
  onFault: (fault: DatabaseFault) => void = () => undefined,
): Promise<PGlite> {
  const location = folder === undefined ? {} : { dataDir: folder };
  const isNew = folder === undefined || !hasDatabase(folder);
  const files = isNew ? { loadDataDir: await dataDir() } : {};
  const database = await PGlite.create({ ...location, extensions, ...files });
  guardAgainstFaults(database, onFault);
  // The publisher's build machine calls it Etc/GMT0.
  if (isNew) await database.exec("alter database postgres set timezone to 'UTC'; set timezone to 'UTC'");
  return database;
}

/** Whether a folder has a database, of whatever version. */
export const hasDatabase = (folder: string): boolean => existsSync(join(folder, "PG_VERSION"));

/** A PGlite, which has one session, as a connection. `close` closes the database. */
export function pgliteConnection(database: PGlite): Connection {
  return {
    ...statements(database),
    transaction: (work) => database.transaction((transaction) => work(nested(transaction))),
    close: () => database.close(),
  };
}

function statements(runner: PGlite | Transaction): Pick<Connection, "query" | "execute" | "copyTo" | "copyFrom"> {
  return {
    async query<Row>(text: string, parameters: readonly unknown[] = []) {
      return (await runner.query<Row>(text, [...parameters])).rows;
    },
    async execute(text) {
      await runner.exec(text);
    },
    async *copyTo(what) {
      const { blob } = await runner.query(`copy ${what} to '/dev/blob'`);
      if (blob !== undefined) yield new Uint8Array(await blob.arrayBuffer());
    },
    async copyFrom(table, data) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of data) chunks.push(chunk);
      await runner.query(`copy ${table} from '/dev/blob'`, [], { blob: new Blob(chunks as Uint8Array<ArrayBuffer>[]) });
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
