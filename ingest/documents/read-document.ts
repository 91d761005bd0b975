import { repairMojibake } from "../fields/mojibake.ts";
import { decode } from "../read/decode.ts";
import {
  type Block,
  type DocumentText,
  maxBlocks,
  maxFileBytes,
  maxTextCharacters,
  type Unreadable,
  UnreadableError,
} from "./document-text.ts";
import { readDocx } from "./docx.ts";
import { readHtml } from "./html.ts";
import { detectMediaType, docx, type MediaType, type OtherType, xlsx } from "./media-type.ts";
import { readPdf } from "./pdf/read-pdf.ts";
import { readPlain } from "./plain.ts";
import { readXlsx } from "./xlsx/read-xlsx.ts";

/**
 * Reads the text of a document in this process: PDF, DOCX, XLSX, HTML or plain text. Its content decides the type. A file from others
 * belongs into a process of its own: {@link readDocumentSafely}.
 *
 * @param bytes at most {@link maxFileBytes}.
 */
export async function readDocument(bytes: Uint8Array): Promise<DocumentText | Unreadable> {
  try {
    if (bytes.length > maxFileBytes) throw new UnreadableError("too_large", "The file has more than 25 MB.");
    const text = await read(bytes, detectMediaType(bytes));
    if (text.blocks.length === 0) throw withoutText(text);
    return limitText(text);
  } catch (error) {
    if (error instanceof UnreadableError) return { kind: "unreadable", reason: error.reason, message: error.message };
    return { kind: "unreadable", reason: "failed", message: "The file could not be read." };
  }
}

async function read(bytes: Uint8Array, type: MediaType | OtherType): Promise<DocumentText> {
  switch (type) {
    case "application/pdf":
      return readPdf(bytes);
    case docx:
      return withoutPages(docx, await readDocx(bytes));
    case xlsx:
      return { ...withoutPages(xlsx, []), ...(await readXlsx(bytes)) };
    case "text/html":
      return withoutPages(type, readHtml(decodeText(bytes)));
    case "text/plain":
      return withoutPages(type, readPlain(decodeText(bytes)));
    default:
      throw new UnreadableError(
        type === "empty" ? "empty" : type === "binary" ? "unknown_type" : "unsupported_type",
        refusals[type],
      );
  }
}

const refusals: Readonly<Record<OtherType, string>> = {
  empty: "The file is empty.",
  zip: "The file is an archive within an archive. Unpack it, and read the documents in it.",
  "binary-workbook": "The file is a binary Excel workbook. Save it as XLSX.",
  presentation: "The file is a PowerPoint presentation. PDF, DOCX, XLSX, HTML and plain text can be read.",
  "open-document": "The file is an OpenDocument file (ODT, ODS, ODP). Save it as DOCX, XLSX or PDF.",
  "old-word":
    "The file is in an older format of Microsoft Office, or has a password. Save it as DOCX, XLSX or PDF without a password.",
  rtf: "The file is in Rich Text Format. Save it as DOCX or PDF.",
  image: "The file is a picture without text.",
  binary: "The file is no PDF, DOCX, XLSX, HTML or plain text.",
};

function withoutPages(mediaType: MediaType, blocks: Block[]): DocumentText {
  return { kind: "text", mediaType, pages: null, pagesWithoutText: [], isCut: false, blocks };
}

function decodeText(bytes: Uint8Array): string {
  const order =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : undefined;
  return order === undefined ? repairMojibake(decode(bytes)) : new TextDecoder(order).decode(bytes);
}

function withoutText({ mediaType, pages }: DocumentText): UnreadableError {
  if (mediaType !== "application/pdf") return new UnreadableError("no_text", "The file has no text.");
  const each = pages === 1 ? "Its only page is" : `All ${pages} pages are`;
  return new UnreadableError("no_text", `The PDF has no text. ${each} scanned, or blank.`);
}

/** Cuts the text behind the last block within {@link maxTextCharacters} and {@link maxBlocks}. */
function limitText(text: DocumentText): DocumentText {
  let characters = 0;
  const end = text.blocks.findIndex((block, index) => {
    characters += block.text.length;
    return characters > maxTextCharacters || index === maxBlocks;
  });
  return end === -1 ? text : { ...text, isCut: true, blocks: text.blocks.slice(0, end) };
}
