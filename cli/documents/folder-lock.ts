import { mkdir } from "node:fs/promises";
import { createFolderLock, DataFolderError, type FolderLock } from "../../local/embedded/data-folder.ts";
import { DocumentFolderError } from "./folder-error.ts";

const lockName = ".lock";

/**
 * Locks a folder of documents, and makes it where there is none: of two runs at once, the one would lose what the other notes in the manifest. The lock
 * is the operating system's, so it ends with the process, however that ends.
 *
 * @returns unlocks the folder.
 * @throws {DocumentFolderError} when another run has it, or it cannot be written.
 */
export async function lockDocuments(path: string): Promise<() => void> {
  await mkdir(path, { recursive: true });
  const lock = openLock(path);
  if (lock === undefined) throw new DocumentFolderError(`The folder ${path} cannot be written.`);
  return acquire(lock, path);
}

/** The same for a run that only reads the folder, which must exist: one that nobody can write is not locked, since no other run changes it. */
export function lockDocumentsToRead(path: string): () => void {
  const lock = openLock(path);
  return lock === undefined ? () => undefined : acquire(lock, path);
}

/** The folder's lock, or undefined where the folder cannot be written. */
function openLock(path: string): FolderLock | undefined {
  try {
    return createFolderLock(path, lockName);
  } catch (error) {
    if (error instanceof DataFolderError) return undefined;
    throw error;
  }
}

function acquire(lock: FolderLock, path: string): () => void {
  if (lock.tryLock()) return () => lock.release();
  lock.release();
  throw new DocumentFolderError(
    `Another fetch or load has the folder ${path}. Nothing was changed: run the same command again when it has ended.`,
  );
}
