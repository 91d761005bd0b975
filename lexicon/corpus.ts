import type { Connection } from "../database/connection.ts";
import type { Dataset } from "../ingest/record.ts";

/** The words of all records: which terms there are, and how often each record says each. */
export interface Corpus {
  terms: string[];
  documentFrequency: number[];
  /** For each record, its terms' places in `terms` and their frequencies. */
  documents: { terms: Uint32Array; frequencies: Uint16Array }[];
  /** Words in all records together, a word of a title counted as often as it weighs. */
  length: number;
}

/** In the order in which a writer of opportunities takes them: funders first. */
export const datasets: readonly Dataset[] = ["funders", "grants", "contracts"];
const batchSize = 2_000;

/**
 * Reads the indexed words of every record.
 *
 * @param titleWeight how many words a word of the title counts as.
 */
export async function readCorpus(connection: Connection, titleWeight: number): Promise<Corpus> {
  const corpus: Corpus = { terms: [], documentFrequency: [], documents: [], length: 0 };
  const places = new Map<string, number>();
  for (const dataset of datasets) {
    for await (const { terms, frequencies, length } of documentsOf(connection, dataset, titleWeight)) {
      corpus.length += length;
      const document = { terms: new Uint32Array(terms.length), frequencies: Uint16Array.from(frequencies) };
      terms.forEach((term, index) => {
        let place = places.get(term);
        if (place === undefined) {
          place = corpus.terms.push(term) - 1;
          places.set(term, place);
          corpus.documentFrequency.push(0);
        }
        document.terms[index] = place;
        corpus.documentFrequency[place] = (corpus.documentFrequency[place] ?? 0) + 1;
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

async function* documentsOf(
  connection: Connection,
  dataset: Dataset,
  titleWeight: number,
): AsyncGenerator<DocumentRow> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await connection.query<DocumentRow>(
      `select record.id,
              array(select lexeme from unnest(record.document)) as terms,
              array(select cardinality(positions) from unnest(record.document)) as frequencies,
              (select coalesce(sum(frequency), 0) from funding.term_frequencies(record.document, $2)) as length
       from funding.${dataset} as record
       where record.id > $1 order by record.id limit ${batchSize}`,
      [after, titleWeight],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
