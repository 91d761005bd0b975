import { describe, expect, test } from "vitest";
import { xlsx } from "../../../../ingest/documents/media-type.ts";
import { passagesOf } from "../../../../ingest/documents/passages.ts";
import { readDocument } from "../../../../ingest/documents/read-document.ts";
import { writeStoredZip } from "../../../../ingest/documents/stored-zip.ts";
import { numberFormat } from "../../../../ingest/documents/xlsx/number-format.ts";
import { textCell, textRow, type WorkbookParts, type WrittenSheet, writeXlsx } from "../../../support/xlsx-writer.ts";

async function blocksOf(sheets: readonly WrittenSheet[], parts?: WorkbookParts) {
  const read = await readDocument(writeXlsx(sheets, parts));
  if (read.kind === "unreadable") throw new Error(read.message);
  expect(read).toMatchObject({ mediaType: xlsx, pages: null, isCut: false });
  return read.blocks;
}

async function linesOf(rows: string, parts?: WorkbookParts): Promise<string[]> {
  const blocks = await blocksOf([{ name: "Budget", rows }], parts);
  expect(blocks[0]).toMatchObject({ kind: "heading", level: 1, text: "Budget" });
  return blocks.slice(1).map(({ kind, text }) => `${kind}: ${text}`);
}

describe("a workbook", () => {
  test("has its sheets as headings, but for hidden and empty ones", async () => {
    const blocks = await blocksOf([
      { name: "R&amp;D", rows: textRow("One", "Two") },
      { name: "Lists", rows: textRow("secret"), state: "hidden" },
      { name: "Code", rows: textRow("secret"), state: "veryHidden" },
      { name: "Empty", rows: '<row><c s="1"/></row><row/>' },
      { name: "Last", rows: textRow("Three", "Four") },
    ]);
    expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "heading: R&D",
      "row: One | Two",
      "heading: Last",
      "row: Three | Four",
    ]);
  });

  test("has rows of cells that are not empty, and rows of one cell as paragraphs", async () => {
    const rows = `<row>${textCell("Form")}<c/>${textCell(" ")}${textCell("When\nand where")}</row>${textRow("A note.\nAnother.")}${textRow("• An item")}`;
    expect(await linesOf(rows)).toEqual([
      "row: Form | When and where",
      "paragraph: A note.",
      "paragraph: Another.",
      "item: • An item",
    ]);
  });

  test("has shared strings, of several runs, without readings, and with what XML lacks", async () => {
    const strings =
      '<si><t>Cost</t></si><si><r><rPr><b/></rPr><t xml:space="preserve">25 % </t></r><r><t>match</t></r><rPh sb="0" eb="1"><t>READING</t></rPh></si><si><t>a_x000D_b_x005F_x0041_</t></si>';
    const rows =
      '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>99</v></c><c t="s"><v>-1</v></c></row>';
    expect(await linesOf(rows, { strings })).toEqual(["row: Cost | 25 % match | a b_x0041_"]);
  });

  test("has numbers, truth values, texts and the values of formulas, and no errors", async () => {
    const rows =
      '<row><c><v>0.30000000000000004</v></c><c t="n"><f>A1*2</f><v>1E3</v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c>' +
      '<c t="str"><f>A1&amp;"x"</f><v>text</v></c><c t="e"><v>#REF!</v></c><c><f>NOW()</f></c><c t="d"><v>2026-05-08T00:00:00</v></c></row>';
    expect(await linesOf(rows)).toEqual(["row: 0.3 | 1000 | TRUE | FALSE | text | 2026-05-08"]);
  });

  test("has numbers as their styles show them", async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="mmmm\\ d\\,\\ yyyy"/></numFmts><cellStyleXfs><xf numFmtId="10"/></cellStyleXfs>' +
      '<cellXfs><xf/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="5"/><xf numFmtId="999"/></cellXfs>';
    const rows =
      '<row><c s="1"><v>46150</v></c><c s="2"><v>46150.5</v></c><c s="3"><v>0.25</v></c><c s="4"><v>500000</v></c><c s="5"><v>7</v></c><c s="77"><v>8</v></c></row>';
    expect(await linesOf(rows, { styles })).toEqual(["row: 2026-05-08 | 2026-05-08 | 25% | $500,000 | 7 | 8"]);
    expect(await linesOf('<row><c s="1"><v>44688</v></c></row>', { styles, isFrom1904: true })).toEqual([
      "paragraph: 2026-05-08",
    ]);
  });

  test("is read with prefixes, and with another name of its workbook", async () => {
    const given = [
      [
        "xl/workbook22.xml",
        '<x:workbook xmlns:rel="r"><x:sheets><x:sheet name="One" rel:id="a"/></x:sheets></x:workbook>',
      ],
      [
        "xl/_rels/workbook22.xml.rels",
        '<Relationships><Relationship Id="a" Type="r/worksheet" Target="./Sheets/One.xml"/></Relationships>',
      ],
      [
        "xl/sheets/one.xml",
        "<x:worksheet><x:sheetData><x:row><x:c><x:v>1</x:v></x:c><x:c><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>",
      ],
    ] as const;
    const bytes = writeStoredZip(given.map(([name, content]) => ({ name, content: Buffer.from(content) })));
    expect(await readDocument(bytes)).toMatchObject({ blocks: [{ text: "One" }, { text: "1 | 2" }] });
  });

  test("is divided into passages between rows", async () => {
    const sentence = `${"Word ".repeat(29)}word. `;
    const rows = Array.from({ length: 60 }, (_, index) => textRow(`Line ${index}.`, sentence.repeat(2), "End"));
    const blocks = await blocksOf([{ name: "Budget", rows: rows.join("") }]);
    const lines = passagesOf({ blocks }).flatMap(({ text }) => text.split("\n"));
    expect(lines).toEqual(blocks.map(({ text }) => text));
    expect(lines).toHaveLength(61);
  });
});

