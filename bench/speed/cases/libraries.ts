import { hashKey } from "../../../shared/auth/key.ts";
import { queryVector } from "../../relevance/guide.ts";
import { compare, speedRatio } from "../compare.ts";
import { askInTurns, type Side } from "../in-turns.ts";
import { exportRecords } from "../libraries/export.ts";
import { installLibraries } from "../libraries/install.ts";
import { buildLanceDb } from "../libraries/lancedb.ts";
import { type BuildLibrary, type LibraryMode, type LibraryQuery, libraryModes } from "../libraries/library.ts";
import { buildOrama } from "../libraries/orama.ts";
import { compareRelevance } from "../libraries/relevance.ts";
import { recased, type SearchMode, searchRequest, type TimedQuery, timedQueries } from "../queries.ts";
import type { SpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";
import { listCall } from "../sql.ts";

/** The libraries, and their names. */
export const libraryBuilders: Record<string, BuildLibrary> = { lancedb: buildLanceDb, orama: buildOrama };

const ourModes: Record<LibraryMode, SearchMode> = {
  keyword: "keyword by relevance",
  vector: "semantic",
  hybrid: "hybrid",
};

/** A timed query as we and the libraries take it. */
interface Asked extends LibraryQuery {
  timed: TimedQuery;
}

/**
 * The RPC's SQL beside libraries that people embed instead, in this process and over a socket to the
 * database: the same records, vectors and filters, 20 records. The libraries get the query's vector
 * made; ours makes it, and has not seen the query before. The ratio is LanceDB's p95 over the side's.
 */
export const measureLibraries: ServerCase = async ({ database, serverUrl, effort, report }) => {
  const { rows, connection, keys } = database;
  const load = await installLibraries(report);
  const keyHash = await hashKey(keys.unlimited);
  const asked = await withVectors(timedQueries(), async (text) => queryVector(connection, text));
  const built: object[] = [];
  const libraries = [];
  for (const [name, build] of Object.entries(libraryBuilders)) {
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
    const sides: Side<Asked>[] = [
      {
        name: `ours, ${mode}`,
        ask: ({ timed }) =>
          listCall(
            connection,
            keyHash,
            searchRequest({ ...timed, search: recased(timed.search, ++count) }, ourModes[mode]),
          ),
      },
      ...libraries.map(({ name, library }) => ({
        name: `${name}, ${mode}`,
        ask: (query: Asked) => library.search(mode, query),
      })),
    ];
    const timings = await askInTurns(sides, asked, effort.rounds);
    measured.push(...compare("libraries", rows, timings, [...timings.keys()], `lancedb, ${mode}`, speedRatio));
  }
  for (const { library } of libraries) await library.close();

  const ndcg = await compareRelevance(load, libraryBuilders, serverUrl, report);
  return {
    rows: measured,
    tables: [
      { title: "building the libraries", lines: built },
      { title: "nDCG@10 on the judged collections", lines: ndcg },
    ],
  };
};

/** The queries with their vectors. One that has none, because no word of it is known, is left out. */
async function withVectors(
  queries: readonly TimedQuery[],
  vectorOf: (text: string) => Promise<string | null>,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const timed of queries) {
    const vector = await vectorOf(timed.search);
    if (vector === null) continue;
    asked.push({ timed, text: timed.search, filter: timed.filters, vector: JSON.parse(vector) as number[] });
  }
  return asked;
}
