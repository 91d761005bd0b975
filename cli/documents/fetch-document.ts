import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { TransportError } from "../../functions/dispatch/transport.ts";
import { maxFileBytes } from "../../ingest/documents/document-text.ts";
import type { Download } from "../../local/embedded/node-transport.ts";
import type { Host } from "../web/host.ts";
import { transportReason, type Unanswered, unanswered, type Web } from "../web/web.ts";
import type { DocumentEntry } from "./folder.ts";

/** What came of a look at a document's address. */
export type FetchResult =
  | { kind: "fetched"; bytes: Uint8Array; etag: string | null; lastModified: string | null }
  | { kind: "unchanged" }
  /** `isClosed`: the host lets no program look. */
  | { kind: "failed"; reason: string; isClosed: boolean };

/** Longest time for a document's bytes: 25 MB at 1.7 Mbit/s. */
const bodyTimeoutMs = 120_000;

/**
 * Fetches a document, unless it is as it was.
 *
 * @param known what is known of it, with the validators of its file.
 * @param timeoutMs of the body.
 * @throws {HostClosedError} where a host wants no more requests in this run.
 */
export async function fetchDocument(
  address: string,
  known: Pick<DocumentEntry, "file" | "etag" | "last_modified"> | undefined,
  web: Web,
  timeoutMs: number = bodyTimeoutMs,
): Promise<FetchResult> {
  const headers = { "Accept-Encoding": "identity", ...conditions(known) };
  const answer = await web.follow(address, (host, url) => ask(host, url, headers, timeoutMs));
  if ("reason" in answer) return { kind: "failed", ...answer };
  if (answer.status === 304 && Object.keys(conditions(known)).length > 0) return { kind: "unchanged" };
  if (answer.status !== 200) return failed(`answers ${answer.status}`);
  if (answer.fault !== undefined) return failed(faults[answer.fault]);
  const bytes = await decoded(answer);
  if (typeof bytes === "string") return failed(bytes);
  const { etag = null, "last-modified": lastModified = null } = answer.headers;
  return { kind: "fetched", bytes, etag, lastModified };
}

const faults: Readonly<Record<NonNullable<Download["fault"]>, string>> = {
  "too-large": "has more than 25 MB",
  timeout: "does not send its bytes in time",
  "broken-off": "breaks off",
};

function failed(reason: string): FetchResult {
  return { kind: "failed", reason, isClosed: false };
}

/** Headers by which the host says that the file is as it was. */
function conditions(known: Pick<DocumentEntry, "file" | "etag" | "last_modified"> | undefined): Record<string, string> {
  if (known === undefined || known.file === null) return {};
  return {
    ...(known.etag !== null && { "If-None-Match": known.etag }),
    ...(known.last_modified !== null && { "If-Modified-Since": known.last_modified }),
  };
}

async function ask(
  host: Host,
  url: URL,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<Download | Unanswered> {
  try {
    return await host.download(url, { headers, maximumBytes: maxFileBytes, bodyTimeoutMs: timeoutMs });
  } catch (error) {
    if (error instanceof TransportError) return unanswered(transportReason(error));
    throw error;
  }
}

/** The file's bytes, or why they cannot be had: some hosts send gzip to those who refuse it. */
async function decoded({ headers, bytes }: Download): Promise<Uint8Array | string> {
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip" && encoding !== "x-gzip") return `answers in the encoding ${encoding.slice(0, 20)}`;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxFileBytes });
  } catch (error) {
    return (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE" ? faults["too-large"] : "breaks off";
  }
}
