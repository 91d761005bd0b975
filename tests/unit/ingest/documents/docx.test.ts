import { describe, expect, test } from "vitest";
import { readDocument } from "../../../../ingest/documents/read-document.ts";
import { writeDocx } from "../../../support/docx-writer.ts";

const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (runs: string, style = "") =>
  `<w:p><w:pPr>${style === "" ? "" : `<w:pStyle w:val="${style}"/>`}</w:pPr>${runs}</w:p>`;
const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join("")}</w:tr>`;

async function linesOf(body: string): Promise<string[]> {
  const read = await readDocument(writeDocx(body));
  if (read.kind === "unreadable") throw new Error(read.message);
  return read.blocks.map(({ kind, level, text }) => `${kind}${level === 0 ? "" : ` ${level}`}: ${text}`);
}

describe("a Word document", () => {
  test("has headings by their styles, and paragraphs of several runs", async () => {
    const body =
      paragraph(run("Eligibility"), "Heading1") + paragraph(run("States ") + run("may", "<w:b/>") + run(" apply."));
    expect(await linesOf(body)).toEqual(["heading 1: Eligibility", "paragraph: States may apply."]);
  });

  test("without styles has headings in bold", async () => {
    const body = paragraph(run("Cost Sharing", "<w:b/>")) + paragraph(run("None is required."));
    expect(await linesOf(body)).toEqual(["heading 3: Cost Sharing", "paragraph: None is required."]);
  });

  test("has tables by row", async () => {
    const table =
      row(paragraph(run("Form")), paragraph(run("When"))) +
      row(paragraph(run("SF-424")) + paragraph(run("SF-424A")), paragraph(run("Later")));
    expect(await linesOf(`<w:tbl>${table}</w:tbl>`)).toEqual(["row: Form | When", "row: SF-424 SF-424A | Later"]);
  });

  test("has what was inserted, and not what was deleted", async () => {
    const body = paragraph(
      `${run("Due on ")}<w:del><w:r><w:delText>May 1</w:delText></w:r></w:del><w:ins>${run("May 8, 2026")}</w:ins>${run(".")}`,
    );
    expect(await linesOf(body)).toEqual(["paragraph: Due on May 8, 2026."]);
  });

  test("has tabs and no-break spaces as spaces, and hyphens of its author", async () => {
    const body = paragraph(
      `${run("Deadline:")}<w:r><w:tab/></w:r>${run("May\u00a08, 2026, non")}<w:r><w:noBreakHyphen/></w:r>${run("federal")}`,
    );
    expect(await linesOf(body)).toEqual(["paragraph: Deadline: May 8, 2026, non-federal"]);
  });
});
