import { foreignWordsAtEnd, isForeign } from "./countries.ts";
import type { ParsedPhrase } from "./parse-phrase.ts";
import { isZip } from "./phrases.ts";
import { streetSuffixes } from "./words.ts";

/** A phrase that ends with a state. */
export type StatePhrase = ParsedPhrase & { state: NonNullable<ParsedPhrase["state"]> };

/** What a phrase stands among. */
export interface Surroundings {
  phrases: readonly ParsedPhrase[];
  index: number;
  previous: ParsedPhrase | undefined;
  next: ParsedPhrase | undefined;
  /** Whether the place is all that the text has. */
  isWhole: boolean;
  isGeorgia: boolean;
  /** Whether the previous phrase is a state that counts. */
  isAfterState: boolean;
}

/** Whether a phrase ends with a state. */
export function hasState(phrase: ParsedPhrase | undefined): phrase is StatePhrase {
  return phrase?.state !== undefined;
}

/** The ZIP code behind a state, in its phrase or as the next. */
export function zipBehind(phrase: StatePhrase, next: ParsedPhrase | undefined): string | undefined {
  if (phrase.zip !== undefined) return phrase.zip;
  const isBare = next !== undefined && next.head.length === 0 && next.state === undefined;
  return isBare && next.before !== "and" ? next.zip : undefined;
}

/** Whether the words are a street's number and name: "1200 Pennsylvania Ave". */
export function isStreet(head: readonly string[]): boolean {
  return /^\d/.test(head[0] ?? "") && !isZip(head[0] ?? "");
}

export function hasStreetSuffix(head: readonly string[]): boolean {
  return head.slice(1).some((word) => streetSuffixes.has(word));
}

/** Whether the next phrase is a country abroad, and no town of a state. */
export function isBeforeCountry({ next, phrases, index }: Surroundings): boolean {
  if (next === undefined || next.state !== undefined || next.before === "and") return false;
  const after = phrases[index + 2];
  if (hasState(after) && after.head.length === 0) return false;
  return isForeign(next.head) || (next.head.length <= 3 && foreignWordsAtEnd(next.head) > 0);
}
