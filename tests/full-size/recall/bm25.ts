import type pg from "pg";

/** A query's terms and what each is worth. */
export type WeightedTerms = Map<string, number>;

/** A record that has a term. */
interface Posting {
  id: string;
  /** The record's words, each of the title counted by its weight. */
  length: number;
  frequency: number;
}

interface Constants {
  k1: number;
  b: number;
  titleWeight: number;
  averageLength: number;
}

/**
 * BM25 as the textbook has it, over every record, in this process: from the words of the records alone, by
 * nothing that the database computed from them for ranking.
 */
export class ExactBm25 {
  private constructor(
    readonly postings: Map<string, Posting[]>,
    readonly constants: Constants,
  ) {}

  /** @param terms the only ones that will be asked for. */
  static async read(session: pg.Client, terms: Set<string>): Promise<ExactBm25> {
    const { rows: settings } = await session.query<Constants>(`
      select funding.setting('bm25_k1')::float8 as k1, funding.setting('bm25_b')::float8 as b,
             funding.setting('bm25_title_weight')::float8 as "titleWeight",
             (select average_length::float8 from funding.lexicon_fit) as "averageLength"`);
    const [constants] = settings;
    if (constants === undefined) throw new Error("no settings");
    const postings = new Map<string, Posting[]>([...terms].map((term) => [term, []]));
    const { rows } = await session.query<{ id: string; length: number; said: Record<string, number> | null }>(
      `select record.id, words.length, words.said
       from funding.grants as record
       cross join lateral (
         select sum(frequency)::float8 as length, json_object_agg(lexeme, frequency) filter (where lexeme = any ($1)) as said
         from (
           select lexeme, cardinality(positions)
             + ($2 - 1) * (select count(*) from unnest(weights) as label where label = 'A') as frequency
           from unnest(record.lexemes)
         ) as word
       ) as words`,
      [[...terms], constants.titleWeight],
    );
    for (const { id, length, said } of rows) {
      for (const [term, frequency] of Object.entries(said ?? {})) postings.get(term)?.push({ id, length, frequency });
    }
    return new ExactBm25(postings, constants);
  }

  /** The same, of these records alone. Constants stay those of all. */
  among(ids: ReadonlySet<string>): ExactBm25 {
    const postings = [...this.postings].map(([term, list]) => [term, list.filter(({ id }) => ids.has(id))] as const);
    return new ExactBm25(new Map(postings), this.constants);
  }

  /** The scores of all records that have a word of the query. */
  scores(query: WeightedTerms): Map<string, number> {
    const { k1, b, averageLength } = this.constants;
    const scores = new Map<string, number>();
    for (const [term, weight] of query) {
      for (const { id, length, frequency } of this.postings.get(term) ?? []) {
        const norm = k1 * (1 - b + (b * length) / averageLength);
        scores.set(id, (scores.get(id) ?? 0) + (weight * frequency * (k1 + 1)) / (frequency + norm));
      }
    }
    for (const [id, score] of scores) if (!(score > 0)) scores.delete(id);
    return scores;
  }
}
