import type { Connection } from "../database/connection.ts";
import { readBatchesById } from "../ingest/batches.ts";
import type { Dataset } from "../ingest/record.ts";

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
  const corpus: Corpus = { terms: [], documentFrequency: [], documents: [], length: 0 };
  const indexes = new Map<string, number>();
  for (const dataset of datasets) {
    for await (const { terms, frequencies, length } of readDocuments(connection, dataset, titleWeight)) {
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
    }
  }
  return corpus;
}

interface DocumentRow {
  id: string;
  terms: string[];
  frequencies: number[];
  length: number;
}

async function* readDocuments(
  connection: Connection,
  dataset: Dataset,
  titleWeight: number,
): AsyncGenerator<DocumentRow> {
  const batches = readBatchesById((after) =>
    connection.query<DocumentRow>(
      `select record.id,
              array(select lexeme from unnest(record.document)) as terms,
              array(select cardinality(positions) from unnest(record.document)) as frequencies,
              (select coalesce(sum(frequency), 0) from funding.term_frequencies(record.document, $2)) as length
       from funding.${dataset} as record
       where record.id > $1 order by record.id limit ${batchSize}`,
      [after, titleWeight],
    ),
  );
  for await (const batch of batches) yield* batch;
}
