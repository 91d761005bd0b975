import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Connection } from "../../database/connection.ts";
import { expectDocuments, linkDocuments, storeDocuments } from "../../database/documents.ts";
import type { Collection, CollectionDocument, CollectionQuery, Judgements } from "./collection.ts";
import type { Grades } from "./metrics.ts";
import { readCollection, readJsonLines } from "./read-collection.ts";

/** Folder of the notices of funding, with questions whose grades are of their passages. */
export const noticesFolder = fileURLToPath(new URL("../../tests/relevance/notices", import.meta.url));

/** Notices of funding as records, with the passages of their documents. */
export interface Notices {
  records: CollectionDocument[];
  /** Ids are those of the record and the passage's number, as in `acf-notice:12`. */
  passages: CollectionDocument[];
  queries: CollectionQuery[];
  /** Grades of passages. */
  judgements: Judgements;
}

export async function readNotices(): Promise<Notices> {
  const { documents, queries, judgements } = await readCollection(noticesFolder);
  const records: CollectionDocument[] = [];
  for await (const { values } of readJsonLines(join(noticesFolder, "records.jsonl"))) {
    const { _id, title, text, funder } = values;
    records.push({ id: String(_id), title: String(title), text: String(text), funder: String(funder) });
  }
  return { records, passages: documents, queries, judgements };
}

/** Grades of records: each has the best grade of its passages. */
export function gradesOfRecords(grades: Grades): Grades {
  const best = new Map<string, number>();
  for (const [passage, grade] of grades) {
    const { record } = partsOf(passage);
    best.set(record, Math.max(grade, best.get(record) ?? 0));
  }
  return best;
}

/** A collection with the notices among its records. */
export function withNotices(collection: Collection, { records }: Notices): Collection {
  return { ...collection, documents: [...collection.documents, ...records] };
}

/** Stores the notices' passages as documents of their records, which are loaded. Each file has the record's name. */
export async function loadNotices(
  connection: Connection,
  { records, passages }: Pick<Notices, "records" | "passages">,
): Promise<void> {
  const passagesOf = new Map<string, CollectionDocument[]>();
  for (const passage of passages) {
    const { record } = partsOf(passage.id);
    passagesOf.set(record, [...(passagesOf.get(record) ?? []), passage]);
  }
  const known = await connection.query<{ id: string; source_id: string }>(
    "select id, source_id from funding.grants where source_id = any ($1)",
    [records.map(({ id }) => id)],
  );
  const files = known.map(({ id, source_id }) => ({
    ...{ url: null, file: source_id },
    records: [{ dataset: "grants" as const, id }],
  }));
  const moment = new Date().toISOString();
  await expectDocuments(connection, files);
  await storeDocuments(
    connection,
    known.map(({ source_id }) => ({
      ...{ url: null, file: source_id, sha256: null, reader: 1, fetched_at: moment, checked_at: moment },
      documents: [
        {
          ...{ member: null, media_type: null, pages: null, is_cut: false, reason: null, facts: [] },
          passages: (passagesOf.get(source_id) ?? []).map(({ id, title, text }) => ({
            ...{ number: partsOf(id).number, first_page: null, last_page: null },
            ...{ heading: title, body: text },
          })),
        },
      ],
    })),
  );
  await linkDocuments(connection, files);
}

function partsOf(passage: string): { record: string; number: number } {
  const [record = "", number] = passage.split(":");
  return { record, number: Number(number) };
}
