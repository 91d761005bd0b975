import { migrate } from "../../database/migrate.ts";
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
  return withScratchDatabase(serverUrl, async (connection, url = serverUrl) => {
    report(`loading ${rows} grants`);
    await migrate(connection);
    await loadRecords(connection, rows, report);
    const keys = await createSpeedKeys(connection);
    return withLoadedDatabases(serverUrl, others, report, (databases) =>
      work([{ rows, url, connection, keys }, ...databases]),
    );
  });
}
