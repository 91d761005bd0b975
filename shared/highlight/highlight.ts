import type { Highlight, Highlights } from "../responses/highlights.ts";
import type { Passage } from "../responses/passages.ts";
import { stem } from "./stem.ts";

/** What to mark in the results of a search, as `funding.marks` says it. */
export interface Marks {
  /** Weights by stem, of words that are marked wherever they are. */
  words: Record<string, number>;
  /** Phrases of stems, of words that are marked where they follow each other: each stem with how many words it is after the one before. */
  phrases: { stem: string; gap: number }[][];
  /** By id of a result that has none of the words, its own stems that are nearest to what was understood. */
  near: Record<string, string[]>;
  /** By id of a result whose nearest vector is that of a passage: from where to before where it is in the record's text, in characters. */
  passages: Record<string, [number, number]>;
  /** By id of a result that was found as an identifier, its identifiers of that form. */
  identifiers: Record<string, string[]>;
  /** Whether the passages of documents alone are to be marked: highlights were not asked for. */
  passages_only?: boolean;
}

/** Longest passage, in UTF-16 code units. */
const maxPassage = 240;

/** A place to be marked, in the whole text. */
interface Place {
  start: number;
  end: number;
  /** What was found there: places of the same count once. */
  name: string;
  weight: number;
}

/** Finds what to mark in a text. */
type Finder = (text: string) => Place[];

type Fields = Readonly<Record<string, unknown>> & { id: string; passages?: readonly Omit<Passage, "ranges">[] };

/** Makes what marks the passages of documents in the records of a page. */
export function createPassageMarker(marks: readonly Marks[]): <Item extends Fields>(record: Item) => Item {
  const find = createFinder(Object.assign({}, ...marks.map((one) => one.words)), marks[0]?.phrases ?? []);
  return (record) => withRanges(record, find);
}

/** Makes what adds `highlights` to the records of a page. */
export function createHighlighter(marks: readonly Marks[]): <Item extends Fields>(record: Item) => Item & Highlighted {
  const words: Record<string, number> = Object.assign({}, ...marks.map((one) => one.words));
  const near: Marks["near"] = Object.assign({}, ...marks.map((one) => one.near));
  const nearest: Marks["passages"] = Object.assign({}, ...marks.map((one) => one.passages));
  const identifiers: Marks["identifiers"] = Object.assign({}, ...marks.map((one) => one.identifiers));
  const phrases = marks[0]?.phrases ?? [];
  const usual = createFinder(words, phrases);
  return (record) => {
    const known = identifiers[record.id] ?? [];
    const mark = (findWords: Finder) =>
      passagesOf(record, (text) => [...findIdentifiers(text, known), ...findWords(text)], nearest[record.id]);
    const own = near[record.id];
    let highlights = mark(usual);
    if (own !== undefined && isUnmarked(highlights)) {
      highlights = mark(createFinder(Object.fromEntries(own.map((name, rank) => [name, 1 / (rank + 1)])), []));
    }
    const [identifier] = known;
    if (identifier !== undefined) highlights.identifier = whole(identifier);
    return { ...record, highlights };
  };
}

interface Highlighted {
  highlights: Highlights;
}

/** The record with what to mark in its passages, if it has any. */
function withRanges<Item extends Fields>(record: Item, find: Finder): Item {
  if (record.passages === undefined) return record;
  const passages = record.passages.map((one) => ({
    ...one,
    ranges: merged(find(one.text)).map(({ start, end }) => ({ start, end })),
  }));
  return { ...record, passages };
}

/** The best passage of each text of a record, with what is found in it marked. @param nearest where that of its longer text is looked for. */
function passagesOf(record: Fields, find: Finder, nearest: [number, number] | undefined): Highlights {
  const highlights: Highlights = {};
  for (const [field, isAlways] of fields) {
    const text = record[field];
    if (typeof text !== "string" || text === "") continue;
    const found = passageOf(text, find(text), isAlways && nearest !== undefined ? codeUnits(text, nearest) : undefined);
    if (isAlways || found.ranges.length > 0) highlights[field] = found;
  }
  return highlights;
}

