import { type Connection, queryValue } from "../../../database/connection.ts";
import { round } from "../../statistics.ts";
import { compare, costRatio } from "../compare.ts";
import { withCopy } from "../databases.ts";
import { documentsEach, storeGeneratedDocuments } from "../generated-documents.ts";
import { timeInTurns } from "../in-turns.ts";
import { readParameters } from "../list-requests.ts";
import { changeCase, makeTimedQueries, type SearchMode, searchRequest } from "../queries.ts";
import type { SpeedRow } from "../row.ts";
import type { ServerCase } from "../speed-case.ts";

const tables = ["documents", "document_passages", "document_records", "document_parts", "document_postings"];

/**
 * Gives a quarter of the grants three documents each, whose text is sentences of all grants, and says how large they are and how long it takes. Then
 * compares new searches in records, in documents and in both.
 */
export const measureDocuments: ServerCase = ({ database, serverUrl, effort, report }) =>
  withCopy(serverUrl, database, async (copy) => {
    await copy.execute("set statement_timeout = 0");
    const { documents, passages, seconds } = await storeGeneratedDocuments(copy, Math.floor(database.rows / 4), report);
    await copy.execute(`vacuum analyze ${tables.map((name) => `funding.${name}`).join(", ")}`);
    const rows: SpeedRow[] = [];
    for (const mode of ["keyword by relevance", "hybrid"] as const) {
      for (const kind of ["common", "middling", "rare"] as const) {
        report(`documents: ${mode}, ${kind} words`);
        rows.push(...(await timeSearches(copy, database.rows, mode, kind, effort.rounds)));
      }
    }
    const megabytes = await Promise.all(
      tables.map(async (name) => [
        `${name}_mb`,
        round((await queryValue<number>(copy, `select pg_total_relation_size('funding.${name}')::float8`)) / 1e6, 0),
      ]),
    );
    return {
      rows,
      tables: [
        {
          title: `${documents} documents of ${documents / documentsEach} grants`,
          lines: [{ passages, seconds: round(seconds, 0), ...Object.fromEntries(megabytes) }],
        },
      ],
    };
  });

/** Times new searches in records, in both and in documents alone, in turns. */
async function timeSearches(copy: Connection, rows: number, mode: SearchMode, kind: string, rounds: number) {
  let count = 0;
  const side = (search_in: string) => ({
    name: `${mode} in ${search_in}, ${kind} words`,
    run: (query: ReturnType<typeof makeTimedQueries>[number]) => {
      const request = searchRequest({ ...query, search: changeCase(query.search, ++count) }, mode);
      return copy.query("select funding.list('grants', $1::jsonb) as answer", [
        JSON.stringify({ ...readParameters(request), search_in }),
      ]);
    },
  });
  const queries = makeTimedQueries().filter((query) => query.kind === kind);
  const timings = await timeInTurns([side("records"), side("all"), side("documents")], queries, rounds);
  return compare("documents", rows, timings, [...timings.keys()], `${mode} in records, ${kind} words`, costRatio);
}
