import { cleanText } from "../clean-text.ts";
import { type DocumentText, maxBlocks, maxTextCharacters } from "../document-text.ts";
import { HtmlBlocks } from "../html-blocks.ts";
import { damagedOffice, unpackOffice } from "../office-archive.ts";
import { readRows } from "./rows.ts";
import { openWorkbook } from "./workbook.ts";

/**
 * Reads the cells of an XLSX: a heading of level 1 for each sheet that has text, then its rows as HTML's tables have them, without empty cells.
 * Formulas have the value that the file keeps of them; nothing is computed or run. Hidden sheets, charts, notes, headers and footers are
 * left out; hidden rows and columns are not.
 *
 * @returns its blocks, and whether it has more than a document may have ({@link maxBlocks}, {@link maxTextCharacters}): the rest is not read.
 * @throws {UnreadableError} when the archive is damaged, encrypted, or unpacks to more than a document has.
 */
export async function readXlsx(bytes: Uint8Array): Promise<Pick<DocumentText, "blocks" | "isCut">> {
  const parts = await unpackOffice(bytes, "Excel workbook");
  try {
    const workbook = openWorkbook(parts);
    const blocks = new HtmlBlocks();
    let characters = 0;
    let rows = 0;
    const isFull = () => characters > maxTextCharacters || rows > maxBlocks;
    for (const { name, xml } of workbook.sheets) {
      let isOpen = false;
      readRows(xml, workbook, isFull, {
        onCell(text) {
          characters += text.length;
        },
        onRow(cells) {
          rows++;
          if (!isOpen) openSheet(blocks, name);
          isOpen = true;
          addRow(blocks, cells);
        },
      });
      if (isOpen) blocks.closeTable();
      if (isFull()) break;
    }
    return { blocks: blocks.finish(), isCut: isFull() };
  } catch {
    throw damagedOffice("Excel workbook");
  }
}

function openSheet(blocks: HtmlBlocks, name: string): void {
  blocks.openHeading(1);
  blocks.addText(cleanText(name));
  blocks.closeHeading();
  blocks.openTable();
}

/** @param cells their texts, with line breaks. */
function addRow(blocks: HtmlBlocks, cells: readonly string[]): void {
  blocks.openRow();
  for (const cell of cells) {
    blocks.openCell();
    for (const line of cell.split("\n")) {
      blocks.addText(cleanText(line));
      blocks.endBlock();
    }
  }
  blocks.closeRow();
}
