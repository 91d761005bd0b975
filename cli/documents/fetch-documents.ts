import { Web, type WebOptions } from "../web/web.ts";
import { fetchDocument } from "./fetch-document.ts";
import type { DocumentEntry, DocumentFolder } from "./folder.ts";
import { DocumentFolderError } from "./folder-error.ts";

export interface FetchOptions extends WebOptions {
  /** Documents that were looked at in so many milliseconds are left alone. */
  freshMs: number;
  /** Whether no further document is to be begun. */
  isOver(): boolean;
  /** Removes what no current opportunity has, however much it is. Default: false. */
  isForced?: boolean;
  /** Longest time for a document's bytes, in milliseconds. Default: two minutes. */
  bodyTimeoutMs?: number;
}

/** Documents of a run, by what came of them. */
export interface FetchCounts {
  fetched: number;
  unchanged: number;
  failed: number;
  closed: number;
  /** Not looked at: for the next run. */
  left: number;
  /** Bytes of those that were fetched. */
  bytes: number;
  /** Removed from the folder, since no current opportunity has them. */
  removed: number;
}

/** Time between two writes of the manifest, in milliseconds: what a run loses that is killed. Its files are fetched again. */
const saveEveryMs = 10_000;
/** Largest share of the files that a run removes: where more would go, the database is probably another one. */
const maxRemovedShare = 0.5;
/** As many files go in any case. */
const freelyRemoved = 10;

/**
 * Brings a folder to what a list of addresses has: the documents that were never looked at first, then the longest unseen. One that cannot be had
 * keeps its former file, and the reason.
 *
 * @throws {DocumentFolderError} when more than half of the folder's files would go. Nothing was changed.
 */
export async function fetchDocuments(
  urls: readonly string[],
  folder: DocumentFolder,
  options: FetchOptions,
): Promise<FetchCounts> {
  const counts: FetchCounts = { fetched: 0, unchanged: 0, failed: 0, closed: 0, left: 0, bytes: 0, removed: 0 };
  if (!options.isForced) requireMostFiles(urls, folder);
  counts.removed = await folder.keepOnly(new Set(urls));
  const due = dueAddresses(urls, folder, options.now() - options.freshMs);
  counts.left = due.length;
  const web = new Web(options);
  let savedMs = options.now();
  await web.visit(due, options.isOver, async (url) => {
    const known = folder.documents.get(url) ?? unseen;
    const result = await fetchDocument(url, known, web, options.bodyTimeoutMs);
    const checked_at = new Date(options.now()).toISOString();
    counts.left--;
    if (result.kind === "fetched") {
      const { bytes, etag, lastModified: last_modified } = result;
      counts.fetched++;
      counts.bytes += bytes.length;
      const stored = await folder.store(url, bytes);
      folder.documents.set(url, { ...stored, etag, last_modified, fetched_at: checked_at, checked_at, reason: null });
    } else {
      const reason = result.kind === "failed" ? result.reason : null;
      counts[result.kind === "unchanged" ? "unchanged" : result.isClosed ? "closed" : "failed"]++;
      folder.documents.set(url, { ...known, checked_at, reason });
    }
    if (options.now() - savedMs >= saveEveryMs) {
      savedMs = options.now();
      await folder.save();
    }
  });
  await folder.save();
  return counts;
}

const unseen: DocumentEntry = {
  ...{ file: null, bytes: null, sha256: null, etag: null, last_modified: null, fetched_at: null, reason: null },
  checked_at: new Date(0).toISOString(),
};

/** Addresses that were not looked at since a moment, the longest unseen first. */
function dueAddresses(urls: readonly string[], { documents }: DocumentFolder, beforeMs: number): string[] {
  const checkedMs = (url: string) => Date.parse(documents.get(url)?.checked_at ?? unseen.checked_at);
  return [...new Set(urls)]
    .filter((url) => checkedMs(url) <= beforeMs)
    .sort((one, other) => checkedMs(one) - checkedMs(other) || (one < other ? -1 : 1));
}

function requireMostFiles(urls: readonly string[], folder: DocumentFolder): void {
  const wanted = new Set(urls);
  const files = [...folder.documents].filter(([, { file }]) => file !== null);
  const gone = files.filter(([url]) => !wanted.has(url)).length;
  if (gone <= Math.max(freelyRemoved, files.length * maxRemovedShare)) return;
  const [some, all] = [gone, files.length].map((count) => count.toLocaleString("en-US"));
  throw new DocumentFolderError(
    `No current opportunity of this database has ${some} of the folder's ${all} files: nothing was changed. If it is the right database, --force removes them.`,
  );
}
