import type { DocumentText, Unreadable } from "./document-text.ts";
import { type Fact, factsOf } from "./facts/facts.ts";
import { type Passage, passagesOf } from "./passages.ts";
import { readDocument } from "./read-document.ts";

/** What a document says: its passages, and the facts that they state. */
export interface DocumentContent extends Omit<DocumentText, "blocks"> {
  passages: Passage[];
  facts: Fact[];
}

/**
 * Reads a document in this process. The rules look at each text many times, so that a hostile one takes long: it belongs into a process of its own
 * ({@link readDocumentSafely}).
 */
export async function readContent(bytes: Uint8Array): Promise<DocumentContent | Unreadable> {
  const read = await readDocument(bytes);
  if (read.kind === "unreadable") return read;
  const { blocks, ...document } = read;
  const passages = passagesOf({ blocks });
  return { ...document, passages, facts: factsOf(passages) };
}
