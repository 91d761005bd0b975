import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { FileLook, FileName } from "../../database/documents.ts";
import { UsageError } from "../options.ts";
import { DocumentFolder } from "./folder.ts";

/** A file of a folder, or an address that could not be had. */
export interface FolderFile extends FileName, FileLook {
  /** Where the file is; null where there is none. */
  path: string | null;
  /** Digest of the file where the folder's manifest says it. */
  sha256: string | null;
  /** Records that the file is of, by id, opportunity number or solicitation number. */
  records: readonly string[];
}

/** Files of a folder, and the names of those that nothing says what they are of. */
export interface FolderContents {
  files: FolderFile[];
  /** Whether `fetch` has filled it. */
  isFetched: boolean;
  unnamed: string[];
}

/** File that says what the others of a folder are, for one that somebody else filled. */
const listName = "documents.json";

const list = z.array(
  z
    .strictObject({
      file: z.string().regex(/^[^/\\]+$/, "must be the name of a file in the folder"),
      url: z.url({ protocol: /^https?$/ }).optional(),
      records: z.array(z.string().min(1).max(200)).max(100).optional(),
    })
    .refine(({ url, records }) => url !== undefined || records !== undefined, "must have url, records or both"),
);

/**
 * Reads what is in a folder: files that `fetch` brought, those that its `documents.json` names by address or by records, and those whose name is
 * their address, percent-encoded.
 *
 * @throws {UsageError} where there is no such folder, or `documents.json` cannot be read.
 */
export async function readFolder(path: string): Promise<FolderContents> {
  let names: string[];
  try {
    names = (await readdir(path)).sort();
  } catch {
    throw new UsageError(`There is no folder ${path}.`);
  }
  const isFetched = names.includes("manifest.json");
  const fetched = isFetched ? [...(await DocumentFolder.open(path)).documents] : [];
  const files: FolderFile[] = fetched.map(([url, { file, sha256, fetched_at, checked_at, reason }]) => ({
    ...{ url, file: null, sha256, fetched_at, checked_at, records: [] },
    path: file === null ? null : join(path, file),
    reason: reason === null ? null : `The address ${reason}.`,
  }));
  const taken = new Set(fetched.flatMap(([, { file }]) => (file === null ? [] : [file])));
  const listed = names.includes(listName) ? await readList(join(path, listName)) : [];
  const unnamed: string[] = [];
  for (const { file, url = null, records = [] } of listed) {
    if (!names.includes(file)) throw new UsageError(`${listName} names ${file}, which is not in the folder.`);
    taken.add(file);
    files.push(await ownFile(path, file, url, records));
  }
  for (const name of names) {
    if (taken.has(name) || isOfThisCommand(name)) continue;
    const url = addressOf(name);
    if (url === undefined) unnamed.push(name);
    else files.push(await ownFile(path, name, url, []));
  }
  return { files: firstOfEach(files), isFetched, unnamed };
}

/** Whether a file says something about the folder: the manifest, the list, what is being written, and hidden files. */
function isOfThisCommand(name: string): boolean {
  return ["manifest.json", listName].includes(name) || name.endsWith(".part") || name.startsWith(".");
}

async function readList(path: string): Promise<z.infer<typeof list>> {
  try {
    return list.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const what =
      issue === undefined ? "is no JSON" : `is wrong at ${issue.path.join(".") || "its top"}: ${issue.message}`;
    throw new UsageError(
      `${listName} ${what}. It is a list of { "file", "url", "records" }, of which url or records may be absent.`,
    );
  }
}

async function ownFile(
  folder: string,
  file: string,
  url: string | null,
  records: readonly string[],
): Promise<FolderFile> {
  const path = join(folder, file);
  const checked_at = (await stat(path)).mtime.toISOString();
  return {
    url,
    file: url === null ? file : null,
    path,
    sha256: null,
    records,
    fetched_at: null,
    checked_at,
    reason: null,
  };
}

/** The address that a file's name is, percent-encoded. */
function addressOf(name: string): string | undefined {
  try {
    const url = decodeURIComponent(name);
    return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** The first file of each address or name: a folder's own list may name what was fetched as well. */
function firstOfEach(files: readonly FolderFile[]): FolderFile[] {
  return [...new Map(files.toReversed().map((file) => [file.url ?? `file ${file.file}`, file])).values()].reverse();
}
