import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { type DocumentText, maxPages, maxTextCharacters, UnreadableError } from "../document-text.ts";
import { Lexicon } from "../hyphens.ts";
import { toBoxes } from "./boxes.ts";
import { readBoldFonts } from "./fonts.ts";
import { findHeadings } from "./headings.ts";
import { toLines } from "./lines.ts";
import { toBlocks } from "./paragraphs.ts";
import { inReadingOrder } from "./reading-order.ts";
import { type PageLines, withoutRepeats, withoutRunningHeads } from "./running-heads.ts";
import { type PageRuns, readRuns } from "./runs.ts";
import { replaceSymbols } from "./symbols.ts";

/**
 * Reads the text of a PDF with pdf.js. Scripts of the document never run, images are not decoded, nothing is fetched.
 *
 * @throws {UnreadableError} when it needs a password, is damaged, or has more than {@link maxPages} pages.
 */
export async function readPdf(bytes: Uint8Array): Promise<DocumentText> {
  const document = await open(bytes);
  try {
    return await readPages(document);
  } finally {
    await document.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  // Imported here, since only PDFs need it: 1.6 MB.
  const { getDocument } = await import("unpdf/pdfjs");
  try {
    return await getDocument({
      // A copy: pdf.js takes the buffer over, and refuses a Buffer.
      data: new Uint8Array(bytes),
      isEvalSupported: false,
      enableXfa: false,
      useWorkerFetch: false,
      useSystemFonts: false,
      disableFontFace: true,
      // No image is decoded.
      maxImageSize: 1,
      verbosity: 0,
    }).promise;
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException")
      throw new UnreadableError("needs_password", "The PDF needs a password.");
    throw damaged();
  }
}

function damaged(): UnreadableError {
  return new UnreadableError("damaged", "The PDF is damaged: its pages cannot be read.");
}

async function readPages(document: PDFDocumentProxy): Promise<DocumentText> {
  if (document.numPages > maxPages) {
    const limit = maxPages.toLocaleString("en-US");
    throw new UnreadableError("too_many_pages", `The PDF has more than ${limit} pages.`);
  }
  const isTagged = (await document.getMarkInfo())?.Marked === true;
  const pages: Pick<PageRuns, "page" | "height" | "runs">[] = [];
  const pagesWithoutText: number[] = [];
  let characters = 0;
  let brokenPages = 0;
  for (let number = 1; number <= document.numPages && characters < maxTextCharacters; number++) {
    try {
      const page = await document.getPage(number);
      const { runs, height } = await readRuns(page, isTagged);
      page.cleanup();
      characters += runs.reduce((sum, { text }) => sum + text.length, 0);
      if (runs.length === 0) pagesWithoutText.push(number);
      pages.push({ page: number, height, runs });
    } catch {
      brokenPages++;
      pagesWithoutText.push(number);
    }
  }
  if (brokenPages === document.numPages) throw damaged();
  replaceSymbols(pages.flatMap(({ runs }) => runs));
  const kept = withoutRepeats(
    withoutRunningHeads(pages.map(({ page, height, runs }) => ({ page, height, lines: toLines(runs) }))),
  );
  findHeadings(kept, await readBoldFonts(document, kept));
  const lexicon = new Lexicon(kept.flatMap(({ lines }) => lines.map(({ text }) => text)));
  refusePlaceholder(kept);
  const units = kept.map(({ page, lines }) => ({ page, units: inReadingOrder(toBoxes(lines)) }));
  return {
    kind: "text",
    mediaType: "application/pdf",
    pages: document.numPages,
    pagesWithoutText,
    isCut: characters >= maxTextCharacters,
    blocks: toBlocks(units, lexicon),
  };
}

/** Most characters of a page that stands for what only Adobe Acrobat shows. */
const longestPlaceholder = 1_500;

/**
 * Refuses PDFs whose only text asks the reader to open them elsewhere: dynamic forms (XFA) and portfolios.
 *
 * @throws {UnreadableError}
 */
function refusePlaceholder(pages: readonly PageLines[]): void {
  const text = pages.flatMap(({ lines }) => lines.map(({ text }) => text)).join(" ");
  if (text.length > longestPlaceholder) return;
  if (/if this message is not eventually replaced/i.test(text))
    throw new UnreadableError("unsupported_type", "The PDF is a form that only Adobe Acrobat shows.");
  if (/open this pdf portfolio in/i.test(text))
    throw new UnreadableError(
      "unsupported_type",
      "The PDF is a portfolio of other files. Take them out with Adobe Acrobat, and read them.",
    );
}
