import { removeSoftHyphens, startsItem, withPlainBullet } from "../clean-text.ts";
import type { Block } from "../document-text.ts";
import { joinLines, type Lexicon } from "../hyphens.ts";
import { continues, type Draft, startsItemByTag } from "./continuation.ts";
import { withNumbers, withoutRepeatedHeadings } from "./heading-blocks.ts";
import type { Line } from "./lines.ts";
import { marginOf } from "./margins.ts";
import type { Unit } from "./reading-order.ts";

/** Units of a page in reading order. */
export interface PageUnits {
  page: number;
  units: Unit[];
}

const longestHeading = 250;

/** Joins lines to blocks: headings, paragraphs, items and rows, also over columns and pages. */
export function toBlocks(pages: readonly PageUnits[], lexicon: Lexicon): Block[] {
  const leading = usualLeading(pages);
  const blocks: Block[] = [];
  let draft: Draft | undefined;
  const finish = () => {
    if (draft !== undefined) blocks.push(...toBlock(draft));
    draft = undefined;
  };
  for (const { page, units } of pages) {
    /** Tagged items of the page that have begun. */
    const items = new Set<number>();
    const lines = units.flatMap((unit) => (unit.kind === "lines" ? unit.lines : []));
    for (const unit of units) {
      if (unit.kind === "row") {
        finish();
        const text = unit.cells.map((lines) => cellText(lines, lexicon, leading)).filter((cell) => cell !== "");
        if (text.length > 0)
          blocks.push({ kind: "row", level: 0, text: text.join(" | "), firstPage: page, lastPage: page });
        continue;
      }
      const right = marginOf(unit.lines, lines);
      for (const line of unit.lines) {
        if (draft !== undefined && continues(draft, line, { page, leading, begun: items, right })) {
          draft.text = joinLines(draft.text, line.text, lexicon);
          draft.lines.push(line);
          draft.lastPage = page;
        } else {
          finish();
          const startsTaggedItem = line.heading === 0 && startsItemByTag(line, items) && /^[^\p{Ll}]/u.test(line.text);
          draft = { lines: [line], text: line.text, firstPage: page, lastPage: page, startsTaggedItem };
        }
        if (line.tag?.item !== undefined) items.add(line.tag.item);
      }
    }
  }
  finish();
  return withoutRepeatedHeadings(withNumbers(blocks));
}

/** Text of a table's cell: its paragraphs and items after each other. */
function cellText(lines: readonly Line[], lexicon: Lexicon, leading: number): string {
  const drafts: Draft[] = [];
  for (const line of lines) {
    const draft = drafts.at(-1);
    if (draft !== undefined && continues(draft, line, { page: 1, leading, begun: new Set(), right: 0 })) {
      draft.text = joinLines(draft.text, line.text, lexicon);
      draft.lines.push(line);
    } else drafts.push({ lines: [line], text: line.text, firstPage: 1, lastPage: 1, startsTaggedItem: false });
  }
  return drafts.map(({ text }) => withPlainBullet(removeSoftHyphens(text))).join(" ");
}

function toBlock({ lines: [first], text, firstPage, lastPage, startsTaggedItem }: Draft): Block[] {
  const plain = withPlainBullet(removeSoftHyphens(text));
  if (plain === "") return [];
  const clean = startsTaggedItem && !startsItem(plain) ? `• ${plain}` : plain;
  const level = clean.length <= longestHeading && /[\p{L}\d]/u.test(clean) ? (first?.heading ?? 0) : 0;
  const kind = level > 0 ? "heading" : startsItem(clean) ? "item" : "paragraph";
  return [{ kind, level, text: clean, firstPage, lastPage }];
}

/** Usual step between the lines of a paragraph, in ems: the median of all pages. */
function usualLeading(pages: readonly PageUnits[]): number {
  const steps: number[] = [];
  for (const { units } of pages.slice(0, 200)) {
    for (const unit of units) {
      if (unit.kind === "row") continue;
      for (const [index, line] of unit.lines.entries()) {
        const before = unit.lines[index - 1];
        const step = before === undefined ? 0 : (line.y - before.y) / line.size;
        if (before?.size === line.size && step > 0.8 && step < 2) steps.push(step);
      }
    }
  }
  return steps.sort((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 1.2;
}
