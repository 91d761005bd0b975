import { statSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../shared/log/log.ts";

/** How long the copy of the database from before an upgrade is kept: faults of a new version may show after days. */
export const upgradeCopyDays = 7;
/**
 * Time between two looks for old copies. The first is made after a server has run for so long, so that a copy outlives starts that fail one after
 * the other, and a stop of weeks.
 */
const lookMs = 10 * 60_000;

const dayMs = 86_400_000;
/** The ending of a copy that is no whole one: not all was copied yet, or a part was removed. */
export const unfinishedEnding = ".unfinished";
const upgradeCopyName = /^postgres-before-\d+(\.unfinished)?$/;

/** Path of the copy of a data folder's database from before an upgrade. @param last the last migration that the database has. */
export const upgradeCopyPath = (folder: string, last: string): string => join(folder, `postgres-before-${last}`);

/**
 * Removes the copies that upgrades of a data folder made, once they are old enough, while a server runs.
 *
 * @param now the time by the bounded clock of the database, in milliseconds: the machine's clock may be ahead for a while.
 * @returns stops it, after the removal under way.
 */
export function startUpgradeCopyRemoval(folder: string, log: Log, now: () => Promise<number>): () => Promise<void> {
  let underWay = Promise.resolve();
  const timer = setInterval(() => {
    underWay = removeOldUpgradeCopies(folder, log, now).catch((error) =>
      log.write("error", { function: "upgrade-copies", error: String(error) }),
    );
  }, lookMs);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

async function removeOldUpgradeCopies(folder: string, log: Log, now: () => Promise<number>): Promise<void> {
  const nowMs = await now();
  for (const name of await readdir(folder)) {
    if (!upgradeCopyName.test(name)) continue;
    const path = join(folder, name);
    const entry = statSync(path, { throwIfNoEntry: false });
    if (entry === undefined || nowMs - entry.mtimeMs < upgradeCopyDays * dayMs) continue;
    const unfinished = name.endsWith(unfinishedEnding) ? path : `${path}${unfinishedEnding}`;
    // What is left of a removal that is broken off must not pass for a whole copy.
    if (unfinished !== path) {
      await rm(unfinished, { recursive: true, force: true });
      await rename(path, unfinished);
    }
    await rm(unfinished, { recursive: true, force: true });
    log.write("info", { function: "upgrade-copies", removed: path });
  }
}
