import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readAssistancePrograms } from "./assistance-programs.ts";
import type { Collection } from "./collection.ts";
import { readCollection } from "./read-collection.ts";

/** Where the federal assistance programmes are, in a checkout that has the team's shared data beside it. */
export const defaultPrograms = fileURLToPath(
  new URL("../../../shared/data/grants/assistance-programs.jsonl", import.meta.url),
);

/** A collection that was asked for and is not there. */
export class MissingCollectionError extends Error {}

/**
 * Reads judged collections one after the other.
 *
 * @param programs the file of assistance programmes for the project's own judged set, which is left out, and
 *   `report` told so, when the file is absent; undefined leaves it out without a word.
 * @throws MissingCollectionError when a folder does not exist.
 */
export async function* readCollections(
  folders: readonly string[],
  programs: string | undefined,
  report: (message: string) => void,
): AsyncGenerator<Collection> {
  for (const folder of folders) {
    if (!existsSync(folder)) throw new MissingCollectionError(`There is no folder ${folder}.`);
    yield await readCollection(folder);
  }
  if (programs === undefined) return;
  if (existsSync(programs)) yield await readAssistancePrograms(programs);
  else report(`SKIPPED the judged set: there is no ${programs}. Say where it is with --programs FILE.`);
}
