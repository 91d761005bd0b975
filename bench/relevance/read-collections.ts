import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readAssistancePrograms } from "./assistance-programs.ts";
import type { Collection } from "./collection.ts";
import { readCollection } from "./read-collection.ts";

/** Default path of the federal assistance programmes: in the folder of shared data beside the checkout. */
export const defaultPrograms = fileURLToPath(
  new URL("../../../shared/data/grants/assistance-programs.jsonl", import.meta.url),
);

/** A named collection does not exist. */
export class MissingCollectionError extends Error {}

/**
 * Reads judged collections one after the other.
 *
 * @param programs file of assistance programmes for the project's own judged set. If the file does not exist, the set is
 *   skipped and `report` is called; undefined skips it silently.
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