describe("a number format shows", () => {
  test.each([
    ["General", 1234.5, "1234.5"],
    ["0", 1234.5, "1235"],
    ["00000", 2110, "02110"],
    ["#,##0.00", 1_234_567.891, "1,234,567.89"],
    ["#,##0.0#", 1000, "1,000.0"],
    [".00", 0.5, ".50"],
    ["0.##", 2, "2"],
    ['0.0,,"M"', 1_250_000, "1.3M"],
    ["0.0%", 0.125, "12.5%"],
    ["$#,##0_);[Red]($#,##0)", -500, "($500)"],
    ["$#,##0", -500, "-$500"],
    ['_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', 1500, "$1,500.00"],
    ["[$€-407]\\ #,##0", 1500, "€ 1,500"],
    ['0" months; or more"', 12, "12 months; or more"],
    [";;;", 5, ""],
    ["0.00E+00", 1500, "1500"],
    ["# ?/?", 0.5, "0.5"],
    ["# ?/?;(# ?/?)", -0.5, "-0.5"],
    ["[<=9999999]###-####;(###) ###-####", 2025550100, "2025550100"],
    ["0", 1e300, "1e+300"],
    ["0".repeat(300), 5, "5"],
    ["0.".padEnd(255, "0"), 0.5, "0.500000000000000"],
  ])("%s of %d: %s", (code, value, shown) => {
    expect(numberFormat(code)(value)).toBe(shown);
  });

  test.each([
    ["yyyy-mm-dd", 46150, "2026-05-08"],
    ["[$-409]mmmm d, yyyy", 46150.75, "2026-05-08"],
    ["mmm-yy", 46150, "2026-05-08"],
    ['d" of "mmmm', 46150, "2026-05-08"],
    ["m/d/yy h:mm AM/PM", 46150 + 17 / 24, "2026-05-08 17:00"],
    ["m/d/yy h:mm", 46150, "2026-05-08"],
    ["m/d/yy h:mm:ss", 46150 + 86_399 / 86_400, "2026-05-08 23:59"],
    ["h:mm", 46150 + 17 / 24, "17:00"],
    ["[h]:mm", 1.5, "36:00"],
    ["m/d/yy", 1, "1900-01-01"],
    ["m/d/yy", 61, "1900-03-01"],
    ["m/d/yy", 0, ""],
    ["m/d/yy", 2_958_465, "9999-12-31"],
    ["m/d/yy", 2_958_466, "2958466"],
    ["m/d/yy", -1, "-1"],
  ])("%s of %d: %s", (code, value, shown) => {
    expect(numberFormat(code)(value)).toBe(shown);
  });
});