function isUnmarked(highlights: Highlights): boolean {
  return Object.values(highlights).every((one) => one === undefined || one.ranges.length === 0);
}

/** Texts of records in which words are marked, and whether they have a passage without marks as well. */
const fields = [
  ["title", false],
  ["name", false],
  ["description", true],
  ["summary", true],
] as const;

function whole(text: string): Highlight {
  return { text, offset: 0, ranges: [{ start: 0, end: text.length }] };
}

/** Letters of Europe's languages without their accents, each in one code unit as before. */
function unaccented(text: string): string {
  return text.replaceAll(/[\u00c0-\u024f]/g, (letter) => {
    const [base = letter] = letter.normalize("NFD");
    return base;
  });
}

/** Makes what finds the words of the stems, and the phrases, in a text. */
function createFinder(words: Readonly<Record<string, number>>, phrases: Marks["phrases"]): Finder {
  const stems = [...new Set([...Object.keys(words), ...phrases.flat().map(({ stem }) => stem)])];
  if (stems.length === 0) return () => [];
  const wanted = new Set(stems);
  const acronyms = stems.filter((one) => one.startsWith(acronymMark)).map((one) => one.slice(acronymMark.length));
  // A word begins as its stem does, but for the stem's last letter. A name of few letters may have dots between them.
  const beginnings = [...new Set(stems.map((one) => escaped(one.slice(0, Math.max(2, one.length - 1)))))];
  const initials = [...stems, ...acronyms]
    .filter((one) => /^[a-z]{2,4}$/.test(one))
    .map((one) => `${[...one].join("\\.")}\\.?(?![a-z0-9])`);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${[
      ...initials,
      ...acronyms.map((one) => `${one}(?!\\.?[\\p{L}\\p{N}])`),
      `(?:${beginnings.join("|")})[\\p{L}\\p{N}]*`,
    ].join("|")})`,
    "giu",
  );
  const known = new Map<string, string>();
  const stemOf = (word: string) => {
    const spelling = spelled(word);
    const stemmed = known.get(spelling) ?? stem(spelling);
    known.set(spelling, stemmed);
    return stemmed;
  };
  return (text) => {
    const folded = unaccented(text);
    const places: Place[] = [];
    for (const { 0: word, index } of folded.matchAll(pattern)) {
      const acronym = acronymMark + spelled(word);
      const name = wanted.has(acronym) && isAcronym(word, folded, index) ? acronym : stemOf(word);
      if (wanted.has(name)) places.push({ start: index, end: index + word.length, name, weight: words[name] ?? 0 });
    }
    if (phrases.length === 0) return places;
    const inPhrases = new Set(phrases.flatMap((phrase) => findPhrase(folded, places, phrase)));
    return places.flatMap((place) => {
      const bonus = inPhrases.has(place) ? 2 : 0;
      return Object.hasOwn(words, place.name) || bonus > 0 ? [{ ...place, weight: place.weight + bonus }] : [];
    });
  };
}

/** A word without capitals, and without the dots of initials. */
function spelled(word: string): string {
  return word.toLowerCase().replaceAll(".", "");
}

/** Marks acronyms and letters that would be stop words (`funding.with_acronyms`). */
const acronymMark = "acronym0";

/** Whether a word may be an acronym: in capitals and, where it is a single letter, after a word with a capital ("Title I"). */
function isAcronym(word: string, text: string, start: number): boolean {
  if (word !== word.toUpperCase()) return false;
  return word.length > 1 || /\p{Lu}\p{L}+[\s-]+$/u.test(text.slice(Math.max(0, start - 20), start));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Places of the words of a phrase, wherever all of them follow each other. */
function findPhrase(text: string, places: readonly Place[], phrase: Marks["phrases"][number]): Place[] {
  return places.flatMap((_, first) => {
    const found = phrase.map((_, index) => places[first + index]);
    const isPhrase = phrase.every(({ stem, gap }, index) => {
      const place = found[index];
      const before = found[index - 1];
      if (place?.name !== stem) return false;
      return before === undefined || countWords(text.slice(before.end, place.start)) === gap - 1;
    });
    return isPhrase ? found.flatMap((place) => place ?? []) : [];
  });
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** Places where a text has one of the identifiers, however it is punctuated there. */
function findIdentifiers(text: string, identifiers: readonly string[]): Place[] {
  return identifiers.flatMap((identifier) => {
    const letters = [...identifier.matchAll(/[\p{L}\p{N}]/gu)].map(([letter]) => letter);
    if (letters.length === 0) return [];
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${letters.join("[\\s\\-./_]{0,2}")}(?![\\p{L}\\p{N}])`, "giu");
    return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
      start: index,
      end: index + word.length,
      name: identifier,
      weight: 10,
    }));
  });
}

