import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { currentDocuments } from "../database/documents.ts";
import { callerPath } from "../local/caller-path.mjs";
import { createNodeTransport } from "../local/embedded/node-transport.ts";
import { print } from "../local/print.ts";
import { variable } from "../shared/platform/environment.ts";
import { release } from "../shared/release.ts";
import { abortOnSignals, runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { fetchDocuments } from "./documents/fetch-documents.ts";
import { failureLines, fetchLines } from "./documents/fetch-output.ts";
import { DocumentFolder } from "./documents/folder.ts";
import { readFolder } from "./documents/folder-files.ts";
import { lockDocuments, lockDocumentsToRead } from "./documents/folder-lock.ts";
import { loadDocuments } from "./documents/load-documents.ts";
import { loadLines } from "./documents/load-output.ts";
import { readNamedFile } from "./documents/named-file.ts";
import { jsonLines, passageLines, summaryLines } from "./documents/output.ts";
import { parseCountBetween, UsageError } from "./options.ts";

const help = `Fetches and reads documents of funding opportunities: PDF, DOCX, XLSX, HTML and plain text, also in zip archives.

usage: npm run documents -- fetch --folder FOLDER    fetch those of current opportunities that are new or changed
       npm run documents -- load --folder FOLDER     make them searchable: read those that are new or changed
       npm run documents -- failed --folder FOLDER   list those that could not be fetched, with the reason
       npm run documents -- read FILE...             show their pages, passages and facts, or why one cannot be read

A host gets one request at a time, as its robots.txt and Retry-After say. No address of a private network is asked, and no more than 25 MB of a document
are taken. FOLDER has a file for each, and manifest.json: its address, what is known of it, and why it could not be had. What no current opportunity
has is removed. A folder is for one fetch or load at a time. Each document is read in a process of its own, without permissions, in at most 20 s and 512 MB.

load takes other folders, too: files whose name is their address (percent-encoded), and those that documents.json in the folder names:
[{ "file": "notice.pdf", "url": "https://...", "records": ["HHS-2026-ACF-0001"] }], by address, by ids or numbers of records, or both. Documents of other
files, and those that no current opportunity has, are deleted from the database.

options of fetch:
  --folder FOLDER      where the documents are kept
  --minutes N          end after so long; the next run goes on there. Default: 60
  --days N             leave documents that were looked at in so many days, less four hours. Default: 1
  --pause SECONDS      between two requests to a host. Default: 1
  --contact TEXT       a page or an address of yours, for the user agent. Default: PUBLIC_BASE_URL
  --force              remove what no current opportunity has, also where that is more than half of the folder's files
  ${databaseUrlHelp}

options of load:
  --folder FOLDER      where the documents are
  --force              delete what the folder lacks, also where that is more than a fifth of the stored files
  --minutes N          end after so long; the next run goes on there. Default: 60
  ${databaseUrlHelp}

options of read:
  --passages           show the passages: number, pages, headings, text
  --json               one JSON object a line for each passage, with the facts found in it

  --help

exit status: 0 all were read, loaded or looked at, 1 one could not be read, 2 the command was called wrongly.`;

const dayMs = 86_400_000;
/** So much is a run earlier than the look at a document in the run before: else one at the same hour of each day would leave it to every second. */
const slackMs = 4 * 3_600_000;

interface Values {
  folder?: string;
  minutes?: string;
  days?: string;
  pause?: string;
  contact?: string;
  force?: boolean;
  "database-url"?: string;
}

await runCommand({
  help,
  allowPositionals: true,
  options: {
    folder: { type: "string" },
    minutes: { type: "string" },
    days: { type: "string" },
    pause: { type: "string" },
    contact: { type: "string" },
    force: { type: "boolean" },
    "database-url": { type: "string" },
    passages: { type: "boolean" },
    json: { type: "boolean" },
  },
  async run({ values, positionals: [action, ...files] }) {
    if (action === "read" && files.length > 0) return read(files, values);
    if (action === "fetch" && files.length === 0) return fetchAll(values);
    if (action === "load" && files.length === 0) return load(values);
    if (action === "failed" && files.length === 0) {
      print(failureLines(await DocumentFolder.open(folderPath(values.folder))));
      return undefined;
    }
    throw new UsageError("Say read and one or more files, or fetch, load or failed with --folder.");
  },
});

async function read(files: readonly string[], { passages, json }: { passages?: boolean; json?: boolean }) {
  if (json && passages) throw new UsageError("Say --passages or --json, not both.");
  let status = 0;
  for (const file of files) {
    for await (const result of readNamedFile(file, callerPath(file))) {
      if (result.document.kind === "unreadable") status = 1;
      print(json ? jsonLines(result) : [...summaryLines(result), ...(passages ? passageLines(result) : [])]);
    }
  }
  return status;
}

async function fetchAll(values: Values): Promise<undefined> {
  const minutes = parseCountBetween("--minutes", values.minutes ?? "60", 1, 10_000);
  const days = parseCountBetween("--days", values.days ?? "1", 0, 365);
  const pauseSeconds = parseCountBetween("--pause", values.pause ?? "1", 1, 3_600);
  const contact = values.contact ?? variable("PUBLIC_BASE_URL");
  const path = folderPath(values.folder);
  const unlock = await lockDocuments(path);
  const folder = await DocumentFolder.open(path);
  const urls = await withDatabase(values["database-url"], currentDocuments);
  const { signal, release: releaseSignals } = abortOnSignals();
  const end = performance.now() + minutes * 60_000;
  const counts = await fetchDocuments(urls, folder, {
    transport: createNodeTransport({ allowLoopback: false }),
    allowLoopback: false,
    userAgent: `Funding-Opportunities-Documents/${release}${contact === undefined ? "" : ` (+${contact})`}`,
    program: "funding-opportunities-documents",
    pauseMs: pauseSeconds * 1_000,
    freshMs: Math.max(0, days * dayMs - slackMs),
    sleep: (ms) => wait(ms, undefined, { signal }).catch(() => undefined),
    isForced: values.force ?? false,
    now: () => Date.now(),
    isOver: () => signal.aborted || performance.now() > end,
  });
  releaseSignals();
  unlock();
  print(fetchLines(counts));
}

async function load(values: Values): Promise<undefined> {
  const minutes = parseCountBetween("--minutes", values.minutes ?? "60", 1, 10_000);
  const path = folderPath(values.folder);
  if (!existsSync(path)) throw new UsageError(`There is no folder ${path}.`);
  const unlock = lockDocumentsToRead(path);
  const { files, isFetched, unnamed } = await readFolder(path);
  if (files.length === 0 && !isFetched) {
    throw new UsageError(
      `Nothing in ${values.folder} says of which address or record a file is. No document was changed: see --help.`,
    );
  }
  const { signal, release: releaseSignals } = abortOnSignals();
  const end = performance.now() + minutes * 60_000;
  const options = { isForced: values.force ?? false, isOver: () => signal.aborted || performance.now() > end };
  const counts = await withDatabase(values["database-url"], (connection) => loadDocuments(connection, files, options));
  releaseSignals();
  unlock();
  print(loadLines(counts, unnamed));
}

function folderPath(folder: string | undefined): string {
  if (folder === undefined) throw new UsageError("Say --folder and where the documents are.");
  return callerPath(folder);
}
