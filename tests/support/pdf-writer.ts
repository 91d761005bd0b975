/** Text on a page of a written PDF: its left end and baseline in points from the lower left corner of a letter page, 612 by 792. */
export interface WrittenText {
  text: string;
  x: number;
  y: number;
  /** Default: 10. */
  size?: number;
  /** Default: false. */
  isBold?: boolean;
}

/** Options of {@link writePdf}. */
export interface PdfOptions {
  /** Further entries of the catalogue, as PDF: "/OpenAction ...". */
  catalogue?: string;
  /** Further entries of the trailer, as PDF: "/Encrypt ...". */
  trailer?: string;
}

const regular = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
const bold = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>";

/** Writes a PDF without tags, whose pages have the given texts, drawn in their order. Characters are those of Latin-1. */
export function writePdf(pages: readonly (readonly WrittenText[])[], options: PdfOptions = {}): Uint8Array {
  const firstPage = 5;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(" ");
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${options.catalogue ?? ""} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    regular,
    bold,
    ...pages.flatMap((texts, index) => {
      const drawn = texts.map(drawText).join("\n");
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${firstPage + index * 2 + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`;
      return [page, `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`];
    }),
  ];
  return writeObjects(objects, options.trailer);
}

/** Writes a PDF from its objects, of which the first is the catalogue. */
export function writeObjects(objects: readonly string[], trailer = ""): Uint8Array {
  let file = "%PDF-1.7\n";
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  const end = `trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${count}\n0000000000 65535 f \n${table}${end}`, "latin1");
}

function drawText({ text, x, y, size = 10, isBold = false }: WrittenText): string {
  const escaped = text.replaceAll(/[\\()]/g, "\\$&");
  return `BT /${isBold ? "F2" : "F1"} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped}) Tj ET`;
}

/** Lines below each other, the first at `top`. */
export function column(
  lines: readonly string[],
  x: number,
  top: number,
  options: { size?: number; step?: number } = {},
) {
  const { size = 10, step = 12 } = options;
  return lines.map((text, index): WrittenText => ({ text, x, y: top - index * step, size }));
}
