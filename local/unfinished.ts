import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** End of the name of a file or folder that is being written. */
export const unfinishedSuffix = ".unfinished";

/** Age at which what was not finished belongs to a run that is over, in milliseconds. */
const abandonedAfterMs = 3_600_000;

const unfinishedPattern = /^(.+)\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\.unfinished$/;

/** Name, or path, of a file or folder until it is whole and gets its own. */
export function unfinishedName(name: string): string {
  return `${name}.${crypto.randomUUID()}${unfinishedSuffix}`;
}

/**
 * Removes the unfinished files and folders that killed runs left in a folder: those that have not changed for an hour. Another
 * run may be writing a younger one.
 *
 * @param isOurs whether we write a file or folder of that name. Those of others are left alone.
 * @returns the names of those that were removed.
 */
export async function removeAbandoned(folder: string, isOurs: (name: string) => boolean): Promise<string[]> {
  const removed: string[] = [];
  for (const unfinished of await readdir(folder)) {
    const [, name] = unfinishedPattern.exec(unfinished) ?? [];
    if (name === undefined || !isOurs(name)) continue;
    const path = join(folder, unfinished);
    // Another run may finish it meanwhile.
    const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (ageMs <= abandonedAfterMs) continue;
    await rm(path, { recursive: true, force: true });
    removed.push(unfinished);
  }
  return removed;
}
