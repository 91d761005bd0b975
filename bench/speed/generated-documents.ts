import type { Connection } from "../../database/connection.ts";
import { expectDocuments, linkDocuments, type NamedFile, storeDocuments } from "../../database/documents.ts";
import { Random } from "../../local/demo/random.ts";
import { round } from "../statistics.ts";
import type { Report } from "./speed-case.ts";

/** Documents of an opportunity, and files that are stored in one transaction. */
export const documentsEach = 3;
const batchFiles = 32;
/** Passages of a document: the six notices of tests/ingest have 45 to 74, most attachments are shorter. */
const fewestPassages = 10;
const mostPassages = 70;
/** Words of a passage. */
const passageWords = 200;

/**
 * Gives the first grants three documents each, whose text is sentences of all grants.
 *
 * @param records how many grants have documents.
 * @returns how many documents and passages were stored, and the seconds that storing them took.
 */
export async function storeGeneratedDocuments(
  connection: Connection,
  records: number,
  report: Report,
): Promise<{ documents: number; passages: number; seconds: number }> {
  const grants = await connection.query<{ id: string; description: string }>(
    `select id, description from funding.grants
     where classification = 'opportunity' and archived_at is null and superseded_by is null order by id`,
  );
  const sentences = grants.slice(0, 4_000).flatMap(({ description }) => description.match(/[^.!?]+[.!?]/g) ?? []);
  const random = new Random(1, "documents", 0);
  const files: NamedFile[] = grants.slice(0, records).flatMap(({ id }) =>
    Array.from({ length: documentsEach }, (_, index) => ({
      ...{ url: `https://documents.example.gov/${id}/${index}.pdf`, file: null },
      records: [{ dataset: "grants" as const, id }],
    })),
  );
  await expectDocuments(connection, files);
  let documents = 0;
  let passages = 0;
  let seconds = 0;
  for (let first = 0; first < files.length; first += batchFiles) {
    const batch = files.slice(first, first + batchFiles).map(({ url, file }) => ({
      ...{ url, file, sha256: "1", reader: 1, fetched_at: null, checked_at: new Date().toISOString() },
      documents: [makeDocument(random, sentences)],
    }));
    const start = performance.now();
    await storeDocuments(connection, batch);
    seconds += (performance.now() - start) / 1_000;
    documents += batch.length;
    passages += batch.reduce((sum, { documents }) => sum + (documents[0]?.passages.length ?? 0), 0);
    if (documents % (batchFiles * 50) === 0)
      report(`documents: ${documents} of ${files.length}, ${round(seconds, 0)} s`);
  }
  await linkDocuments(connection, files);
  return { documents, passages, seconds };
}

function makeDocument(random: Random, sentences: readonly string[]) {
  const length = random.integer(fewestPassages, mostPassages);
  const passages = Array.from({ length }, (_, index) => ({
    ...{ number: index + 1, first_page: Math.floor(index / 2) + 1, last_page: Math.floor(index / 2) + 1, heading: "" },
    body: makePassage(random, sentences),
  }));
  const pages = Math.floor(length / 2) + 1;
  return { member: null, media_type: "application/pdf", pages, is_cut: false, reason: null, facts: [], passages };
}

function makePassage(random: Random, sentences: readonly string[]): string {
  const chosen: string[] = [];
  for (let words = 0; words < passageWords; ) {
    const sentence = random.pick(sentences).trim();
    chosen.push(sentence);
    words += sentence.split(" ").length;
  }
  return chosen.join(" ");
}
