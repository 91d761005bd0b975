import type pg from "pg";

/** A query's terms and what each is worth. */
export type WeightedTerms = Map<string, number>;

/** How often a record says its words, in its title and in all. */
interface RecordWords {
  length: number;
  frequencies: Map<string, number>;
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
    readonly records: Map<string, RecordWords>,
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
    const records = new Map<string, RecordWords>();
    const { rows } = await session.query<{ id: string; length: number; said: Record<string, number> | null }>(
      `select record.id, words.length, words.said
       from funding.grants as record
       cross join lateral (
         select sum(frequency)::float8 as length, json_object_agg(lexeme, frequency) filter (where lexeme = any ($1)) as said
         from (
           select lexeme, cardinality(positions)
             + ($2 - 1) * (select count(*) from unnest(weights) as label where label = 'A') as frequency
           from unnest(record.document)
         ) as word
       ) as words`,
      [[...terms], constants.titleWeight],
    );
    for (const { id, length, said } of rows)
      records.set(id, { length, frequencies: new Map(Object.entries(said ?? {})) });
    return new ExactBm25(records, constants);
  }

  /** The scores of all records, among `ids`, that have a word of the query. */
  scores(query: WeightedTerms, ids: Iterable<string>): Map<string, number> {
    const { k1, b, averageLength } = this.constants;
    const scores = new Map<string, number>();
    for (const id of ids) {
      const record = this.records.get(id);
      if (record === undefined) continue;
      let score = 0;
      for (const [term, weight] of query) {
        const frequency = record.frequencies.get(term);
        if (frequency === undefined) continue;
        const norm = k1 * (1 - b + (b * record.length) / averageLength);
        score += (weight * frequency * (k1 + 1)) / (frequency + norm);
      }
      if (score > 0) scores.set(id, score);
    }
    return scores;
  }
}
