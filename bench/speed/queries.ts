import { Random } from "../../local/demo/random.ts";
import { type WordBands, wordBands } from "./words.ts";

/** A search to be timed. */
export interface TimedQuery {
  kind: "common" | "middling" | "rare" | "misspelt" | "filtered";
  search: string;
  /** The other parameters of the list endpoint, as in a query string; empty for none. */
  filters: string;
}

/** The ways of searching that are timed, as parameters of the list endpoint. */
export const searchModes = {
  "keyword list": "search_mode=keyword",
  "keyword by relevance": "search_mode=keyword&sort_by=relevance",
  semantic: "search_mode=semantic",
  hybrid: "search_mode=hybrid",
} as const;

export type SearchMode = keyof typeof searchModes;

/** The query string that asks for the first 20 records. */
export function searchRequest({ search, filters }: TimedQuery, mode: SearchMode): string {
  const more = filters === "" ? "" : `&${filters}`;
  return `?search=${encodeURIComponent(search)}&${searchModes[mode]}${more}&limit=20`;
}

/**
 * The search in other letters: the same words, for which the API remembers nothing. Each `count` gives
 * another spelling, until each letter has been large with each other.
 */
export function recased(search: string, count: number): string {
  let left = count;
  return search.replace(/[a-z]/g, (letter) => {
    const isLarge = left % 2 === 1;
    left = Math.floor(left / 2);
    return isLarge ? letter.toUpperCase() : letter;
  });
}

const perKind = 20;

/**
 * The same searches in every run: 20 of each kind.
 *
 * - `common`: "community development research", and three of the words that 15 % of the records or
 *   more have, drawn at random;
 * - `middling`: two words that 1 % to 5 % have, both from one record;
 * - `rare`: a word that at most 0.2 % have, and a middling one of the same record;
 * - `misspelt`: a middling word of eight letters or more with two neighbours swapped, and another
 *   word of the same record;
 * - `filtered`: as `middling`, and a filter.
 */
export function timedQueries(): TimedQuery[] {
  const bands = wordBands();
  const random = new Random(1, "bench", 0);
  const query = (kind: TimedQuery["kind"], search: string, filters = ""): TimedQuery => ({ kind, search, filters });
  const made = (kind: TimedQuery["kind"], words: () => string[], filtersOf = (_: number) => "") =>
    Array.from({ length: perKind }, (_, place) => query(kind, words().join(" "), filtersOf(place)));

  const common = made("common", () => random.sample(bands.common, 3));
  return [
    query("common", "community development research"),
    ...common.slice(1),
    ...made("middling", () => fromOneRecord(random, bands, [isMiddling(bands), isMiddling(bands)])),
    ...made("rare", () => fromOneRecord(random, bands, [(word) => bands.rare.has(word), isMiddling(bands)])),
    ...made("misspelt", () => {
      const [long = "", other = ""] = fromOneRecord(random, bands, [isLong(bands), isMiddling(bands)]);
      return [swapped(long, random.integer(2, long.length - 3)), other];
    }),
    ...made(
      "filtered",
      () => fromOneRecord(random, bands, [isMiddling(bands), isMiddling(bands)]),
      (place) => searchFilters[place % searchFilters.length] ?? "",
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

/** Different words, one for each condition, all from one record, which is drawn at random. */
function fromOneRecord(random: Random, { records }: WordBands, conditions: ((word: string) => boolean)[]): string[] {
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

/** The word with the letter at `place` and the next one swapped; the next pair when they are the same. */
function swapped(word: string, place: number): string {
  for (let at = place; at < word.length - 1; at++) {
    if (word[at] !== word[at + 1]) return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  }
  return word;
}
