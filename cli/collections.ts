import type { Agreement } from "../bench/relevance/agreement.ts";
import type { Collection } from "../bench/relevance/collection.ts";
import {
  defaultData,
  defaultPrograms,
  MissingCollectionError,
  readCollections,
} from "../bench/relevance/read-collections.ts";
import { callerPath } from "../local/caller-path.mjs";
import { printError } from "../local/print.ts";
import { UsageError } from "./options.ts";

/** Options that name collections with judged queries, besides the folders. */
export const collectionOptions = {
  judged: { type: "boolean", default: false },
  programs: { type: "string", default: defaultPrograms },
  data: { type: "string", default: defaultData },
} as const;

/** Lines about folders and {@link collectionOptions} in a command's help. */
export const foldersHelp = "A folder has corpus.jsonl, queries.jsonl and qrels/*.tsv, as BEIR lays them out.";
export const collectionsHelp = `--judged              also the project's own queries: over the federal assistance programmes, and over grants,
                        contracts and funders together
  --programs FILE       where those programmes are (default: ../shared/data/grants/assistance-programs.jsonl)
  --data FOLDER         where the files with grants, contracts and funders are (default: ../shared/data)`;

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
  { judged, programs, data }: { judged: boolean; programs: string; data: string },
): AsyncGenerator<Collection> {
  try {
    for await (const collection of readCollections(
      folders.map(callerPath),
      judged ? { programs: callerPath(programs), data: callerPath(data) } : undefined,
      printError,
    )) {
      printError(`${collection.name}: ${collection.documents.length} documents, ${collection.queries.length} queries`);
      if (collection.agreement !== undefined) printError(describeAgreement(collection.agreement));
      yield collection;
    }
  } catch (error) {
    throw error instanceof MissingCollectionError ? new UsageError(error.message) : error;
  }
}

function describeAgreement({ pairs, equal, equal_of_relevant, kappa }: Agreement): string {
  const [all, relevant] = [equal, equal_of_relevant].map((share) => `${Math.round(100 * share)} %`);
  return `two readings of ${pairs} pairs: ${all} equal, ${relevant} of the relevant; weighted kappa ${kappa.toFixed(2)}`;
}
