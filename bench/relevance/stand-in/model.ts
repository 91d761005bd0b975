import { type Connection, closeAfter, queryValue } from "../../../database/connection.ts";
import { parseLexemes, startCorpus } from "../../../database/lexicon/corpus.ts";
import { fitTerms } from "../../../database/lexicon/fit.ts";
import { createProgress } from "../../../database/lexicon/progress.ts";
import { migrate } from "../../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../../database/pglite.ts";
import { batchesOf } from "../../../ingest/batches.ts";

/**
 * An embedding model for machines on which no real one can run: latent semantic analysis of a body of texts. Words that occur in like texts have
 * like vectors. It knows the words of that body alone, and no order of words.
 */
export interface StandInModel {
  /** Numbers of a vector. */
  size: number;
  /** Words that it knows. */
  words: number;
  /** A vector for each text, not of length 1. */
  embed(texts: readonly string[]): Promise<number[][]>;
}

const batchSize = 500;

/**
 * Trains a model, and runs `work` with it.
 *
 * @param texts the body of texts. Words that only one of them has are not learnt.
 * @param size numbers of a vector. The first of them are the best approximation with that many.
 */
export async function withStandInModel<Result>(
  texts: readonly string[],
  size: number,
  report: (step: string) => void,
  work: (model: StandInModel) => Promise<Result>,
): Promise<Result> {
  // Postgres finds the words' stems.
  return closeAfter(pgliteConnection(await openPGlite()), async (connection) => {
    await migrate(connection);
    const { corpus, add } = startCorpus();
    for (const batch of batchesOf(texts, batchSize))
      for (const counts of await readWords(connection, batch)) add(counts);
    const { fitted, vectors } = fitTerms(corpus, size, createProgress(report));
    const rows = new Map(fitted.map((term, row) => [corpus.terms[term] ?? "", row]));
    const vectorOf = ({ terms, frequencies }: Words): number[] => {
      // A text without a known word has the direction of all texts.
      const sum = new Array<number>(size).fill(0);
      sum[0] = 1e-3;
      terms.forEach((term, index) => {
        const row = rows.get(term);
        if (row === undefined) return;
        const weight = 1 + Math.log(frequencies[index] ?? 1);
        for (let at = 0; at < vectors.columns; at++) {
          sum[at] = (sum[at] ?? 0) + weight * (vectors.values[row * vectors.columns + at] ?? 0);
        }
      });
      return sum;
    };
    return work({
      size,
      words: rows.size,
      embed: async (given) => (await readWords(connection, given)).map(vectorOf),
    });
  });
}

type Words = ReturnType<typeof parseLexemes>;

async function readWords(connection: Connection, texts: readonly string[]): Promise<Words[]> {
  const lexemes = await queryValue<string[]>(
    connection,
    `select coalesce(array_agg(to_tsvector('funding.english', funding.separate_words(given.text))::text order by given.position), '{}')
     from unnest($1::text[]) with ordinality as given(text, position)`,
    [texts],
  );
  return lexemes.map((one) => parseLexemes(one, 1));
}
