import type { Block, DocumentText } from "./document-text.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { splitSentences } from "./sentences.ts";

/** Part of a document that can be read by itself. */
export interface Passage {
  /** Place in the document, from 1. */
  number: number;
  /** Pages on which it begins and ends, from 1. Null where the format has no pages. */
  firstPage: number | null;
  lastPage: number | null;
  /** Headings above its first words, outermost first: "Eligibility > Cost sharing". Empty before the first heading. */
  headingPath: string;
  /** Its headings, paragraphs, items and rows, each on a line. */
  text: string;
}

/** Words of a passage that are aimed at, that are not exceeded before a sentence ends, and below which a passage takes in what follows. */
const targetWords = 200;
const maxWords = 240;
const minWords = 60;
/** Words below which a section is short, and joined to the one before or after it. */
const shortSection = 100;
/** Words below which a section says too little to stand alone, and may exceed the aim together with another. */
const tinySection = 40;
/** Longest sentence that is never divided, in words; also the size to which a short rest is added to the passage before it. */
const longestSentence = 300;

/**
 * Cuts a document into passages of some 200 words. They end where sentences or rows end, and begin anew at headings, unless sections are short.
 * The words before a list stay with its first item. Each word of the document is in exactly one passage.
 */
export function passagesOf({ blocks }: Pick<DocumentText, "blocks">): Passage[] {
  return mergeSections(sectionsOf(blocks))
    .flatMap(({ path, blocks }) => divide(unitsOf(blocks)).map((units) => ({ path, units })))
    .map(({ path, units }, index) => ({
      number: index + 1,
      firstPage: units[0]?.firstPage ?? null,
      lastPage: units.at(-1)?.lastPage ?? null,
      headingPath: path.join(" > "),
      text: textOf(units),
    }));
}

/** A sentence, or an item, row or heading. */
interface Unit {
  text: string;
  words: number;
  /** Number of its block. */
  block: number;
  /** Whether the next unit must be in the same passage. */
  staysWithNext: boolean;
  firstPage: number | null;
  lastPage: number | null;
}

/** Joins short sections that follow each other, up to the words of a passage. The first names the whole. */
function mergeSections(sections: readonly Section[]): Section[] {
  const merged: Section[] = [];
  for (const section of sections) {
    const last = merged.at(-1);
    const smaller = Math.min(last?.words ?? 0, section.words);
    const limit = smaller < tinySection ? maxWords : smaller < shortSection ? targetWords : 0;
    if (last !== undefined && last.words + section.words <= limit && !startsPart(section, last)) {
      last.blocks.push(...section.blocks);
      last.words += section.words;
    } else merged.push({ ...section, blocks: [...section.blocks] });
  }
  return merged;
}

/** Whether a section begins one of the document's largest parts, and what is before it can stand by itself. */
function startsPart(section: Section, last: Section): boolean {
  return section.path.length === 1 && last.path.length > 0 && last.words >= shortSection;
}

function unitsOf(blocks: readonly Block[]): Unit[] {
  return blocks.flatMap((block, number) => {
    const next = blocks[number + 1];
    const isLeadIn = /:\W*$/.test(block.text.slice(-20)) && next?.kind === "item";
    const isTableHead = block.kind === "row" && next?.kind === "row" && blocks[number - 1]?.kind !== "row";
    const sentences = block.kind === "row" ? [block.text] : splitSentences(block.text);
    const texts = block.kind === "heading" ? [block.text] : sentences.flatMap(divideLongSentence);
    return texts.map((text, index) => ({
      text,
      words: countWords(text),
      block: number,
      staysWithNext: index === texts.length - 1 && (block.kind === "heading" || isLeadIn || isTableHead),
      firstPage: block.firstPage,
      lastPage: block.lastPage,
    }));
  });
}

function divideLongSentence(sentence: string): string[] {
  const words = sentence.split(" ");
  if (words.length <= longestSentence) return [sentence];
  const parts: string[] = [];
  for (let start = 0; start < words.length; start += targetWords)
    parts.push(words.slice(start, start + targetWords).join(" "));
  return parts;
}

/** Divides the units of a section into passages. */
function divide(units: readonly Unit[]): Unit[][] {
  const passages: Unit[][] = [];
  let words = 0;
  for (const chain of chainsOf(units)) {
    const chainWords = wordsOf(chain);
    const last = passages.at(-1);
    const isNewBlock = last?.at(-1)?.block !== chain[0]?.block;
    const limit = words < minWords ? longestSentence : isNewBlock ? targetWords : maxWords;
    if (last === undefined || words + chainWords > limit) {
      passages.push([...chain]);
      words = chainWords;
    } else {
      last.push(...chain);
      words += chainWords;
    }
  }
  const [before, rest] = [passages.at(-2), passages.at(-1)];
  if (before !== undefined && rest !== undefined && words < minWords && wordsOf(before) + words <= longestSentence)
    before.push(...(passages.pop() ?? []));
  return passages;
}

/** Groups units that must be in one passage. */
function chainsOf(units: readonly Unit[]): Unit[][] {
  const chains: Unit[][] = [];
  let isOpen = false;
  for (const unit of units) {
    const chain = chains.at(-1);
    // A document of headings alone has no end of this kind.
    if (isOpen && chain !== undefined && wordsOf(chain) < targetWords) chain.push(unit);
    else chains.push([unit]);
    isOpen = unit.staysWithNext;
  }
  return chains;
}

function textOf(units: readonly Unit[]): string {
  return units.reduce((text, unit, index) => {
    if (index === 0) return unit.text;
    return text + (units[index - 1]?.block === unit.block ? " " : "\n") + unit.text;
  }, "");
}

function wordsOf(units: readonly Unit[]): number {
  return units.reduce((sum, { words }) => sum + words, 0);
}

/** Number of words of a text. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
