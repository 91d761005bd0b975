import type { Connection } from "../../database/connection.ts";
import { type Vector, vectorText } from "../../shared/embeddings/vector.ts";
import type { Collection } from "./collection.ts";
import type { Grades } from "./metrics.ts";

/** A document that a leg of a hybrid search found for a query. */
export interface FoundDocument {
  document: string;
  /** Its rank in the keyword leg, from 1, or null where that has not found it. */
  keyword_rank: number | null;
  /** Its BM25 score there. */
  keyword_score: number | null;
  /** That score as a share of the greatest that a record could have, which does not depend on the other records. */
  keyword_share: number | null;
  /** Its rank in the semantic leg, or null where that has not found it. */
  semantic_rank: number | null;
  /** Its score there, 0 to 1, to which the floor applies. */
  semantic_score: number | null;
  /** Its similarity in meaning that the fusion adds to its keyword score, 0 to 1. */
  similarity: number;
}

/** Documents that the legs of a hybrid search find for one query, in the order of their ids. */
export interface QueryLegs {
  grades: Grades;
  found: FoundDocument[];
}

/** Maximum of results of a leg: a floor cannot be told from fewer. */
const maxResults = 1_000;

/**
 * Runs every query of a collection in both legs.
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
    legs.push({
      grades: collection.judgements.get(id) ?? new Map(),
      found: await readQueryLegs(connection, text, vectors?.[index]),
    });
  }
  return legs;
}

function readQueryLegs(connection: Connection, query: string, vector: Vector | undefined): Promise<FoundDocument[]> {
  return connection.query<FoundDocument>(
    `select record.source_id as document, leg.keyword_rank::int, leg.keyword_score,
            leg.keyword_score / greatest((select sum(weight) * (fit.bm25_k1 + 1) from unnest((analysis).word_weights) as weight), 1e-6) as keyword_share,
            leg.semantic_rank::int, leg.semantic_score, leg.similarity
     from funding.scope_of('grants', jsonb_build_object('search', $1::text, 'search_mode', 'hybrid')) as scope,
          funding.read_query($1, $2::extensions.halfvec) as analysis,
          funding.hybrid_legs(scope, analysis, ${maxResults}, true) as leg
     cross join funding.lexicon_fit as fit
     join funding.grants as record on record.slot = leg.slot
     order by record.id`,
    [query, vector === undefined ? null : vectorText(vector)],
  );
}
