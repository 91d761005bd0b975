import type { Connection } from "../database/connection.ts";
import { queryOne } from "../database/connection.ts";
import { type Corpus, readCorpus } from "./corpus.ts";
import type { SparseMatrix } from "./matrix.ts";
import { columnCoordinates } from "./truncated-svd.ts";

/** Dimensions of the fitted space. The database's vectors have room for 384. */
export const defaultDimensions = 384;
const vectorLength = 384;
const insertBatch = 500;

/** What a fit found and did. */
export interface FitSummary {
  documents: number;
  terms: number;
  /** Terms that have a vector. */
  fittedTerms: number;
  dimensions: number;
  reindexed: number;
}

/**
 * Fits the lexicon on the records now in the database and reindexes them with it, in one
 * transaction: searches use the old lexicon until it commits, and the new one from then on.
 *
 * @param report is told what is being done.
 */
export async function fitLexicon(
  connection: Connection,
  report: (step: string) => void,
  dimensions = defaultDimensions,
): Promise<FitSummary> {
  report("reading the records' words");
  const corpus = await readCorpus(connection);
  const fitted = corpus.documentFrequency.flatMap((frequency, term) => (frequency >= 2 ? [term] : []));
  const size = Math.min(dimensions, fitted.length, corpus.documents.length);

  report(`fitting ${size} dimensions to ${corpus.documents.length} records and ${fitted.length} terms`);
  const weights = entropyWeights(corpus);
  const coordinates = columnCoordinates(weightedMatrix(corpus, fitted, weights), size);

  const vectors = new Map<number, string>();
  fitted.forEach((term, row) => {
    const weight = weights[term] ?? 0;
    const vector = Array.from({ length: vectorLength }, (_, column) =>
      column < size ? ((coordinates.values[row * size + column] ?? 0) * weight).toPrecision(5) : "0",
    );
    vectors.set(term, `[${vector.join(",")}]`);
  });

  return connection.transaction(async (transaction) => {
    report("storing the lexicon");
    await store(transaction, corpus, vectors);
    await transaction.query(
      "update funding.lexicon_fit set documents = $1, average_length = $2, dimensions = $3, fitted_at = now()",
      [corpus.documents.length, corpus.length / Math.max(1, corpus.documents.length) || 100, size],
    );
    await transaction.execute("analyze funding.lexicon");
    report("reindexing the records");
    const { reindexed } = await queryOne<{ reindexed: number }>(
      transaction,
      "select funding.reindex_records()::int as reindexed",
    );
    await transaction.query("select funding.refresh_vector_indexes()");
    return {
      documents: corpus.documents.length,
      terms: corpus.terms.length,
      fittedTerms: fitted.length,
      dimensions: size,
      reindexed,
    };
  });
}

/**
 * What each term says about the record it is in, 0 to 1: 1 less the entropy of its occurrences over the
 * records (Dumais, 1991). A word that all records share alike says nothing.
 */
function entropyWeights({ documents, documentFrequency }: Corpus): Float64Array {
  const occurrences = new Float64Array(documentFrequency.length);
  const entropy = new Float64Array(documentFrequency.length);
  for (const { terms, frequencies } of documents) {
    terms.forEach((term, index) => {
      const frequency = frequencies[index] ?? 0;
      occurrences[term] = (occurrences[term] ?? 0) + frequency;
      entropy[term] = (entropy[term] ?? 0) + frequency * Math.log(frequency);
    });
  }
  const greatest = Math.log(Math.max(2, documents.length));
  // The sum of p log p over the records, with p a record's share of the term's occurrences.
  return entropy.map((sum, term) => {
    const total = occurrences[term] ?? 1;
    return 1 + (sum / total - Math.log(total)) / greatest;
  });
}

/** Records by terms: frequency damped logarithmically, times the term's weight. */
function weightedMatrix(corpus: Corpus, fitted: number[], weights: Float64Array): SparseMatrix {
  const column = new Int32Array(corpus.terms.length).fill(-1);
  fitted.forEach((term, place) => {
    column[term] = place;
  });
  const entries = corpus.documents.reduce((sum, document) => sum + document.terms.length, 0);
  const matrix: SparseMatrix = {
    rows: corpus.documents.length,
    columns: fitted.length,
    offsets: new Uint32Array(corpus.documents.length + 1),
    indices: new Uint32Array(entries),
    values: new Float32Array(entries),
  };
  let used = 0;
  corpus.documents.forEach((document, row) => {
    document.terms.forEach((term, index) => {
      const place = column[term] ?? -1;
      if (place < 0) return;
      matrix.indices[used] = place;
      matrix.values[used] = (1 + Math.log(document.frequencies[index] ?? 1)) * (weights[term] ?? 0);
      used += 1;
    });
    matrix.offsets[row + 1] = used;
  });
  return matrix;
}

async function store(connection: Connection, corpus: Corpus, vectors: Map<number, string>): Promise<void> {
  await connection.execute("delete from funding.lexicon");
  for (let start = 0; start < corpus.terms.length; start += insertBatch) {
    const batch = corpus.terms.slice(start, start + insertBatch);
    await connection.query(
      `insert into funding.lexicon (term, document_frequency, vector)
       select term, frequency, vector::extensions.vector
       from unnest($1::text[], $2::int[], $3::text[]) as entry(term, frequency, vector)`,
      [
        batch,
        corpus.documentFrequency.slice(start, start + insertBatch),
        batch.map((_, index) => vectors.get(start + index) ?? null),
      ],
    );
  }
}
