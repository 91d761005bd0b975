import { hashKey } from "../../../shared/auth/key.ts";
import { readQueryVector } from "../../relevance/guide.ts";
import { compare, speedRatio } from "../compare.ts";
import { type Side, timeInTurns } from "../in-turns.ts";
import { exportRecords } from "../libraries/export.ts";
import { installLibraries } from "../libraries/install.ts";
import { buildLanceDb } from "../libraries/lancedb.ts";
import { type BuildLibrary, type LibraryMode, type LibraryQuery, libraryModes } from "../libraries/library.ts";
import { buildOrama } from "../libraries/orama.ts";
import { compareRelevance } from "../libraries/relevance.ts";
import { callListRpc } from "../list-requests.ts";
import { changeCase, makeTimedQueries, type SearchMode, searchRequest, type TimedQuery } from "../queries.ts";
import type { SpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";

const reference = "lancedb";
/** Builders of the libraries, by name. */
export const libraryBuilders: Record<string, BuildLibrary> = { [reference]: buildLanceDb, orama: buildOrama };

const ourModes: Record<LibraryMode, SearchMode> = {
  keyword: "keyword by relevance",
  vector: "semantic",
  hybrid: "hybrid",
};

/** A timed query for the service and for the libraries. */
interface ComparedQuery extends LibraryQuery {
  timed: TimedQuery;
}

/**
 * Compares the RPC's SQL, over a socket to the database, with embeddable libraries in this process: the same records,
 * vectors and filters, 20 results. The libraries are given the query's vector; ours makes it, for queries that are new.
 * The ratio is LanceDB's p95 over the side's.
 */
export const measureLibraries: ServerCase = async ({ database, serverUrl, effort, report }) => {
  const { rows, connection, keys } = database;
  const load = await installLibraries(report);
  const keyHash = await hashKey(keys.unlimited);
  const queries = await addVectors(makeTimedQueries(), async (text) => readQueryVector(connection, text));
  const built: object[] = [];
  const libraries = [];
  for (const [name, build] of Object.entries(libraryBuilders).filter(
    ([name]) => name === reference || !effort.onlyGoals,
  )) {
    report(`libraries: indexing ${rows} grants with ${name}`);
    const start = performance.now();
    libraries.push({ name, library: await build(load, exportRecords(connection)) });
    built.push({
      library: name,
      grants: rows,
      "seconds to export and index": Math.round((performance.now() - start) / 1000),
    });
  }

  const measured: SpeedRow[] = [];
  let count = 0;
  for (const mode of libraryModes) {
    report(`libraries: ${mode}`);
    const sides: Side<ComparedQuery>[] = [
      {
        name: `ours, ${mode}`,
        run: ({ timed }) =>
          callListRpc(
            connection,
            keyHash,
            searchRequest({ ...timed, search: changeCase(timed.search, ++count) }, ourModes[mode]),
          ),
      },
      ...libraries.map(({ name, library }) => ({
        name: `${name}, ${mode}`,
        run: (query: ComparedQuery) => library.search(mode, query),
      })),
    ];
    const timings = await timeInTurns(sides, queries, effort.rounds);
    measured.push(...compare("libraries", rows, timings, [...timings.keys()], `${reference}, ${mode}`, speedRatio));
  }
  for (const { library } of libraries) await library.close();

  const ndcg = effort.onlyGoals ? [] : await compareRelevance(load, libraryBuilders, serverUrl, report);
  return {
    rows: measured,
    tables: [
      { title: "building the libraries", lines: built },
      ...(ndcg.length > 0 ? [{ title: "nDCG@10 on the judged collections", lines: ndcg }] : []),
    ],
  };
};

/** Adds vectors to the queries. A query without a known word has none, and is left out. */
async function addVectors(
  timedQueries: readonly TimedQuery[],
  readVector: (text: string) => Promise<string | null>,
): Promise<ComparedQuery[]> {
  const queries: ComparedQuery[] = [];
  for (const timed of timedQueries) {
    const vector = await readVector(timed.search);
    if (vector === null) continue;
    queries.push({ timed, text: timed.search, filter: timed.filters, vector: JSON.parse(vector) as number[] });
  }
  return queries;
}
