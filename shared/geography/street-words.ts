import type { ParsedPhrase } from "./parse-phrase.ts";
import { hasStreetSuffix, isStreet } from "./surroundings.ts";
import { streetSuffixes } from "./words.ts";
import { stateOfZip } from "./zip-codes.ts";

/** The phrase with "NE" as a direction rather than Nebraska, and "CT" as a court, where they stand behind a street. */
export function withoutStreetWord(phrase: ParsedPhrase, previous: ParsedPhrase | undefined): ParsedPhrase {
  const { state, head, zip } = phrase;
  const code = state?.written.toUpperCase();
  if (zip !== undefined && stateOfZip(zip) === code) return phrase;
  const before = head.length > 0 ? head : (previous?.head ?? []);
  const isDirection = code === "NE" && isBehindStreet(before);
  // "12 Oak Ct", but "12 Oak St Hartford CT".
  const isCourt = code === "CT" && isStreet(head) && !hasStreetSuffix(head);
  return isDirection || isCourt ? { ...phrase, state: undefined, head: [...head, code.toLowerCase()] } : phrase;
}

/** "119 D St", "400 Virginia Ave", "1234 Juan Tabo". */
function isBehindStreet(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  if (streetSuffixes.has(last) && words.length > 1) return true;
  if (/^\d+(st|nd|rd|th)$/.test(last)) return true;
  return isStreet(words) && !hasStreetSuffix(words);
}
