import type { Block } from "../document-text.ts";

/** Joins a heading's number, which stands apart from it, with its words. */
export function withNumbers(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (last !== undefined && isNumberOf(last, block))
      joined.splice(-1, 1, { ...block, text: `${last.text} ${block.text}` });
    else joined.push(block);
  }
  return joined;
}

function isNumberOf(number: Block, heading: Block): boolean {
  const isNumber = number.kind === "heading" && /^(?:\d{1,2}|[A-Z])[.)]?$/.test(number.text);
  const isHeading = heading.kind === "heading" && /\p{L}{2}/u.test(heading.text);
  return isNumber && isHeading && number.level === heading.level && number.lastPage === heading.firstPage;
}

/** Removes headings that a further page repeats at its top: the section goes on. */
export function withoutRepeatedHeadings(blocks: readonly Block[]): Block[] {
  const path: (string | undefined)[] = [];
  return blocks.filter(({ kind, level, text, firstPage }, index) => {
    if (kind !== "heading") return true;
    const isRepeated = path[level] === text && blocks[index - 1]?.lastPage !== firstPage;
    if (isRepeated) return false;
    path.length = level;
    path[level] = text;
    return true;
  });
}
