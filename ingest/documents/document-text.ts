import type { MediaType } from "./media-type.ts";

/** Part of a document: a heading, a paragraph, an item of a list with its bullet, or a row of a table. */
export interface Block {
  kind: "heading" | "paragraph" | "item" | "row";
  /** Level of a heading: 1 is the document's title or its largest parts, 6 the smallest. 0 for other kinds. */
  level: number;
  /** Text on one line. The cells of a row are divided by " | ". */
  text: string;
  /** Pages on which the block begins and ends, counted from 1. Null where the format has no pages. */
  firstPage: number | null;
  lastPage: number | null;
}

/** Text of a document in reading order, without running heads, running feet and page numbers. */
export interface DocumentText {
  kind: "text";
  mediaType: MediaType;
  /** Number of pages of the file. Null where the format has no pages (HTML, DOCX, XLSX, plain text). */
  pages: number | null;
  /** Pages without text: scanned or blank. */
  pagesWithoutText: number[];
  /** Whether text is missing at the end, because the document is longer than {@link maxTextCharacters}. */
  isCut: boolean;
  blocks: Block[];
}

/** Reason why a document cannot be read. */
export type UnreadableReason =
  | "empty"
  | "too_large"
  | "too_many_pages"
  | "unknown_type"
  | "unsupported_type"
  | "needs_password"
  | "damaged"
  | "no_text"
  | "out_of_time"
  | "out_of_memory"
  | "failed";

/** A document that cannot be read, with a sentence for the customer. */
export interface Unreadable {
  kind: "unreadable";
  reason: UnreadableReason;
  /** A whole sentence: "The PDF needs a password." */
  message: string;
}

/** Version of what reads documents. What another one read is read again: count it up with each change of text, passages or facts. */
export const readerVersion = 3;

/** Most bytes of a file that is read. */
export const maxFileBytes = 25 * 1024 * 1024;
/** Most pages of a PDF that is read. */
export const maxPages = 10_000;
/** Most characters of a document's text. The rest is left out. */
export const maxTextCharacters = 10_000_000;
/** Most blocks of a document: a notice of 100 pages has some 2,000. The rest is left out. */
export const maxBlocks = 200_000;

/** A document is unreadable. {@link readDocument} returns it as an {@link Unreadable}. */
export class UnreadableError extends Error {
  constructor(
    readonly reason: UnreadableReason,
    message: string,
  ) {
    super(message);
  }
}

/** A block of a format without pages. */
export function blockWithoutPages(kind: Block["kind"], text: string, level = 0): Block {
  return { kind, level, text, firstPage: null, lastPage: null };
}
