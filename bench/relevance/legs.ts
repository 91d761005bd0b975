import type { Connection } from "../../database/connection.ts";
import { type Vector, vectorText } from "../../shared/embeddings/vector.ts";
import type { Collection } from "./collection.ts";
import type { Grades } from "./metrics.ts";

/** Results of each leg of a hybrid search for one query, best first. */
export interface QueryLegs {
  grades: Grades;
  /** Documents by BM25. */
  keyword: string[];
  /** Documents by meaning, with their similarity, 0 to 1. */
  semantic: { document: string; similarity: number }[];
}

/** Maximum of results of a leg. */
const maxResults = 1_000;

/**
 * Runs every query of a collection in each leg alone.
 *
 * @param vectors vectors of the queries, in their order, if a model outside the database makes them.
 */
export async function readLegs(
  connection: Connection,
  collection: Collection,
  vectors?: readonly Vector[],
): Promise<QueryLegs[]> {
  const legs: QueryLegs[] = [];
  for (const [index, { id, text }] of collection.queries.entries()) {
    const vector = vectors?.[index];
    const keyword = await runLeg(connection, "keyword_candidates", text, vector);
    const semantic = await runLeg(connection, "semantic_candidates", text, vector);
    legs.push({
      grades: collection.judgements.get(id) ?? new Map(),
      keyword: keyword.map(({ document }) => document),
      semantic: semantic.map(({ document, score }) => ({ document, similarity: score })),
    });
  }
  return legs;
}

function runLeg(
  connection: Connection,
  name: "keyword_candidates" | "semantic_candidates",
  query: string,
  vector: Vector | undefined,
): Promise<{ document: string; score: number }[]> {
  return connection.query(
    `select record.source_id as document, found.score
     from funding.scope_of('grants', jsonb_build_object('search', $1::text, 'search_mode', 'hybrid')) as scope,
          funding.${name}(scope, funding.read_query($1, $2::extensions.halfvec), ${maxResults}) as leg,
          unnest(funding.ids_of('grants', leg.slots), leg.scores) as found(id, score)
     join funding.grants as record using (id)
     order by found.score desc, found.id`,
    [query, vector === undefined ? null : vectorText(vector)],
  );
}
