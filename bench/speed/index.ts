import { measureAwards } from "./cases/awards.ts";
import { measureChurn, measureEmbeddedChurn } from "./cases/churn.ts";
import { measureDocuments } from "./cases/documents.ts";
import { measureEmbedded } from "./cases/embedded.ts";
import { measureEmbeddings } from "./cases/embeddings.ts";
import { measureGrowth } from "./cases/growth.ts";
import { measureHybrid } from "./cases/hybrid.ts";
import { measureLibraries } from "./cases/libraries.ts";
import { measureList } from "./cases/list.ts";
import { measureModes } from "./cases/modes.ts";
import { measurePages } from "./cases/pages.ts";
import { measureQuota } from "./cases/quota.ts";
import { measureReplicas } from "./cases/replicas.ts";
import { measureSuggest } from "./cases/suggest.ts";
import { withLoadedDatabases } from "./databases.ts";
import { installLibraries, LibrariesError } from "./libraries/install.ts";
import type { Effort, Findings, Report, ServerCase } from "./speed-case.ts";

/** Cases that need a server, in the order in which they run. */
const serverCases = {
  list: measureList,
  hybrid: measureHybrid,
  modes: measureModes,
  quota: measureQuota,
  libraries: measureLibraries,
  growth: measureGrowth,
  awards: measureAwards,
  embeddings: measureEmbeddings,
  documents: measureDocuments,
  churn: measureChurn,
  replicas: measureReplicas,
} satisfies Record<string, ServerCase>;
type ServerCaseName = keyof typeof serverCases;

/** Cases over the embedded stack, and over the dashboard's build. */
const localCases = {
  embedded: measureEmbedded,
  suggest: measureSuggest,
  "embedded-churn": measureEmbeddedChurn,
  pages: measurePages,
};
type LocalCaseName = keyof typeof localCases;

export type CaseName = ServerCaseName | LocalCaseName;
export const caseNames: readonly CaseName[] = [
  ...(Object.keys(serverCases) as ServerCaseName[]),
  ...(Object.keys(localCases) as LocalCaseName[]),
];

const isOnServer = (name: CaseName): name is ServerCaseName => Object.hasOwn(serverCases, name);

export interface SpeedOptions extends Effort {
  cases: readonly CaseName[];
  /** Grants in the table. */
  rows: number;
  /** Whether growth also measures ten times as many. */
  tenfold: boolean;
  /** A server on which scratch databases may be created. */
  serverUrl: string | undefined;
  /** Hot standbys of it. */
  replicaUrls: readonly string[];
}

/**
 * Runs the cases.
 *
 * @param found called with the findings of each case when it is done, so that a later failure does not lose them.
 */
export async function measureSpeed(
  options: SpeedOptions,
  report: Report,
  found: (findings: Findings) => void,
): Promise<void> {
  const onServer = options.cases.filter(isOnServer);
  if (onServer.length > 0 && options.serverUrl === undefined) {
    report(`SKIPPED ${onServer.join(", ")}: they need a Postgres server, --database-url URL`);
  } else if (options.serverUrl !== undefined) {
    await measureOnServer(options.serverUrl, await selectPossible(onServer, options, report), options, report, found);
  }
  for (const name of options.cases) {
    if (!isOnServer(name)) found(await localCases[name](options.rows, options, report));
  }
}

async function measureOnServer(
  serverUrl: string,
  cases: readonly ServerCaseName[],
  options: SpeedOptions,
  report: Report,
  found: (findings: Findings) => void,
): Promise<void> {
  if (cases.length === 0) return;
  await withLoadedDatabases(serverUrl, tableSizes(cases, options), report, async (databases) => {
    const database = databases.find(({ rows }) => rows === options.rows);
    if (database === undefined) throw new Error(`there is no database of ${options.rows} grants`);
    for (const name of cases) {
      found(
        await serverCases[name]({
          database,
          databases,
          serverUrl,
          replicaUrls: options.replicaUrls,
          effort: options,
          report,
        }),
      );
    }
  });
}

/** Returns the table sizes that the cases need. */
function tableSizes(cases: readonly CaseName[], { rows, tenfold, onlyGoals }: SpeedOptions): number[] {
  if (!cases.includes("growth")) return [rows];
  return [rows / 10, ...(onlyGoals ? [] : [(rows * 3) / 10]), rows, ...(tenfold ? [rows * 10] : [])].map(Math.round);
}

/** Removes cases that cannot run here, before minutes of loading. */
async function selectPossible(
  cases: readonly ServerCaseName[],
  { replicaUrls }: SpeedOptions,
  report: Report,
): Promise<readonly ServerCaseName[]> {
  const impossible = new Set<ServerCaseName>();
  if (cases.includes("replicas") && replicaUrls.length === 0) {
    report(
      "SKIPPED replicas: it needs hot standbys of the server, --replica-url URL (tests/replicas/bench.sh starts them)",
    );
    impossible.add("replicas");
  }
  if (cases.includes("libraries")) {
    try {
      await installLibraries(report);
    } catch (error) {
      if (!(error instanceof LibrariesError)) throw error;
      report(`SKIPPED libraries: ${error.message}`);
      impossible.add("libraries");
    }
  }
  return cases.filter((name) => !impossible.has(name));
}