/** A part of a text, in UTF-16 code units. */
interface Span {
  start: number;
  end: number;
}

/** A part of a text that is given in characters. */
function codeUnits(text: string, [start, end]: [number, number]): Span {
  if (!/[\ud800-\udbff]/.test(text)) return { start, end };
  const characters = [...text];
  const before = characters.slice(0, start).join("").length;
  return { start: before, end: before + characters.slice(start, end).join("").length };
}

/**
 * The passage of a text with the most of what was found: the weights of its different words, and a little for each repetition.
 *
 * @param within where it is looked for first. Where nothing was found in the whole text, it is the beginning of that.
 */
function passageOf(text: string, found: readonly Place[], within: Span = { start: 0, end: text.length }): Highlight {
  const places = merged(found);
  const inside = bestSpan(places.filter(({ start, end }) => start >= within.start && end <= within.end));
  const best = inside ?? bestSpan(places);
  const first = inside === best ? within.start : 0;
  const [from, to] = text.length <= maxPassage ? [0, text.length] : cut(text, best, first);
  return {
    text: text.slice(from, to),
    offset: from,
    ranges: places
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => ({ start: start - from, end: end - from })),
  };
}

/** The places in their order, those that overlap as one. */
function merged(places: readonly Place[]): Place[] {
  const sorted = places.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const apart: Place[] = [];
  for (const place of sorted) {
    const last = apart.at(-1);
    if (last === undefined || place.start >= last.end) apart.push(place);
    else if (place.end > last.end) apart[apart.length - 1] = { ...last, end: place.end };
  }
  return apart;
}

/** From the first to the last place of the best passage; undefined where nothing was found. */
function bestSpan(places: readonly Place[]): Span | undefined {
  let best: (Span & { worth: number }) | undefined;
  for (const [index, { start }] of places.entries()) {
    const seen = new Set<string>();
    let worth = 0;
    for (const { end, name, weight } of places.slice(index)) {
      if (end - start > maxPassage) break;
      worth += seen.has(name) ? weight * 0.1 : weight;
      seen.add(name);
      if (best === undefined || worth > best.worth) best = { start, end, worth };
    }
  }
  return best;
}

/**
 * Bounds of a passage around a span: from the beginning of its sentence where that is near, else with as much before it as behind; of whole words.
 *
 * @param first it begins here at the earliest, and where there is no span.
 */
function cut(text: string, span: Span | undefined, first: number): [number, number] {
  const { start, end } = span ?? { start: first, end: first };
  const slack = Math.max(0, maxPassage - (end - start));
  const earliest = Math.max(first, start - slack);
  const before = text.slice(earliest, start);
  const sentences = [...before.matchAll(/[.!?]\s+|\n\s*/g)].map((end) => earliest + end.index + end[0].length);
  const middle = start - Math.floor(slack / 2);
  const space = /\s+/.exec(text.slice(Math.max(0, middle), start));
  const from =
    middle <= first ? first : (sentences.at(-1) ?? (space === null ? middle : middle + space.index + space[0].length));
  let to = Math.min(text.length, from + maxPassage);
  if (to < text.length) {
    const space = /\s\S*$/.exec(text.slice(end, to + 1));
    if (space !== null) to = end + space.index;
  }
  return [isWithinPair(text, from) ? from + 1 : from, isWithinPair(text, to) ? to - 1 : to];
}

/** Whether a text would be cut between the two code units of a character. */
function isWithinPair(text: string, index: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(index - 1)) && /[\udc00-\udfff]/.test(text.charAt(index));
}
