import { writeObjects } from "./pdf-writer.ts";

const stream = (content: string, entries = "") =>
  `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;

/** A PDF that no reader comes to the end of: each form draws the next ten times, which makes 10 to the power of 12 words. */
export function endlessPdf(): Uint8Array {
  const forms = Array.from({ length: 12 }, (_, index) =>
    stream(
      "/X Do ".repeat(10),
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${index + 7} 0 R >> >>`,
    ),
  );
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  return writeObjects([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources 5 0 R >>",
    stream("/X Do"),
    "<< /XObject << /X 6 0 R >> >>",
    ...forms,
    stream(
      "BT /F1 9 Tf (word) Tj ET",
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 ${font} >> >>`,
    ),
  ]);
}
