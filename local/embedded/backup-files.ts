import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "./data-folder.ts";

/**
 * Files of the data folder that belong to its data. The others are made anew: the database's password, and the key that signs
 * sessions, so that everybody signs in again.
 */
const names = ["webhook-secrets-key", "demo-keys.json"];

/** Reads the files of a data folder that go into its backup, by name. */
export function readBackupFiles(folder: string): Record<string, string> {
  const present = names.filter((name) => existsSync(join(folder, name)));
  return Object.fromEntries(present.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Writes the files of a backup into a data folder. Names that are not among ours are left out. */
export function writeBackupFiles(folder: string, files: Record<string, string>): void {
  for (const name of names) {
    const text = files[name];
    if (text !== undefined) writePrivateFile(join(folder, name), text);
  }
}

/** The first of those files that a data folder has already. */
export function presentBackupFile(folder: string): string | undefined {
  return names.find((name) => existsSync(join(folder, name)));
}
