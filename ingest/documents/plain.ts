import { cleanText, removeSoftHyphens, startsItem } from "./clean-text.ts";
import { type Block, blockWithoutPages } from "./document-text.ts";
import { joinLines, Lexicon } from "./hyphens.ts";

/** Longest line of a text that a program has broken into lines, in characters. */
const wrappedWidth = 110;

/**
 * Reads the blocks of plain text: paragraphs between empty lines, items, and headings in capitals or underlined. Lines that a program
 * has broken are joined.
 */
export function readPlain(text: string): Block[] {
  const lines = text.split(/\r\n|[\n\r\u2028\f]/).map((line) => cleanText(line).trimEnd());
  const lexicon = new Lexicon(lines.map((line) => line.trim()));
  const blocks: Block[] = [];
  let open = "";
  const finish = () => {
    const clean = removeSoftHyphens(open);
    open = "";
    if (/[\p{L}\p{N}]/u.test(clean)) blocks.push(toBlock(clean));
  };
  for (const [index, line] of lines.entries()) {
    const words = line.trim();
    if (words === "") finish();
    else if (/^[=~-]{3,}$/.test(words)) {
      const isHeading = open !== "" && (lines[index - 1]?.trim() ?? "") === open;
      if (isHeading) blocks.push(blockWithoutPages("heading", open, words.startsWith("=") ? 1 : 2));
      if (isHeading) open = "";
      finish();
    } else if (startsItem(words) || isCapitals(words) || !continuesLine(lines[index - 1])) {
      finish();
      open = words;
      if (isCapitals(words)) finish();
    } else open = joinLines(open, words, lexicon);
  }
  finish();
  return blocks;
}

/** Whether the line above was broken by a program, and goes on: it is neither empty nor longer than such lines. */
function continuesLine(above: string | undefined): boolean {
  return above !== undefined && above.length <= wrappedWidth;
}

function isCapitals(line: string): boolean {
  return (
    /^[^\p{Ll}]*\p{Lu}{2}[^\p{Ll}]*$/u.test(line) &&
    /\p{Lu}{3}/u.test(line) &&
    line.length <= 80 &&
    !/[.,;]$/.test(line)
  );
}

function toBlock(text: string): Block {
  const [, hashes = "", title = ""] = /^(#{1,6}) (.{1,120})$/.exec(text) ?? [];
  if (hashes !== "") return blockWithoutPages("heading", title, hashes.length);
  if (startsItem(text)) return blockWithoutPages(isCapitals(text) ? "heading" : "item", text, isCapitals(text) ? 2 : 0);
  return isCapitals(text) ? blockWithoutPages("heading", text, 2) : blockWithoutPages("paragraph", text);
}
