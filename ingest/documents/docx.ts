import type { Block } from "./document-text.ts";
import { readHtml } from "./html.ts";
import { damagedOffice, unpackOffice } from "./office-archive.ts";
import { writeStoredZip } from "./stored-zip.ts";

/** Styles of headings beyond Word's own, which mammoth knows. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
  "p[style-name='Heading 7'] => h6:fresh",
  "p[style-name='Heading 8'] => h6:fresh",
];

/**
 * Reads a DOCX with mammoth, as HTML. Text in text boxes, headers and footers, deleted text and comments are left out, as mammoth does.
 *
 * @throws {UnreadableError} when the archive is damaged, encrypted, or unpacks to more than a document has.
 */
export async function readDocx(bytes: Uint8Array): Promise<Block[]> {
  // Packed anew without compression, so that what mammoth reads has known sizes.
  const buffer = writeStoredZip(await unpackOffice(bytes, "Word document"));
  // Imported here, since only DOCX needs it.
  const { default: mammoth } = await import("mammoth");
  try {
    const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
    const { value } = await mammoth.convertToHtml({ buffer }, { styleMap, convertImage });
    return readHtml(value);
  } catch {
    throw damagedOffice("Word document");
  }
}
