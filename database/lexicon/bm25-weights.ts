import { type Connection, queryOne } from "../connection.ts";

/** Parameters of BM25. A fit keeps the ones that it was made with. */
export interface Bm25Weights {
  /** Saturation of a word that is repeated in a record, 0 to 100. */
  k1: number;
  /** Normalization by a record's length, 0 to 1. */
  b: number;
  /** Number of words that a word of the title counts as, 0 to 100. */
  titleWeight: number;
}

/** Reads the parameters for the next fit from the settings `bm25_k1`, `bm25_b` and `bm25_title_weight`. */
export function readBm25Weights(connection: Connection): Promise<Bm25Weights> {
  return queryOne<Bm25Weights>(
    connection,
    `select funding.setting('bm25_k1')::float8 as k1, funding.setting('bm25_b')::float8 as b,
            funding.setting('bm25_title_weight')::float8 as "titleWeight"`,
  );
}
