import type { Connection } from "../connection.ts";
import { adoptFit } from "./adopt.ts";
import { readBm25Weights } from "./bm25-weights.ts";
import { type Corpus, readCorpus } from "./corpus.ts";
import type { DenseMatrix, SparseMatrix } from "./matrix.ts";
import { type LexiconTerm, prepareFit } from "./prepare.ts";
import { createProgress, type Progress } from "./progress.ts";
import { renewDocuments } from "./seal.ts";
import { computeScaledSingularVectors } from "./truncated-svd.ts";

/** Dimensions of the fitted space. The database's vectors have 384. */
export const defaultDimensions = 384;
const vectorLength = 384;
/**
 * Weights below this are rounding errors of 0. A word that occurs twice in every record has a weight of 2e-16, and a
 * normalised vector made of that would point in any direction.
 */
const minWeight = 1e-9;

/** Summary of a fit. */
export interface FitSummary {
  documents: number;
  terms: number;
  /** Terms that have a vector. */
  fittedTerms: number;
  dimensions: number;
}

/**
 * Fits the lexicon on the records now in the database and reindexes them with it. Until that is complete, searches use
 * the old lexicon, also for records that are added meanwhile.
 *
 * @param connection not in a transaction.
 * @param report called with each step, and at most once a second with its progress.
 * @throws {Error} with the code PT409 when another fit begins meanwhile.
 */
export async function fitLexicon(
  connection: Connection,
  report: (step: string) => void,
  dimensions = defaultDimensions,
): Promise<FitSummary> {
  const progress = createProgress(report);
  // With segments, so that searches stay fast until this fit has its own.
  const left = await renewDocuments(connection, progress.step);
  if (left !== undefined) progress.step(`some texts are left as an earlier version indexed them: ${left}`);
  progress.step("reading the records' words");
  const bm25 = await readBm25Weights(connection);
  const corpus = await readCorpus(connection, bm25.titleWeight);
  const { size, fitted, vectors } = fitTerms(corpus, dimensions, progress);

  const statistics = {
    documents: corpus.documents.length,
    averageLength: corpus.length / Math.max(1, corpus.documents.length) || 100,
    // 0 marks a lexicon that was never fitted. A fit may find no direction, for example in a single record; it has 1.
    dimensions: corpus.documents.length === 0 ? 0 : Math.max(1, size),
    bm25,
  };
  const fit = await prepareFit(connection, statistics, toTerms(corpus, fitted, vectors), progress);
  await adoptFit(connection, fit, progress);
  return {
    documents: corpus.documents.length,
    terms: corpus.terms.length,
    fittedTerms: fitted.length,
    dimensions: size,
  };
}

/** Terms of a corpus in a space of fewer dimensions. */
export interface FittedTerms {
  /** Dimensions of the space, at most as many as were asked for. */
  size: number;
  /** Indexes of the terms that have a place in it: those of two records or more. */
  fitted: number[];
  /**
   * A row for each of them: its row of V √Σ, times its weight, so that a text is the sum of its words' rows, each times 1 plus the logarithm of
   * its frequency: its row of U Σ√Σ.
   */
  vectors: DenseMatrix;
}

/** Fits a space of at most so many dimensions to a corpus. */
export function fitTerms(corpus: Corpus, dimensions: number, progress: Progress): FittedTerms {
  const fitted = corpus.documentFrequency.flatMap((frequency, term) => (frequency >= 2 ? [term] : []));
  const size = Math.min(dimensions, fitted.length, corpus.documents.length);
  progress.step(`fitting ${size} dimensions to ${corpus.documents.length} records and ${fitted.length} terms`);
  const weights = computeEntropyWeights(corpus);
  const vectors = computeScaledSingularVectors(buildMatrix(corpus, fitted, weights), size, (done, all) =>
    progress.count("fitting", done, all),
  );
  for (const [row, term] of fitted.entries()) {
    const weight = weights[term] ?? 0;
    for (let at = row * vectors.columns; at < (row + 1) * vectors.columns; at++) {
      vectors.values[at] = (vectors.values[at] as number) * weight;
    }
  }
  return { size, fitted, vectors };
}

/** Yields the lexicon's terms. A term of weight 0 has no vector. */
function* toTerms(corpus: Corpus, fitted: number[], vectors: DenseMatrix): Generator<LexiconTerm> {
  let row = 0;
  for (const [index, term] of corpus.terms.entries()) {
    let vector: Float32Array | null = null;
    if (fitted[row] === index) {
      const start = row * vectors.columns;
      const scaled = vectors.values.subarray(start, start + vectors.columns);
      if (scaled.some((value) => value !== 0)) {
        vector = new Float32Array(vectorLength);
        vector.set(scaled);
      }
      row += 1;
    }
    yield { term, documentFrequency: corpus.documentFrequency[index] ?? 0, vector };
  }
}

/**
 * Computes the log-entropy weight of each term, 0 to 1: 1 minus the entropy of its occurrences over the records (Dumais,
 * 1991). A word that is equally frequent in all records has the weight 0.
 */
function computeEntropyWeights({ documents, documentFrequency }: Corpus): Float64Array {
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
  // The sum of p log p over the records, where p is a record's share of the term's occurrences.
  return entropy.map((sum, term) => {
    const total = occurrences[term] ?? 1;
    const weight = 1 + (sum / total - Math.log(total)) / greatest;
    return weight < minWeight ? 0 : weight;
  });
}

/** Builds the matrix of records by terms: 1 plus the logarithm of the frequency, times the term's weight. */
function buildMatrix(corpus: Corpus, fitted: number[], weights: Float64Array): SparseMatrix {
  const column = new Int32Array(corpus.terms.length).fill(-1);
  fitted.forEach((term, index) => {
    column[term] = index;
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
      const termColumn = column[term] ?? -1;
      if (termColumn < 0) return;
      matrix.indices[used] = termColumn;
      matrix.values[used] = (1 + Math.log(document.frequencies[index] ?? 1)) * (weights[term] ?? 0);
      used += 1;
    });
    matrix.offsets[row + 1] = used;
  });
  return matrix;
}
