import { open } from "node:fs/promises";
import { unpackArchive } from "../../ingest/documents/archive.ts";
import { maxFileBytes, type Unreadable } from "../../ingest/documents/document-text.ts";
import { detectMediaType } from "../../ingest/documents/media-type.ts";
import { type ReadingLimits, readDocumentSafely } from "../../ingest/documents/process/read-safely.ts";
import type { DocumentContent } from "../../ingest/documents/read-content.ts";

/** What was read of a file. */
export interface ReadFile {
  /** Name as the caller gave it; of a document in an archive, with its name there. */
  file: string;
  document: DocumentContent | Unreadable;
}

/** Reads a file's document, or the documents of an archive. A file that cannot be opened is a document that cannot be read. */
export async function* readNamedFile(file: string, path: string, limits: ReadingLimits = {}): AsyncGenerator<ReadFile> {
  const content = await contentOf(path);
  if (!(content instanceof Uint8Array) || detectMediaType(content) !== "zip" || content.length > maxFileBytes) {
    yield await readNamed(file, content, limits);
    return;
  }
  for (const document of await unpackArchive("", content)) {
    yield await readNamed(document.name === "" ? file : `${file}: ${document.name}`, document.content, limits);
  }
}

async function readNamed(file: string, content: Uint8Array | Unreadable, limits: ReadingLimits): Promise<ReadFile> {
  return { file, document: content instanceof Uint8Array ? await readDocumentSafely(content, limits) : content };
}

async function contentOf(path: string): Promise<Uint8Array | Unreadable> {
  try {
    return await readAtMost(path, maxFileBytes + 1);
  } catch (error) {
    const { code } = error as { code?: string };
    const message =
      code === "ENOENT"
        ? "The file does not exist."
        : code === "EISDIR"
          ? "This is a folder, not a file."
          : "The file cannot be opened.";
    return { kind: "unreadable", reason: "failed", message };
  }
}

/** Reads a file's first bytes: one byte more than is allowed says that it is too large. */
async function readAtMost(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const bytes = Buffer.alloc(Math.min(maxBytes, (await handle.stat()).size));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
