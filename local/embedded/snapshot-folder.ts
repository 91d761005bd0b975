import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SnapshotStore } from "../../functions/snapshots/store.ts";
import { type Snapshot, snapshot } from "../../shared/responses/snapshots.ts";
import { unfinishedSuffix } from "../unfinished.ts";
import { streamFile } from "./file-stream.ts";

export const manifestName = "manifest.json";

/** Folder of the snapshots that a server on this data folder offers. */
export function publishedFolder(dataFolder: string): string {
  return join(dataFolder, "snapshots");
}

/** The newest finished snapshots of a folder, oldest first: none where there is no such folder. Other files and folders are ignored. */
export async function readSnapshots(folder: string, limit = Number.POSITIVE_INFINITY): Promise<Snapshot[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: { code?: string }) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith(unfinishedSuffix))
    .map(({ name }) => name)
    .sort()
    .reverse();
  const found: Snapshot[] = [];
  for (const name of names) {
    if (found.length >= limit) break;
    const manifest = await readManifest(join(folder, name));
    if (manifest?.id === name) found.push(manifest);
  }
  return found.reverse();
}

async function readManifest(folder: string): Promise<Snapshot | undefined> {
  const text = await readFile(join(folder, manifestName), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return snapshot.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Opens the snapshots of a folder. */
export function createFolderStore(folder: string): SnapshotStore {
  return {
    kind: "folder",
    list: async (limit) => (await readSnapshots(folder, limit)).reverse(),
    async open(_location, path, range) {
      const file = join(folder, path);
      // It may have been removed since it was listed.
      if ((await stat(file).catch(() => undefined)) === undefined) return null;
      const part = range === undefined ? {} : { start: range.offset, end: range.offset + range.length - 1 };
      return { bytes: streamFile(file, part) };
    },
  };
}
