import { measureHybrid } from "./cases/hybrid.ts";
import { measureList } from "./cases/list.ts";
import { measureModes } from "./cases/modes.ts";
import { withLoadedDatabases } from "./databases.ts";
import type { SpeedRow } from "./row.ts";
import type { DatabaseCase, Effort, Report } from "./speed-case.ts";

/** The comparisons on one database on a server, in the order in which they run. */
const databaseCases = { list: measureList, hybrid: measureHybrid, modes: measureModes } satisfies Record<
  string,
  DatabaseCase
>;

export type CaseName = keyof typeof databaseCases;
export const caseNames = Object.keys(databaseCases) as CaseName[];

export interface SpeedOptions extends Effort {
  cases: readonly CaseName[];
  /** Grants in the table. */
  rows: number;
  /** A server on which scratch databases may be created. */
  serverUrl: string | undefined;
}

/**
 * Runs the cases.
 *
 * @param report is told what is being done.
 * @param found is told each case's rows when it is done, so that a later failure loses nothing.
 */
export async function measureSpeed(
  options: SpeedOptions,
  report: Report,
  found: (rows: SpeedRow[]) => void,
): Promise<void> {
  const { cases, rows, serverUrl } = options;
  const onServer = caseNames.filter((name) => cases.includes(name));
  if (serverUrl === undefined) {
    if (onServer.length > 0) report(`SKIPPED ${onServer.join(", ")}: they need a server, --database-url URL`);
  } else if (onServer.length > 0) {
    await withLoadedDatabases(serverUrl, [rows], report, async ([database]) => {
      if (database === undefined) return;
      for (const name of onServer) found(await databaseCases[name](database, options, report));
    });
  }
}
