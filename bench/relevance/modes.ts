import type { Connection } from "../../database/connection.ts";
import { queryVector } from "./guide.ts";

/** As many as recall is counted to. */
export const depth = 100;

/** One way of searching. Gives the ids of the records, best first. */
export interface Mode {
  name: string;
  /** What must be known before the question is asked, and does not count as the answer's time. */
  beforehand?(connection: Connection, query: string): Promise<unknown>;
  ask(connection: Connection, query: string, known: unknown): Promise<string[]>;
}

/** What an API request with this search mode runs, less the admission of the caller. */
function api(search_mode: string): Mode {
  return {
    name: search_mode,
    async ask(connection, query) {
      const parameters = { search: query, search_mode, sort_by: "relevance", limit: depth, offset: 0 };
      const [row] = await connection.query<{ answer: { results: { id: string }[] } }>(
        "select funding.list('grants', $1::jsonb) as answer",
        [JSON.stringify(parameters)],
      );
      return row?.answer.results.map(({ id }) => id) ?? [];
    },
  };
}

function sql(name: string, text: string, beforehand?: Mode["beforehand"]): Mode {
  return {
    name,
    ...(beforehand === undefined ? {} : { beforehand }),
    async ask(connection, query, known) {
      const rows = await connection.query<{ id: string }>(text, known === undefined ? [query] : [query, known]);
      return rows.map(({ id }) => id);
    },
  };
}

/** The service's modes, and the baselines. */
export const modes: readonly Mode[] = [
  api("keyword"),
  api("semantic"),
  api("hybrid"),
  sql(
    "ts_rank_cd",
    `select record.id
     from funding.grants as record, websearch_to_tsquery('funding.english', $1) as query
     where record.document @@ query
     order by ts_rank_cd(record.document, query) desc, record.id
     limit ${depth}`,
  ),
  sql("textbook_bm25", `select id from baseline.bm25($1, ${depth})`),
  // A client of the guide's function has its vector from a model elsewhere, so this one is made beforehand.
  sql("guide_rrf", `select id from baseline.hybrid_search($1, $2::extensions.vector, ${depth})`, queryVector),
];
