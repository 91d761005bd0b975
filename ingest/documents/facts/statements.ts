import { countWords, type Passage } from "../passages.ts";
import { splitSentences } from "../sentences.ts";

/** A sentence of a passage, or a label with the line below it. */
export interface Statement {
  /** What the rules read: a label and its value are joined by a colon. */
  text: string;
  /** As the passage has it: a label and its value are on two lines. */
  sentence: string;
  /** Number of the passage. */
  passage: number;
}

/** Longest statement that the rules read, in characters. Longer ones state several things. */
const maxLength = 1_000;
const maxLabelWords = 12;
const maxValueWords = 15;

/** The sentences of a passage, then its labels with their values: "Letter of intent" above "Due on June 30, 2026." */
export function statementsOf({ number, text }: Passage): Statement[] {
  const lines = text.split("\n");
  const sentences = lines.flatMap(splitSentences).map((text) => ({ text, sentence: text, passage: number }));
  const pairs = lines.flatMap((line, index) => {
    const next = lines[index + 1] ?? "";
    const isLabel = countWords(line) <= maxLabelWords && !/[.;,?!]$/.test(line) && !line.includes(" | ");
    if (!isLabel || next === "" || countWords(next) > maxValueWords || next.includes(" | ")) return [];
    return [{ text: `${line.replace(/\s*:$/, "")}: ${next}`, sentence: `${line}\n${next}`, passage: number }];
  });
  return [...sentences, ...pairs].filter(({ text }) => text.length <= maxLength);
}
