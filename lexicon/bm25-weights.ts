import { type Connection, queryOne } from "../database/connection.ts";

/** What BM25 weighs a record's words by. A fit keeps those that it was made with until the next. */
export interface Bm25Weights {
  /** Saturation of a word that a record repeats, 0 to 100. */
  k1: number;
  /** How much a long record's words count less, 0 to 1. */
  b: number;
  /** How many words a word of the title counts as, 0 to 100. */
  titleWeight: number;
}

/** The weights that the next fit is to have, of the settings `bm25_k1`, `bm25_b` and `bm25_title_weight`. */
export function readBm25Weights(connection: Connection): Promise<Bm25Weights> {
  return queryOne<Bm25Weights>(
    connection,
    `select funding.setting('bm25_k1')::float8 as k1, funding.setting('bm25_b')::float8 as b,
            funding.setting('bm25_title_weight')::float8 as "titleWeight"`,
  );
}
