import type { Collection } from "../bench/relevance/collection.ts";
import { defaultPrograms, MissingCollectionError, readCollections } from "../bench/relevance/read-collections.ts";
import { callerPath } from "../local/caller-path.mjs";
import { printError } from "../local/print.ts";
import { UsageError } from "./options.ts";

/** Options that name collections with judged queries, besides the folders. */
export const collectionOptions = {
  judged: { type: "boolean", default: false },
  programs: { type: "string", default: defaultPrograms },
} as const;

/** Lines about folders and {@link collectionOptions} in a command's help. */
export const foldersHelp = "A folder has corpus.jsonl, queries.jsonl and qrels/*.tsv, as BEIR lays them out.";
export const collectionsHelp = `--judged              also the judged queries over the federal assistance programmes
  --programs FILE       where those programmes are (default: ../shared/data/grants/assistance-programs.jsonl)`;

/** @throws {UsageError} when no collection is named. */
export function requireCollections(folders: readonly string[], isJudged: boolean): void {
  if (folders.length === 0 && !isJudged) throw new UsageError("Name a folder, or say --judged.");
}

/**
 * Reads the named collections one after the other, and prints the size of each.
 *
 * @throws {UsageError} when a folder has none.
 */
export async function* namedCollections(
  folders: readonly string[],
  { judged, programs }: { judged: boolean; programs: string },
): AsyncGenerator<Collection> {
  try {
    for await (const collection of readCollections(
      folders.map(callerPath),
      judged ? callerPath(programs) : undefined,
      printError,
    )) {
      printError(`${collection.name}: ${collection.documents.length} documents, ${collection.queries.length} queries`);
      yield collection;
    }
  } catch (error) {
    throw error instanceof MissingCollectionError ? new UsageError(error.message) : error;
  }
}
