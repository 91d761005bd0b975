import { raisedMark, removeSoftHyphens, startsItem } from "./clean-text.ts";
import { type Block, blockWithoutPages } from "./document-text.ts";

/** A row of a table in the making: its finished cells, and the cell that is open. */
interface OpenRow {
  cells: string[];
  cell: string[] | undefined;
}

/** Share of blocks that are headings below which bold paragraphs count as headings. */
const minHeadingShare = 0.02;
const longestBoldHeading = 120;

/** Collects the blocks of an HTML page from its tags and text. */
export class HtmlBlocks {
  readonly #blocks: (Block & { isBold: boolean })[] = [];
  #text = "";
  /** Characters of the text that are bold. */
  #boldCharacters = 0;
  #boldDepth = 0;
  /** Where a raised text began. */
  #raisedAt: number | undefined;
  #level = 0;
  /** Bullet or number of the item whose first line is open. */
  #marker = "";
  /** Open lists: the next number, or undefined for bullets. */
  readonly #lists: { next: number | undefined }[] = [];
  /** Open rows, one for each nested table. */
  readonly #rows: (OpenRow | undefined)[] = [];

  addText(text: string): void {
    this.#text += text;
    if (this.#boldDepth > 0) this.#boldCharacters += text.trim().length;
  }

  openBold(): void {
    this.#boldDepth++;
  }

  closeBold(): void {
    this.#boldDepth = Math.max(0, this.#boldDepth - 1);
  }

  openRaised(): void {
    this.#raisedAt ??= this.#text.length;
  }

  closeRaised(): void {
    if (this.#raisedAt === undefined) return;
    const [before, raised] = [this.#text.slice(0, this.#raisedAt), this.#text.slice(this.#raisedAt)];
    this.#text = before + (raisedMark(before, raised) ?? raised);
    this.#raisedAt = undefined;
  }

  openHeading(level: number): void {
    this.endBlock();
    this.#level = level;
  }

  closeHeading(): void {
    this.endBlock();
    this.#level = 0;
  }

  openList(start: number | undefined): void {
    this.endBlock();
    this.#lists.push({ next: start });
  }

  closeList(): void {
    this.endBlock();
    this.#lists.pop();
  }

  openItem(): void {
    this.endBlock();
    const list = this.#lists.at(-1);
    this.#marker = list?.next === undefined ? "• " : `${list.next++}. `;
  }

  openTable(): void {
    this.endBlock();
    this.#rows.push(undefined);
  }

  closeTable(): void {
    this.closeRow();
    this.#rows.pop();
  }

  openRow(): void {
    this.closeRow();
    if (this.#rows.length > 0) this.#rows[this.#rows.length - 1] = { cells: [], cell: undefined };
  }

  openCell(): void {
    this.closeCell();
    const row = this.#rows.at(-1);
    if (row !== undefined) row.cell = [];
  }

  closeCell(): void {
    this.endBlock();
    const row = this.#rows.at(-1);
    if (row?.cell === undefined) return;
    row.cells.push(row.cell.join("\n"));
    row.cell = undefined;
  }

  /** Ends a row. A row of one cell only lays out a page: its lines are paragraphs. */
  closeRow(): void {
    this.closeCell();
    const row = this.#rows.at(-1);
    if (row === undefined) return;
    this.#rows[this.#rows.length - 1] = undefined;
    const cells = row.cells.filter((cell) => cell !== "");
    const [only] = cells;
    const words = cells.join(" ").split(/\s+/).length;
    if (cells.length === 1 && only !== undefined) for (const line of only.split("\n")) this.#push(line, 0, false);
    else if (words > maxRowWords)
      for (const line of cells.flatMap((cell) => cell.split("\n"))) this.#push(line, 0, false);
    else if (cells.length > 1) this.#push(cells.map((cell) => cell.replaceAll("\n", " ")).join(" | "), 0, false, "row");
  }

  /** A line break within a paragraph: one block, two lines. */
  breakLine(): void {
    if (this.#level > 0 || this.#rows.at(-1)?.cell !== undefined) this.#text += " ";
    else this.endBlock();
  }

  endBlock(): void {
    const text = removeSoftHyphens(this.#text);
    const isBold = this.#boldCharacters > 0 && this.#boldCharacters >= text.replaceAll(" ", "").length * 0.9;
    this.#text = "";
    this.#raisedAt = undefined;
    this.#boldCharacters = 0;
    if (text === "") return;
    const line = startsItem(text) && this.#marker === "• " ? text : this.#marker + text;
    this.#marker = "";
    const row = this.#rows.at(-1);
    if (row?.cell !== undefined) row.cell.push(line);
    else this.#push(line, this.#level, isBold);
  }

  #push(text: string, level: number, isBold: boolean, kind?: "row"): void {
    if (!/[\p{L}\p{N}]/u.test(text)) return;
    const of = kind ?? (level > 0 ? "heading" : startsItem(text) ? "item" : "paragraph");
    this.#blocks.push({ ...blockWithoutPages(of, text, level), isBold });
  }

  /** Returns the blocks. */
  finish(): Block[] {
    this.endBlock();
    while (this.#rows.length > 0) this.closeTable();
    const headings = this.#blocks.filter(({ kind }) => kind === "heading").length;
    const hasHeadings = headings > 0 && headings >= this.#blocks.length * minHeadingShare;
    return this.#blocks.map(({ isBold, ...block }) =>
      !hasHeadings && isBold && isHeadingLike(block) ? { ...block, kind: "heading", level: 3 } : block,
    );
  }
}

/** Most words of a row that is read as one line. Tables with larger cells only lay out a page. */
const maxRowWords = 250;

function isHeadingLike({ kind, text }: Block): boolean {
  return (
    kind === "paragraph" && text.length <= longestBoldHeading && !/[.,;]$/.test(text) && /^[^\p{Ll}]*\p{Lu}/u.test(text)
  );
}
