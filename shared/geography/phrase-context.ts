import { countForeignWordsAtEnd, isForeign } from "./countries.ts";
import type { ParsedPhrase } from "./parse-phrase.ts";
import { isZip } from "./phrases.ts";
import { streetSuffixes } from "./words.ts";

/** A phrase that ends with a state. */
export type StatePhrase = ParsedPhrase & { state: NonNullable<ParsedPhrase["state"]> };

/** A phrase's neighbours, and facts about the whole text. */
export interface PhraseContext {
  phrases: readonly ParsedPhrase[];
  index: number;
  previous: ParsedPhrase | undefined;
  next: ParsedPhrase | undefined;
  /** Whether `phrases` are all of the text. */
  isWhole: boolean;
  /** Whether the text names a city of the country Georgia. */
  isGeorgia: boolean;
  /** Whether the previous phrase ends with a state that was accepted. */
  isAfterState: boolean;
}

/** Whether a phrase ends with a state. */
export function hasState(phrase: ParsedPhrase | undefined): phrase is StatePhrase {
  return phrase?.state !== undefined;
}

/** Returns the ZIP code behind a state, in its phrase or as the next phrase. */
export function findZipBehind(phrase: StatePhrase, next: ParsedPhrase | undefined): string | undefined {
  if (phrase.zip !== undefined) return phrase.zip;
  const isBare = next !== undefined && next.head.length === 0 && next.state === undefined;
  return isBare && next.before !== "and" ? next.zip : undefined;
}

/** Whether the words begin with a house number: "1200 Pennsylvania Ave". */
export function isStreet(head: readonly string[]): boolean {
  return /^\d/.test(head[0] ?? "") && !isZip(head[0] ?? "");
}

export function hasStreetSuffix(head: readonly string[]): boolean {
  return head.slice(1).some((word) => streetSuffixes.has(word));
}

/** Whether the next phrase is a country, and not a town of that name in a state. */
export function isBeforeCountry({ next, phrases, index }: PhraseContext): boolean {
  if (next === undefined || next.state !== undefined || next.before === "and") return false;
  const after = phrases[index + 2];
  if (hasState(after) && after.head.length === 0) return false;
  return isForeign(next.head) || (next.head.length <= 3 && countForeignWordsAtEnd(next.head) > 0);
}
