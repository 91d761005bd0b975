import { open } from "node:fs/promises";
import { unpackArchive } from "../../ingest/documents/archive.ts";
import { type DocumentText, maxFileBytes, type Unreadable } from "../../ingest/documents/document-text.ts";
import { type Fact, factsOf } from "../../ingest/documents/facts/facts.ts";
import { detectMediaType } from "../../ingest/documents/media-type.ts";
import { type Passage, passagesOf } from "../../ingest/documents/passages.ts";
import { readDocumentSafely } from "../../ingest/documents/process/read-safely.ts";

/** What was read of a file. */
export interface ReadFile {
  /** Name as the caller gave it; of a document in an archive, with its name there. */
  file: string;
  document: DocumentText | Unreadable;
  /** Empty where the document cannot be read. */
  passages: Passage[];
  facts: Fact[];
}

/** Reads a file's document, or the documents of an archive, with passages and facts. A file that cannot be opened is a document that cannot be read. */
export async function* readNamedFile(file: string, path: string): AsyncGenerator<ReadFile> {
  const content = await contentOf(path);
  if (!(content instanceof Uint8Array) || detectMediaType(content) !== "zip" || content.length > maxFileBytes) {
    yield await readContent(file, content);
    return;
  }
  for (const document of await unpackArchive("", content)) {
    yield await readContent(document.name === "" ? file : `${file}: ${document.name}`, document.content);
  }
}

async function readContent(file: string, content: Uint8Array | Unreadable): Promise<ReadFile> {
  const document = content instanceof Uint8Array ? await readDocumentSafely(content) : content;
  const passages = document.kind === "text" ? passagesOf(document) : [];
  return { file, document, passages, facts: factsOf(passages) };
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
