import type { Agreement } from "../bench/relevance/agreement.ts";
import type { Collection } from "../bench/relevance/collection.ts";
import { makeKnownItems, mixCollections } from "../bench/relevance/derived.ts";
import { fundingSet } from "../bench/relevance/funding-questions.ts";
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
  mixed: { type: "boolean", default: false },
} as const;

/** Lines about folders and {@link collectionOptions} in a command's help. */
export const foldersHelp = "A folder has corpus.jsonl, queries.jsonl and qrels/*.tsv, as BEIR lays them out.";
export const collectionsHelp = `--judged              also the project's own queries: over the federal assistance programmes, and over grants,
                        contracts and funders together
  --programs FILE       where those programmes are (default: ../shared/data/grants/assistance-programs.jsonl)
  --data FOLDER         where the files with grants, contracts and funders are (default: ../shared/data)
  --mixed               also two collections made of the others: all of their documents in one index (mix), and documents to
                        be found by the title or the sentence that was taken out of them (known-items)`;

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
  { judged, programs, data, mixed }: { judged: boolean; programs: string; data: string; mixed: boolean },
): AsyncGenerator<Collection> {
  const read: Collection[] = [];
  try {
    for await (const collection of readCollections(
      folders.map(callerPath),
      judged ? { programs: callerPath(programs), data: callerPath(data) } : undefined,
      printError,
    )) {
      printSize(collection);
      if (collection.agreement !== undefined) printError(describeAgreement(collection.agreement));
      // Its programmes are those of the other judged set.
      if (mixed && collection.name !== fundingSet) read.push(collection);
      yield collection;
    }
    if (mixed) {
      const mix = mixCollections(read);
      for (const collection of [mix, makeKnownItems(mix)]) {
        printSize(collection);
        yield collection;
      }
    }
  } catch (error) {
    throw error instanceof MissingCollectionError ? new UsageError(error.message) : error;
  }
}

function printSize({ name, documents, queries }: Collection): void {
  printError(`${name}: ${documents.length} documents, ${queries.length} queries`);
}

function describeAgreement({ pairs, equal, equal_of_relevant, kappa }: Agreement): string {
  const [all, relevant] = [equal, equal_of_relevant].map((share) => `${Math.round(100 * share)} %`);
  return `two readings of ${pairs} pairs: ${all} equal, ${relevant} of the relevant; weighted kappa ${kappa.toFixed(2)}`;
}
