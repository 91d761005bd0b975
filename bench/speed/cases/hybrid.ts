import { createGuideSearch, queryVector } from "../../relevance/guide.ts";
import { compare, speedRatio } from "../compare.ts";
import { askInTurns } from "../in-turns.ts";
import { parametersOf } from "../parameters.ts";
import { recased, searchRequest, timedQueries } from "../queries.ts";
import type { SpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";

/**
 * Hybrid search against the function of Supabase's guide, SQL against SQL. Ours reads the query,
 * makes its vector, filters, and gives whole records with their scores and the total, for queries that were
 * not asked before; the guide's gets its vector for nothing and gives 20 ids.
 */
export const measureHybrid: ServerCase = async ({ database: { rows, connection }, effort, report }) => {
  report("hybrid: setting up the guide's function");
  await createGuideSearch(connection);
  await connection.execute("vacuum analyze baseline.documents");
  const measured: SpeedRow[] = [];
  let asked = 0;
  for (const kind of ["common", "middling", "rare"] as const) {
    report(`hybrid: ${kind} words`);
    const queries = timedQueries().filter((query) => query.kind === kind);
    const timings = await askInTurns(
      [
        {
          name: `ours, ${kind} words`,
          ask: (query) =>
            connection.query("select funding.list('grants', $1::jsonb) as answer", [
              JSON.stringify(
                parametersOf(searchRequest({ ...query, search: recased(query.search, ++asked) }, "hybrid")),
              ),
            ]),
        },
        {
          name: `the guide's, ${kind} words`,
          before: ({ search }) => queryVector(connection, search),
          ask: ({ search }, vector) =>
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
