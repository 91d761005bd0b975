import { type Connection, queryOne } from "./connection.ts";

/** A file of documents: by its address, or by its name where it has none. */
export interface FileName {
  url: string | null;
  file: string | null;
}

/** A file, with the records that it is said to be of, beside those that have its address. */
export interface NamedFile extends FileName {
  records: { dataset: "grants" | "contracts"; id: string }[];
}

/** A file to have, and what is stored of it; null where nothing is. A file that is to be read again has no digest. */
export interface ExpectedFile extends FileName {
  sha256: string | null;
  reader: number | null;
}

/** When a file was fetched and looked for, as RFC 3339, and why the last look brought nothing. */
export interface FileLook {
  fetched_at: string | null;
  checked_at: string;
  reason: string | null;
}

/** What was read of a file: one document, or those of an archive. */
export interface ReadFileRow extends FileName, Omit<FileLook, "reason"> {
  sha256: string | null;
  reader: number;
  /** When an unchanged file is read again, as RFC 3339. Default: never. */
  retry_at?: string | null;
  documents: DocumentRow[];
}

/** A document, or why it could not be had or read. */
export interface DocumentRow {
  /** Name in an archive; null of others. */
  member: string | null;
  media_type: string | null;
  pages: number | null;
  is_cut: boolean;
  reason: string | null;
  facts: object[];
  passages: PassageRow[];
}

export interface PassageRow {
  number: number;
  first_page: number | null;
  last_page: number | null;
  heading: string;
  body: string;
}

/** Returns the addresses of the documents of current opportunities that are not over. */
export async function currentDocuments(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ url: string }>("select url from funding.current_documents() as url");
  return rows.map(({ url }) => url);
}

/** Returns the grants and contracts that an identifier names: an id, an opportunity or solicitation number. */
export async function recordsOfIdentifier(connection: Connection, identifier: string): Promise<NamedFile["records"]> {
  return connection.query<NamedFile["records"][number]>(
    `select dataset, id from unnest(array['grants', 'contracts']) as dataset
     cross join jsonb_array_elements_text(coalesce(funding.identified_ids(dataset, $1), '[]')) as id
     where funding.slot_of(dataset, id::uuid) is not null`,
    [identifier],
  );
}

/**
 * Returns the number of stored files that current opportunities have, or that have no address, and of those among them that a load of other files would
 * delete.
 */
export function countMissingFiles(
  connection: Connection,
  files: readonly FileName[],
): Promise<{ stored: number; missing: number }> {
  return queryOne(
    connection,
    `with given as (
       select funding.file_id(item.url, item.file) as id from jsonb_to_recordset($1::text::jsonb) as item(url text, file text)
     ), stored as (
       select distinct known.file_id as id from funding.documents as known
       where known.url is null or known.url in (select funding.current_documents())
     )
     select count(*)::integer as stored, (count(*) filter (where stored.id not in (select given.id from given)))::integer as missing from stored`,
    [JSON.stringify(files.map(({ url, file }) => ({ url, file })))],
  );
}

/** Begins a load: deletes the documents of all other files, and of those that no current opportunity has. @returns the files to have. */
export function expectDocuments(connection: Connection, files: readonly NamedFile[]): Promise<ExpectedFile[]> {
  return connection.query<ExpectedFile>(
    "select url, file, sha256, reader from funding.expect_documents($1::text::jsonb)",
    [JSON.stringify(files)],
  );
}

/** Stores what was read of files, in place of what was stored of each. */
export async function storeDocuments(connection: Connection, files: readonly ReadFileRow[]): Promise<void> {
  await connection.query("select funding.store_documents($1::text::jsonb)", [JSON.stringify(files)]);
}

/** Notes what came of files that were looked for and not read anew. */
export async function noteDocuments(connection: Connection, files: readonly (FileName & FileLook)[]): Promise<void> {
  await connection.query("select funding.note_documents($1::text::jsonb)", [JSON.stringify(files)]);
}

/** Ends a load: says which records have which documents. */
export async function linkDocuments(connection: Connection, files: readonly NamedFile[]): Promise<void> {
  await connection.query("select funding.link_documents($1::text::jsonb)", [JSON.stringify(files)]);
}
