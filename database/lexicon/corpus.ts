import { readBatchesById } from "../../ingest/batches.ts";
import type { Dataset } from "../../ingest/record.ts";
import type { Connection } from "../connection.ts";

/** Terms of all records, with their frequencies in each. */
export interface Corpus {
  terms: string[];
  /** Number of records with each term. */
  documentFrequency: number[];
  /** For each record, the indexes of its terms in `terms`, and their frequencies. */
  documents: { terms: Uint32Array; frequencies: Uint16Array }[];
  /** Number of words in all records, with a word of a title counted by its weight. */
  length: number;
}

/** Datasets in the order in which writers of opportunities lock them: funders first. */
export const datasets: readonly Dataset[] = ["funders", "grants", "contracts"];
const batchSize = 2_000;

/**
 * Reads the indexed words of every record.
 *
 * @param titleWeight number of words that a word of the title counts as.
 */
export async function readCorpus(connection: Connection, titleWeight: number): Promise<Corpus> {
  const { corpus, add } = startCorpus();
  for (const dataset of datasets) {
    for await (const counts of readWordCounts(connection, dataset, titleWeight)) add(counts);
  }
  return corpus;
}

/** Begins a corpus, to which texts are added. */
export function startCorpus(): { corpus: Corpus; add(counts: WordCounts): void } {
  const corpus: Corpus = { terms: [], documentFrequency: [], documents: [], length: 0 };
  const indexes = new Map<string, number>();
  return {
    corpus,
    add({ terms, frequencies, length }) {
      corpus.length += length;
      const document = { terms: new Uint32Array(terms.length), frequencies: Uint16Array.from(frequencies) };
      terms.forEach((term, index) => {
        let termIndex = indexes.get(term);
        if (termIndex === undefined) {
          termIndex = corpus.terms.push(term) - 1;
          indexes.set(term, termIndex);
          corpus.documentFrequency.push(0);
        }
        document.terms[index] = termIndex;
        corpus.documentFrequency[termIndex] = (corpus.documentFrequency[termIndex] ?? 0) + 1;
      });
      corpus.documents.push(document);
    },
  };
}

/** Terms of a record, with their frequencies. */
export interface WordCounts {
  terms: string[];
  frequencies: number[];
  /** Number of words, with a word of the title counted by its weight. */
  length: number;
}

async function* readWordCounts(
  connection: Connection,
  dataset: Dataset,
  titleWeight: number,
): AsyncGenerator<WordCounts> {
  const batches = readBatchesById((after) =>
    connection.query<{ id: string; lexemes: string }>(
      // As text, which takes Postgres a tenth of the time that unnesting takes.
      `select record.id, record.lexemes::text as lexemes
       from funding.${dataset} as record
       where record.id > $1 order by record.id limit ${batchSize}`,
      [after],
    ),
  );
  for await (const batch of batches) {
    for (const { lexemes } of batch) yield parseLexemes(lexemes, titleWeight);
  }
}

/** A lexeme in quotes, with quotes and backslashes doubled, and its positions, of which those in a title have the label A. */
const lexemePattern = /'((?:[^']|'')*)'(?::([0-9ABC,]+))?/g;

/** Parses the text of a tsvector. A lexeme without positions counts once. */
export function parseLexemes(text: string, titleWeight: number): WordCounts {
  const counts: WordCounts = { terms: [], frequencies: [], length: 0 };
  for (const [, quoted = "", positions = ""] of text.matchAll(lexemePattern)) {
    counts.terms.push(/['\\]/.test(quoted) ? quoted.replaceAll("''", "'").replaceAll("\\\\", "\\") : quoted);
    let frequency = 1;
    let inTitle = 0;
    for (let index = 0; index < positions.length; index++) {
      const character = positions[index];
      if (character === ",") frequency += 1;
      else if (character === "A") inTitle += 1;
    }
    counts.frequencies.push(frequency);
    counts.length += frequency + (titleWeight - 1) * inTitle;
  }
  return counts;
}
