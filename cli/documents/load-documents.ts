import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Connection } from "../../database/connection.ts";
import {
  countMissingFiles,
  type DocumentRow,
  expectDocuments,
  type FileName,
  linkDocuments,
  type NamedFile,
  noteDocuments,
  type ReadFileRow,
  recordsOfIdentifier,
  storeDocuments,
} from "../../database/documents.ts";
import { readerVersion, type UnreadableReason } from "../../ingest/documents/document-text.ts";
import type { ReadingLimits } from "../../ingest/documents/process/read-safely.ts";
import { DocumentFolderError } from "./folder-error.ts";
import type { FolderFile } from "./folder-files.ts";
import { type ReadFile, readNamedFile } from "./named-file.ts";

/** Files of a load, by what came of them. */
export interface LoadCounts {
  read: number;
  /** Stored as they are. */
  unchanged: number;
  /** Files of which a document could not be had or read. */
  failed: number;
  /** That no current opportunity has. */
  unwanted: number;
  /** Documents and passages that were stored. */
  documents: number;
  passages: number;
  /** Not begun: for the next run. */
  left: number;
}

/** Files that are stored in one transaction. */
const batchFiles = 16;
/** Largest share of the stored files that a load deletes, or one file: where the folder lacks more, it is probably another one. */
const maxMissingShare = 0.2;
/** Reasons for which the reading of a document came to no end, so that another attempt may: a busy machine may have been why. */
const unfinishedReasons: readonly UnreadableReason[] = ["out_of_time", "out_of_memory", "failed"];
/** Days until that attempt. */
const retryDays = 7;

export interface LoadOptions {
  /** Whether no further file is to be begun. Default: never. */
  isOver?(): boolean;
  /** Deletes what the folder lacks, however much it is. Default: false. */
  isForced?: boolean;
  /** Of each document's reading. */
  limits?: ReadingLimits;
}

/**
 * Brings the documents of a database to what a folder has: reads files that are new or have changed, deletes the documents of others, and says which
 * records have which. A run that ends early has stored what it read, and the next one goes on there.
 *
 * @throws {DocumentFolderError} when the folder lacks more than a fifth of the files that are stored. Nothing was changed.
 */
export async function loadDocuments(
  connection: Connection,
  files: readonly FolderFile[],
  { isOver = () => false, isForced = false, limits = {} }: LoadOptions = {},
): Promise<LoadCounts> {
  if (!isForced) await requireMostFiles(connection, files);
  const counts: LoadCounts = { read: 0, unchanged: 0, failed: 0, unwanted: 0, documents: 0, passages: 0, left: 0 };
  const named: NamedFile[] = [];
  for (const { url, file, records } of files) {
    const found = await Promise.all(records.map((identifier) => recordsOfIdentifier(connection, identifier)));
    named.push({ url, file, records: found.flat() });
  }
  const expected = new Map((await expectDocuments(connection, named)).map((one) => [keyOf(one), one]));
  const due: FolderFile[] = [];
  const looked: FolderFile[] = [];
  for (const one of files) {
    const stored = expected.get(keyOf(one));
    if (stored === undefined) counts.unwanted++;
    else if (stored.sha256 === (await digestOf(one)) && stored.reader === readerVersion) {
      if (one.path === null) counts.failed++;
      else counts.unchanged++;
      looked.push(one);
    } else due.push(one);
  }
  await noteDocuments(connection, looked);
  counts.left = due.length;
  let batch: ReadFileRow[] = [];
  for (const one of due) {
    if (isOver()) break;
    const { isDone, ...read } = await readRow(one, limits);
    counts.left--;
    // The same file was read before, by another version of the reader: what is stored stays.
    if (!isDone && read.sha256 !== null && read.sha256 === expected.get(keyOf(one))?.sha256) {
      counts.failed++;
      continue;
    }
    if (one.path !== null) {
      counts.read++;
      counts.documents += read.documents.length;
      counts.passages += read.documents.reduce((sum, { passages }) => sum + passages.length, 0);
    }
    if (read.documents.some(({ reason }) => reason !== null)) counts.failed++;
    batch.push(read);
    if (batch.length === batchFiles) {
      await storeDocuments(connection, batch);
      batch = [];
    }
  }
  if (batch.length > 0) await storeDocuments(connection, batch);
  await linkDocuments(connection, named);
  return counts;
}

async function requireMostFiles(connection: Connection, files: readonly FolderFile[]): Promise<void> {
  const { stored, missing } = await countMissingFiles(connection, files);
  if (missing <= Math.max(1, stored * maxMissingShare)) return;
  const [some, all] = [missing, stored].map((count) => count.toLocaleString("en-US"));
  throw new DocumentFolderError(
    `The folder lacks ${some} of the ${all} stored files of current opportunities, which is more than a fifth: no document was changed. If it is the right folder, --force deletes them.`,
  );
}

function keyOf({ url, file }: FileName): string {
  return url === null ? `file ${file}` : `url ${url}`;
}

/** Digest of a file's bytes; null where it is not there. */
async function digestOf({ path, sha256 }: FolderFile): Promise<string | null> {
  if (sha256 !== null || path === null) return sha256;
  try {
    return createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
  } catch {
    return null;
  }
}

async function readRow(one: FolderFile, limits: ReadingLimits): Promise<ReadFileRow & { isDone: boolean }> {
  const { url, file, path, fetched_at, checked_at, reason } = one;
  const documents: DocumentRow[] = [];
  let isDone = true;
  if (path === null) documents.push(withoutText(reason ?? "The file is not there."));
  else {
    const name = file ?? "";
    for await (const read of readNamedFile(name, path, limits)) {
      if (read.document.kind === "unreadable" && unfinishedReasons.includes(read.document.reason)) isDone = false;
      const row = rowOf(read, name, reason);
      // An archive may have a name twice: the first counts.
      if (documents.every(({ member }) => member !== row.member)) documents.push(row);
    }
  }
  const retry_at = isDone ? null : new Date(Date.now() + retryDays * 86_400_000).toISOString();
  return {
    url,
    file,
    sha256: await digestOf(one),
    reader: readerVersion,
    retry_at,
    isDone,
    fetched_at,
    checked_at,
    documents,
  };
}

/** @param problem why the file's address could not be had again: the file is from before. */
function rowOf({ file, document }: ReadFile, name: string, problem: string | null): DocumentRow {
  const member = file === name ? null : file.slice(name.length).replace(/^: /, "");
  if (document.kind === "unreadable") return { ...withoutText(document.message), member };
  const { mediaType, pages, isCut, passages, facts } = document;
  const pageOf = new Map(passages.map(({ number, firstPage }) => [number, firstPage]));
  return {
    member,
    media_type: mediaType,
    pages,
    is_cut: isCut,
    reason: problem,
    facts: facts.map((fact) => ({ ...fact, page: pageOf.get(fact.passage) ?? null })),
    passages: passages.map(({ number, firstPage, lastPage, headingPath, text }) => ({
      ...{ number, first_page: firstPage, last_page: lastPage },
      ...{ heading: headingPath, body: text },
    })),
  };
}

function withoutText(reason: string): DocumentRow {
  return { member: null, media_type: null, pages: null, is_cut: false, reason, facts: [], passages: [] };
}
