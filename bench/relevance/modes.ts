import type { Connection } from "../../database/connection.ts";
import type { EmbeddedQuery } from "../../shared/embeddings/provider.ts";
import { type Vector, vectorText } from "../../shared/embeddings/vector.ts";
import { readQueryVector } from "./guide.ts";

/** Number of results, which is also the cutoff of recall. */
export const depth = 100;

/** A search mode of the service, or a baseline. */
export interface Mode {
  name: string;
  /** Prepares a query. The time is not counted. */
  prepare?(connection: Connection, query: string): Promise<unknown>;
  /** Searches, and returns the ids of the records, best first. @param prepared result of `prepare`. */
  search(connection: Connection, query: string, prepared: unknown): Promise<string[]>;
}

/**
 * Mode that runs the SQL of an API request with this search mode, without the admission of the caller.
 *
 * @param vectorOf what the edge knows of a query under an external model.
 */
function apiMode(search_mode: string, name = search_mode, vectorOf?: (query: string) => EmbeddedQuery): Mode {
  return {
    name,
    async search(connection, query) {
      const parameters = { search: query, search_mode, sort_by: "relevance", limit: depth, offset: 0 };
      const [row] = await connection.query<{ answer: { results: { id: string }[] } }>(
        "select funding.list('grants', $1::jsonb, $2::jsonb) as answer",
        [JSON.stringify(parameters), vectorOf === undefined ? null : JSON.stringify(vectorOf(query))],
      );
      return row?.answer.results.map(({ id }) => id) ?? [];
    },
  };
}

function sqlMode(name: string, text: string, prepare?: Mode["prepare"]): Mode {
  return {
    name,
    ...(prepare === undefined ? {} : { prepare }),
    async search(connection, query, prepared) {
      const rows = await connection.query<{ id: string }>(text, prepared === undefined ? [query] : [query, prepared]);
      return rows.map(({ id }) => id);
    },
  };
}

/**
 * Modes of the service under an external model.
 *
 * @param vectors the queries' vectors, by their texts.
 */
export function modelModes(model: string, vectors: ReadonlyMap<string, Vector>): Mode[] {
  const vectorOf = (query: string) => ({ model, vector: vectorText(vectors.get(query) ?? []) });
  return ["semantic", "hybrid"].map((mode) => apiMode(mode, `${mode}, ${model}`, vectorOf));
}

/** Modes of the service, and baselines. */
export const modes: readonly Mode[] = [
  apiMode("keyword"),
  apiMode("semantic"),
  apiMode("hybrid"),
  sqlMode(
    "ts_rank_cd",
    `select record.id
     from funding.grants as record, websearch_to_tsquery('funding.english', funding.separate_words($1)) as query
     where record.lexemes @@ query
     order by ts_rank_cd(record.lexemes, query) desc, record.id
     limit ${depth}`,
  ),
  sqlMode("textbook_bm25", `select id from baseline.bm25($1, ${depth})`),
  // A client of the guide's function gets the query's vector from a model elsewhere, so its time does not count.
  sqlMode("guide_rrf", `select id from baseline.hybrid_search($1, $2::extensions.vector, ${depth})`, readQueryVector),
];
