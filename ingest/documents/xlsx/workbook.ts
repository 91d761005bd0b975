import type { StoredFile } from "../stored-zip.ts";
import { CellText } from "./cell-text.ts";
import { type NumberFormat, numberFormat } from "./number-format.ts";
import { readXml } from "./xml.ts";

/** Sheets of a workbook, and what their cells refer to. */
export interface Workbook {
  /** Sheets that are not hidden, in order. */
  sheets: { name: string; xml: Uint8Array }[];
  /** Texts that cells share, with line breaks, by their number. */
  strings: readonly string[];
  /** How a cell of a style shows its number, by the style's number. */
  formatOf(style: number): NumberFormat;
}

/**
 * Finds the parts of a workbook by its relationships (ECMA-376, part 2).
 *
 * @throws {Error} when it has no workbook, or one of the parts is no XML.
 */
export function openWorkbook(parts: readonly StoredFile[]): Workbook {
  const byName = new Map(parts.map(({ name, content }) => [name.toLowerCase(), content]));
  const [path, workbook] = [...byName].find(([name]) => /^xl\/workbook[^/]*\.xml$/.test(name)) ?? [];
  const relations = byName.get(`xl/_rels/${path?.slice("xl/".length)}.rels`);
  if (workbook === undefined || relations === undefined) throw new Error("no workbook");

  const targets = new Map<string, string>();
  let strings: readonly string[] = [];
  let codes: readonly string[] = [];
  readXml(relations, {
    open(name, { Id = "", Type = "", Target = "" }) {
      if (name !== "Relationship") return;
      const target = (Target.startsWith("/") ? Target.slice(1) : `xl/${Target.replace(/^\.\//, "")}`).toLowerCase();
      const part = byName.get(target);
      if (part === undefined) return;
      if (Type.endsWith("/worksheet")) targets.set(Id, target);
      else if (Type.endsWith("/sharedStrings")) strings = readStrings(part);
      else if (Type.endsWith("/styles")) codes = readFormatCodes(part);
    },
  });

  const sheets: Workbook["sheets"] = [];
  let isFrom1904 = false;
  readXml(workbook, {
    open(name, attributes) {
      if (name === "workbookPr") isFrom1904 = isTrue(attributes.date1904);
      if (name !== "sheet" || (attributes.state ?? "visible") !== "visible") return;
      const [, id = ""] = Object.entries(attributes).find(([attribute]) => attribute.endsWith(":id")) ?? [];
      const target = targets.get(id);
      const xml = target === undefined ? undefined : byName.get(target);
      if (target === undefined || xml === undefined) return;
      // Once: a workbook of a million sheets may name one part for all.
      byName.delete(target);
      sheets.push({ name: attributes.name ?? "", xml });
    },
  });
  const formats = new Map<string, NumberFormat>();
  return {
    sheets,
    strings,
    formatOf(style) {
      const code = codes[style] ?? "General";
      const format = formats.get(code) ?? numberFormat(code, isFrom1904);
      formats.set(code, format);
      return format;
    },
  };
}

function readStrings(xml: Uint8Array): string[] {
  const strings: string[] = [];
  const text = new CellText();
  readXml(xml, {
    open: (name) => text.open(name),
    text: (piece) => text.add(piece),
    close(name) {
      text.close(name);
      if (name === "si") strings.push(text.take());
    },
  });
  return strings;
}

/** Format codes of the cells' styles, by the style's number. */
function readFormatCodes(xml: Uint8Array): string[] {
  const codes = new Map<string, string>();
  const ofStyles: string[] = [];
  let isOfCells = false;
  readXml(xml, {
    open(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt") codes.set(numFmtId, formatCode);
      else if (name === "cellXfs") isOfCells = true;
      else if (name === "xf" && isOfCells) ofStyles.push(numFmtId);
    },
    close(name) {
      if (name === "cellXfs") isOfCells = false;
    },
  });
  return ofStyles.map((id) => codes.get(id) ?? builtInCode(Number(id)));
}

/** Codes of formats that workbooks do not write (ECMA-376, part 1, 18.8.30). Those of East Asia, 27 to 36 and 50 to 58, are days. */
function builtInCode(id: number): string {
  if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return "yyyy-mm-dd";
  return builtInCodes[id] ?? "General";
}

const dollars = "$#,##0";
const builtInCodes: Readonly<Record<number, string>> = {
  ...{ 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%" },
  ...{ 5: dollars, 6: dollars, 7: `${dollars}.00`, 8: `${dollars}.00` },
  ...{ 14: "m/d/yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 22: "m/d/yy h:mm" },
  ...{ 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss" },
  ...{ 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00" },
  ...{ 41: "#,##0", 42: dollars, 43: "#,##0.00", 44: `${dollars}.00` },
};

/** Whether an attribute of XML Schema's type boolean is true. */
function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}
