import type { Block } from "./document-text.ts";

/** A heading with the blocks up to the next heading. Headings that follow each other directly are in one section. */
export interface Section {
  /** Headings above its blocks, outermost first, its own last. */
  path: string[];
  blocks: Block[];
  words: number;
}

/** Divides blocks into sections, in order. */
export function sectionsOf(blocks: readonly Block[]): Section[] {
  const sections: Section[] = [];
  const open: { level: number; text: string }[] = [];
  let hasBody = true;
  for (const block of blocks) {
    let section = sections.at(-1);
    if (block.kind === "heading") {
      while ((open.at(-1)?.level ?? 0) >= block.level) open.pop();
      open.push(block);
      if (hasBody || section === undefined) {
        section = { path: [], blocks: [], words: 0 };
        sections.push(section);
      }
      section.path = open.map(({ text }) => text);
      hasBody = false;
    } else {
      if (section === undefined) {
        section = { path: [], blocks: [], words: 0 };
        sections.push(section);
      }
      hasBody = true;
    }
    section.blocks.push(block);
    section.words += block.text.split(/\s+/).length;
  }
  return sections;
}
