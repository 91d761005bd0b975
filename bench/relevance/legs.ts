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
  /** Its rank in the semantic leg, or null where that has not found it. */
  semantic_rank: number | null;
  /** Its score there, 0 to 1, to which the floor applies. */
  semantic_score: number | null;
  /** Its similarity in meaning that the fusion adds to its keyword score, 0 to 1. */
  similarity: number;
}

/** What scores of a query are compared with. */
interface QueryScores {
  /** Similarities of a sample of the documents to the query, greatest first, times the share of the query that was understood. */
  sample: number[];
  /** Keyword score that the five heaviest words of the query could give; 0 for a query of one word. */
  possible_keyword_score: number;
}

/** Documents that the legs of a hybrid search find for one query, in the order of their ids. */
export interface QueryLegs extends QueryScores {
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
    const parameters = [text, vectors?.[index] === undefined ? null : vectorText(vectors[index])];
    const [scores] = await connection.query<QueryScores>(
      `select array(
                select similarity * analysis.known_share
                from unnest(funding.sampled_similarities(scope, analysis.embedding)) as similarity order by 1 desc) as sample,
              funding.possible_keyword_score(scope, analysis)
       from ${readQuery}, funding.with_feedback(scope, query) as analysis`,
      parameters,
    );
    if (scores === undefined) throw new Error(`There are no scores of ${text}`);
    const found = await connection.query<FoundDocument>(
      `select record.source_id as document, leg.keyword_rank::int, leg.keyword_score, leg.semantic_rank::int, leg.semantic_score, leg.similarity
       from ${readQuery}, funding.hybrid_legs(scope, query, ${maxResults}, true) as leg join funding.grants as record on record.slot = leg.slot
       order by record.id`,
      parameters,
    );
    legs.push({ grades: collection.judgements.get(id) ?? new Map(), found, ...scores });
  }
  return legs;
}

/** Reads the query `$1` with its vector `$2`. */
const readQuery = `funding.scope_of('grants', jsonb_build_object('search', $1::text, 'search_mode', 'hybrid')) as scope,
  funding.read_query($1, $2::extensions.halfvec) as query`;
