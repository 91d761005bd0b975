import type { PDFDocumentProxy } from "unpdf/pdfjs";
import type { BoldFonts } from "./headings.ts";
import type { PageLines } from "./running-heads.ts";

/** Most pages that are read a second time for their fonts. */
const maxFontPages = 300;

/** Finds the bold fonts among those that the lines use. pdf.js tells a font's name only for pages that it prepares to draw. */
export async function readBoldFonts(document: PDFDocumentProxy, pages: readonly PageLines[]): Promise<BoldFonts> {
  const known = new Set<string>();
  const bold = new Set<string>();
  let read = 0;
  for (const { page: number, lines } of pages) {
    const fonts = new Set(lines.flatMap(({ fonts }) => fonts).filter((font) => !known.has(font)));
    if (fonts.size === 0 || read === maxFontPages) continue;
    read++;
    try {
      const page = await document.getPage(number);
      await page.getOperatorList();
      for (const font of fonts) {
        known.add(font);
        if (isBold(await loadedFont(page.commonObjs, font))) bold.add(font);
      }
      page.cleanup();
    } catch {
      // A page that cannot be drawn has no bold fonts.
    }
  }
  return bold;
}

/** Longest wait for one font, in milliseconds: a font that fails to load never reports. */
const fontWaitMs = 200;

function loadedFont(
  objects: { get(id: string, callback: (font: unknown) => void): unknown },
  id: string,
): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), fontWaitMs);
    objects.get(id, (font) => {
      clearTimeout(timer);
      resolve(font);
    });
  });
}

function isBold(font: unknown): boolean {
  const { name = "", bold = false, black = false } = (font ?? {}) as { name?: string; bold?: boolean; black?: boolean };
  return bold || black || /bold|black|heavy|semibold|demi/i.test(name);
}
