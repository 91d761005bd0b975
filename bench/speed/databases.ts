import type { Connection } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { withScratchDatabase } from "../relevance/scratch-database.ts";
import { createSpeedKeys, loadRecords } from "./records.ts";
import type { LoadedDatabase, Report } from "./speed-case.ts";

/** Runs `work` with a scratch database for each number of grants, all on one server, in the given order. */
export async function withLoadedDatabases<Result>(
  serverUrl: string,
  sizes: readonly number[],
  report: Report,
  work: (databases: LoadedDatabase[]) => Promise<Result>,
): Promise<Result> {
  const [rows, ...others] = sizes;
  if (rows === undefined) return work([]);
  return withScratchDatabase(serverUrl, async (opened, url = serverUrl) => {
    const { connection, pause } = pausable(opened, url);
    report(`loading ${rows} grants`);
    await migrate(connection);
    const second = await connectPostgres(url);
    try {
      await loadRecords(connection, rows, report, [second]);
    } finally {
      await second.close();
    }
    const keys = await createSpeedKeys(connection);
    return withLoadedDatabases(serverUrl, others, report, (databases) =>
      work([{ rows, url, connection, pause, keys }, ...databases]),
    );
  });
}

/** Runs `work` with a copy of a database. */
export function withCopy<Result>(
  serverUrl: string,
  { url, pause }: LoadedDatabase,
  work: (connection: Connection, url: string) => Promise<Result>,
): Promise<Result> {
  const name = new URL(url).pathname.slice(1);
  return withScratchDatabase(serverUrl, (connection, copyUrl = serverUrl) => work(connection, copyUrl), {
    name,
    pause,
  });
}

/** A connection that can be closed for a while. Its user goes on with the next one. */
function pausable(opened: Connection, url: string): Pick<LoadedDatabase, "connection" | "pause"> {
  let current = opened;
  const connection: Connection = {
    query: (text, parameters) => current.query(text, parameters),
    execute: (text) => current.execute(text),
    copyTo: (what) => current.copyTo(what),
    copyFrom: (table, data) => current.copyFrom(table, data),
    transaction: (work) => current.transaction(work),
    close: () => current.close(),
  };
  return {
    connection,
    async pause(work) {
      await current.close();
      try {
        return await work();
      } finally {
        current = await connectPostgres(url);
      }
    },
  };
}
