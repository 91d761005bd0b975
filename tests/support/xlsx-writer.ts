import { type ArchiveFile, pipedZip } from "../unit/ingest/archives.ts";

/** A sheet of a workbook: its name, what is in its `sheetData`, and its state. */
export interface WrittenSheet {
  name: string;
  /** As SpreadsheetML: rows. */
  rows: string;
  /** Default: it is visible. */
  state?: "hidden" | "veryHidden";
}

/** Parts of a workbook beside its sheets. */
export interface WorkbookParts {
  /** What is in `sst`. */
  strings?: string;
  /** What is in `styleSheet`. */
  styles?: string;
  /** Default: days count from 1900. */
  isFrom1904?: boolean;
  others?: readonly ArchiveFile[];
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Writes an XLSX with these sheets. */
export function writeXlsx(sheets: readonly WrittenSheet[], parts: WorkbookParts = {}): Buffer {
  const { strings = "", styles = "", isFrom1904 = false, others = [] } = parts;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  const list = sheets.map(
    ({ name, state = "visible" }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="r${index + 1}"/>`,
  );
  return pipedZip([
    ...sheets.map(({ rows }, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `<worksheet ${main}><dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData></worksheet>`,
    })),
    {
      name: "xl/workbook.xml",
      content: `<workbook ${main} xmlns:r="${office}"><workbookPr date1904="${isFrom1904}"/><sheets>${list.join("")}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets
        .map((_, index) => relation(`r${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`))
        .join(
          "",
        )}${relation("s", "sharedStrings", "/xl/sharedStrings.xml")}${relation("t", "styles", "styles.xml")}</Relationships>`,
    },
    { name: "xl/sharedStrings.xml", content: `<sst ${main}>${strings}</sst>` },
    { name: "xl/styles.xml", content: `<styleSheet ${main}>${styles}</styleSheet>` },
    ...others,
  ]);
}

/** A cell with a text of its own. */
export function textCell(text: string): string {
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`;
}

/** A row of cells with texts of their own. */
export function textRow(...texts: readonly string[]): string {
  return `<row>${texts.map(textCell).join("")}</row>`;
}
