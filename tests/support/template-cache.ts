import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
const cacheFolder = join(root, "node_modules/.cache/funding-tests");
/** Retention of unused templates; each change of a migration leaves 120 MB. */
const keptMs = 2 * 3_600_000;

/**
 * Path of a template that tests copy. It changes with the template's sources and with the day that demo records are dated
 * from.
 *
 * @param sources files and folders of the project.
 */
export async function pathOfTemplate(name: string, today: Date, sources: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(today.toISOString().slice(0, 10));
  for (const source of sources) {
    for (const file of await filesOf(join(root, source))) {
      hash.update(`${relative(root, file)}\0`).update(await readFile(file));
    }
  }
  const path = join(cacheFolder, `${hash.digest("hex").slice(0, 16)}-${name}`);
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
  return path;
}

/** Removes what another day or other sources left, and no run may be using. */
export async function removeOldTemplates(): Promise<void> {
  for (const name of await readdir(cacheFolder).catch(() => [])) {
    const path = join(cacheFolder, name);
    const usedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - usedMs > keptMs) await rm(path, { recursive: true, force: true });
  }
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
