import { CellText } from "./cell-text.ts";
import type { Workbook } from "./workbook.ts";
import { readXml } from "./xml.ts";

/** What is done with cells and rows that are not empty. */
export interface RowHandlers {
  onCell(text: string): void;
  /** @param cells their texts, from the left. */
  onRow(cells: readonly string[]): void;
}

/**
 * Reads the rows of a sheet, up to the one in which it is full.
 *
 * @param isFull whether no more is wanted.
 * @throws {Error} when it is no XML.
 */
export function readRows(xml: Uint8Array, workbook: Workbook, isFull: () => boolean, handlers: RowHandlers): void {
  const text = new CellText();
  let cells: string[] = [];
  let type = "n";
  let style = 0;
  let isOver = false;
  readXml(xml, {
    isOver: () => isOver,
    open(name, { t = "n", s = "0" }) {
      text.open(name);
      if (name === "row") cells = [];
      else if (name === "c") [type, style] = [t, Number(s)];
    },
    text: (piece) => text.add(piece),
    close(name) {
      text.close(name);
      if (isOver) return;
      if (name === "c") {
        const shown = shownText(text.take(), type, style, workbook);
        if (shown === "") return;
        cells.push(shown);
        handlers.onCell(shown);
      }
      // A row that is too large is given as far as it was read.
      if ((name === "row" || isFull()) && cells.length > 0) {
        handlers.onRow(cells);
        cells = [];
      }
      isOver = name === "sheetData" || isFull();
    },
  });
}

/** The text that a cell shows. Errors such as #N/A are none. */
function shownText(value: string, type: string, style: number, { strings, formatOf }: Workbook): string {
  switch (type) {
    case "s":
      return strings[Number(value)] ?? "";
    case "b":
      return value === "1" ? "TRUE" : value === "0" ? "FALSE" : "";
    case "n":
      return value.trim() === "" || Number.isNaN(Number(value)) ? value : formatOf(style)(Number(value));
    case "d":
      return value.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, "");
    case "e":
      return "";
    default:
      return value;
  }
}
