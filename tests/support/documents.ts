import type { Connection } from "../../database/connection.ts";
import {
  type DocumentRow,
  expectDocuments,
  linkDocuments,
  type NamedFile,
  storeDocuments,
} from "../../database/documents.ts";

/** A text with a passage for each of the given. */
export function documentOf(...texts: string[]): DocumentRow {
  return {
    ...{ member: null, media_type: "application/pdf", pages: texts.length, is_cut: false, reason: null, facts: [] },
    passages: texts.map((body, index) => ({
      ...{ number: index + 1, first_page: index + 1, last_page: index + 1, heading: "", body },
    })),
  };
}

/** A file with its documents, and the grants that it is of. */
export interface GivenFile {
  url: string;
  documents: DocumentRow[];
  of: string[];
  dataset?: "grants" | "contracts";
}

/** Brings the documents of a database to these, as a load does, which reads every file anew. */
export async function loadFiles(connection: Connection, ...given: GivenFile[]): Promise<void> {
  const files: NamedFile[] = given.map(({ url, of, dataset = "grants" }) => ({
    ...{ url, file: null },
    records: of.map((id) => ({ dataset, id })),
  }));
  const expected = (await expectDocuments(connection, files)).map((file) => file.url);
  const looked = { fetched_at: "2026-11-01T00:00:00Z", checked_at: "2026-11-02T00:00:00Z" };
  await storeDocuments(
    connection,
    given
      .filter(({ url }) => expected.includes(url))
      .map(({ url, documents }) => ({ url, file: null, sha256: "1", reader: 1, ...looked, documents })),
  );
  await linkDocuments(connection, files);
}
