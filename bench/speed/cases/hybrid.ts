import { createGuideSearch, readQueryVector } from "../../relevance/guide.ts";
import { compare, speedRatio } from "../compare.ts";
import { timeInTurns } from "../in-turns.ts";
import { readParameters } from "../list-requests.ts";
import { changeCase, makeTimedQueries, searchRequest } from "../queries.ts";
import type { SpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";

/**
 * Compares hybrid search with the function of Supabase's guide, SQL against SQL. Ours parses the query, makes its vector,
 * filters, and returns whole records with scores and the total, for queries that are new. The guide's gets the vector for
 * free and returns 20 ids.
 */
export const measureHybrid: ServerCase = async ({ database: { rows, connection }, effort, report }) => {
  report("hybrid: setting up the guide's function");
  await createGuideSearch(connection);
  await connection.execute("vacuum analyze baseline.documents");
  const measured: SpeedRow[] = [];
  let queryCount = 0;
  for (const kind of ["common", "middling", "rare"] as const) {
    report(`hybrid: ${kind} words`);
    const queries = makeTimedQueries().filter((query) => query.kind === kind);
    const timings = await timeInTurns(
      [
        {
          name: `ours, ${kind} words`,
          run: (query) =>
            connection.query("select funding.list('grants', $1::jsonb) as answer", [
              JSON.stringify(
                readParameters(searchRequest({ ...query, search: changeCase(query.search, ++queryCount) }, "hybrid")),
              ),
            ]),
        },
        {
          name: `the guide's, ${kind} words`,
          prepare: ({ search }) => readQueryVector(connection, search),
          run: ({ search }, vector) =>
            connection.query("select id from baseline.hybrid_search($1, $2::extensions.vector, 20)", [search, vector]),
        },
      ],
      queries,
      effort.rounds,
    );
    measured.push(...compare("hybrid", rows, timings, [...timings.keys()], `the guide's, ${kind} words`, speedRatio));
  }
  return { rows: measured };
};
