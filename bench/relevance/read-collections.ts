import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readAssistancePrograms } from "./assistance-programs.ts";
import type { Collection } from "./collection.ts";
import { fundingFiles } from "./funding-files.ts";
import { readFundingQuestions } from "./funding-questions.ts";
import { readCollection } from "./read-collection.ts";

/** Default folder of the publishers' files: the folder of shared data beside the checkout. */
export const defaultData = fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** Default path of the federal assistance programmes. */
export const defaultPrograms = join(defaultData, "grants/assistance-programs.jsonl");

/** Where the records of the project's own judged sets are. */
export interface JudgedSets {
  /** File of assistance programmes. */
  programs: string;
  /** Folder of the files with grants, contracts and funders. */
  data: string;
}

/** A named collection does not exist. */
export class MissingCollectionError extends Error {}

/**
 * Reads judged collections one after the other.
 *
 * @param judged the project's own sets come after the folders. A set whose files do not exist is skipped and `report` is
 *   called; undefined skips them silently.
 * @throws MissingCollectionError when a folder does not exist, before the first is read.
 */
export async function* readCollections(
  folders: readonly string[],
  judged: JudgedSets | undefined,
  report: (message: string) => void,
): AsyncGenerator<Collection> {
  const absent = folders.find((folder) => !existsSync(folder));
  if (absent !== undefined) throw new MissingCollectionError(`There is no folder ${absent}.`);
  for (const folder of folders) yield await readCollection(folder);
  if (judged === undefined) return;
  const { programs, data } = judged;
  if (existsSync(programs)) yield await readAssistancePrograms(programs);
  else report(`SKIPPED the judged set of programmes: there is no ${programs}. Say where it is with --programs FILE.`);
  const funding = await readFundingSet(data, report);
  if (funding !== undefined) yield funding;
}

/** Reads the judged set of funding; undefined where one of its files does not exist, and `report` is called. */
export async function readFundingSet(data: string, report: (message: string) => void): Promise<Collection | undefined> {
  // Without some of the records, the set would measure something else.
  const missing = fundingFiles.map(({ path }) => join(data, path)).find((path) => !existsSync(path));
  if (missing === undefined) return readFundingQuestions(data);
  report(`SKIPPED the judged set of funding: there is no ${missing}. Say where the files are with --data FOLDER.`);
  return undefined;
}
