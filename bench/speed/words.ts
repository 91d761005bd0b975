import { demoGrants } from "../../local/demo/generate.ts";
import { recordOptions } from "./records.ts";

/** Words of the records in bands by their document frequency, each in alphabetical order. */
export interface WordBands {
  /** In 15 % of the records or more. */
  common: string[];
  /** In 1 % to 5 %. */
  middling: Set<string>;
  /** In 0.2 % or fewer. */
  rare: Set<string>;
  /** Words of each of the first records, which are in a table of any size. */
  records: string[][];
}

const countedRecords = 8_000;
const knownRecords = 800;

/** Counts the words of the first 8,000 records: five letters or more, no stop words. */
export function countWordBands(): WordBands {
  const frequency = new Map<string, number>();
  const records: string[][] = [];
  for (const { title, description } of demoGrants(recordOptions(countedRecords))) {
    const words = splitWords(`${title} ${description}`);
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    if (records.length < knownRecords) records.push(words);
  }
  const band = (least: number, most: number) =>
    [...frequency].filter(([, count]) => count >= least * countedRecords && count <= most * countedRecords);
  const names = (entries: [string, number][]) => entries.map(([word]) => word).sort();
  return {
    common: names(band(0.15, 1)),
    middling: new Set(names(band(0.01, 0.05))),
    rare: new Set(names(band(0, 0.002))),
    records,
  };
}

function splitWords(text: string): string[] {
  const words = new Set(text.toLowerCase().match(/\b[a-z]{5,}\b/g));
  return [...words].filter((word) => !stopWords.has(word)).sort();
}

/** Words of Snowball's English stop word list with five letters or more. Postgres ignores them in queries. */
const stopWords = new Set(
  `yours yourself yourselves himself herself itself their theirs themselves which these those being having doing
   would should could ought because until while about against between through during before after above below under
   again further there where other ourselves myself cannot`.split(/\s+/),
);
