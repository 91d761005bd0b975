import { Random } from "../../local/demo/random.ts";
import { countWordBands, type WordBands } from "./words.ts";

export const queryKinds = ["common", "middling", "rare", "misspelt", "filtered"] as const;

/** A search for measuring. */
export interface TimedQuery {
  kind: (typeof queryKinds)[number];
  search: string;
  /** Other parameters of the list endpoint, as in a query string. May be empty. */
  filters: string;
}

/** Measured search modes, as parameters of the list endpoint. */
export const searchModes = {
  "keyword list": "search_mode=keyword",
  "keyword by relevance": "search_mode=keyword&sort_by=relevance",
  semantic: "search_mode=semantic",
  hybrid: "search_mode=hybrid",
} as const;

export type SearchMode = keyof typeof searchModes;

/** Makes the query string for the first 20 records. */
export function searchRequest({ search, filters }: TimedQuery, mode: SearchMode): string {
  const more = filters === "" ? "" : `&${filters}`;
  return `?search=${encodeURIComponent(search)}&${searchModes[mode]}${more}&limit=20`;
}

/**
 * Changes the letter case of a search: the same words, of which the API has nothing cached. Each `count` gives another
 * combination, until all are used.
 */
export function changeCase(search: string, count: number): string {
  let left = count;
  return search.replace(/[a-z]/g, (letter) => {
    const isUpper = left % 2 === 1;
    left = Math.floor(left / 2);
    return isUpper ? letter.toUpperCase() : letter;
  });
}

const perKind = 20;

/**
 * Makes the searches, the same in every run: 20 of each kind.
 *
 * - `common`: "community development research", and random triples of words that at least 15 % of the records have;
 * - `middling`: two words of one record that 1 % to 5 % of the records have;
 * - `rare`: a word that at most 0.2 % have, and a middling word of the same record;
 * - `misspelt`: a middling word of at least eight letters with two neighbouring letters swapped, and another word of the
 *   same record;
 * - `filtered`: as `middling`, with a filter.
 */
export function makeTimedQueries(): TimedQuery[] {
  const bands = countWordBands();
  const random = new Random(1, "bench", 0);
  const query = (kind: TimedQuery["kind"], search: string, filters = ""): TimedQuery => ({ kind, search, filters });
  const made = (kind: TimedQuery["kind"], words: () => string[], filtersOf = (_: number) => "") =>
    Array.from({ length: perKind }, (_, index) => query(kind, words().join(" "), filtersOf(index)));

  const common = made("common", () => random.sample(bands.common, 3));
  return [
    query("common", "community development research"),
    ...common.slice(1),
    ...made("middling", () => drawFromOneRecord(random, bands, [isMiddling(bands), isMiddling(bands)])),
    ...made("rare", () => drawFromOneRecord(random, bands, [(word) => bands.rare.has(word), isMiddling(bands)])),
    ...made("misspelt", () => {
      const [long = "", other = ""] = drawFromOneRecord(random, bands, [isLong(bands), isMiddling(bands)]);
      return [swapLetters(long, random.integer(2, long.length - 3)), other];
    }),
    ...made(
      "filtered",
      () => drawFromOneRecord(random, bands, [isMiddling(bands), isMiddling(bands)]),
      (index) => searchFilters[index % searchFilters.length] ?? "",
    ),
  ];
}

const searchFilters = [
  "states=CA",
  "status=posted",
  "category=Health",
  "min_amount=100000&states=TX,NY",
  "deadline_after=2026-12-01&deadline_before=2027-03-01",
  "states=WY&include_national=true",
];

const isMiddling = (bands: WordBands) => (word: string) => bands.middling.has(word);
const isLong = (bands: WordBands) => (word: string) => bands.middling.has(word) && word.length >= 8;

/** Draws different words from one random record, one word for each condition. */
function drawFromOneRecord(
  random: Random,
  { records }: WordBands,
  conditions: ((word: string) => boolean)[],
): string[] {
  for (;;) {
    const left = random.pick(records);
    const chosen: string[] = [];
    for (const condition of conditions) {
      const fitting = left.filter((word) => condition(word) && !chosen.includes(word));
      if (fitting.length === 0) break;
      chosen.push(random.pick(fitting));
    }
    if (chosen.length === conditions.length) return chosen;
  }
}

/** Swaps the letter at `index` and the next one; if they are the same, the next pair. */
function swapLetters(word: string, index: number): string {
  for (let at = index; at < word.length - 1; at++) {
    if (word[at] !== word[at + 1]) return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  }
  return word;
}
