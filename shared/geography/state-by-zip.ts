import { countForeignWordsAtEnd } from "./countries.ts";
import type { ParsedPhrase } from "./parse-phrase.ts";
import type { StateCode } from "./states.ts";
import { baseWords, numberLabels, streetSuffixes } from "./words.ts";
import { stateOfZip } from "./zip-codes.ts";

/**
 * Returns the state of an address that names none, by its ZIP code: "Kansas City 64106". Five digits may be anything, and
 * other countries have postal codes of five digits too, so something else in the text must show that the address is in
 * the United States.
 */
export function inferStateFromZip(phrases: readonly ParsedPhrase[]): StateCode | undefined {
  if (phrases.some(({ head, state }) => state === undefined && countForeignWordsAtEnd(head) > 0)) return undefined;
  const states = phrases.flatMap((phrase, index) => {
    const { zip, state, head } = phrase;
    if (zip === undefined) return [];
    const before = head.length > 0 || state !== undefined ? head : (phrases[index - 1]?.head ?? []);
    if (numberLabels.has(before.at(-1) ?? "")) return [];
    // A refused state may contradict the ZIP code.
    if (state !== undefined || (phrases[index - 1]?.state !== undefined && head.length === 0))
      return resolveConflict(phrases, index, zip);
    const isZipCode = /^\d{5}-\d{4}$/.test(zip) || phrases.some(isInUnitedStates);
    const found = isZipCode ? stateOfZip(zip) : undefined;
    return found === undefined ? [] : [found];
  });
  return new Set(states).size === 1 ? states[0] : undefined;
}

/** Beside a refused state, only a ZIP code of DC counts: behind "NE", a direction, or "Washington", the city. */
function resolveConflict(phrases: readonly ParsedPhrase[], index: number, zip: string): StateCode[] {
  const state = phrases[index]?.state ?? phrases[index - 1]?.state;
  const found = stateOfZip(zip);
  const isPartOfDistrict = state?.code === "NE" || state?.written.toLowerCase() === "washington";
  return isPartOfDistrict && found === "DC" ? [found] : [];
}

/** Whether the phrase shows that the address is in the United States. */
function isInUnitedStates({ head, isUnitedStates }: ParsedPhrase): boolean {
  const isStreet = /^\d+[a-z]?$/.test(head[0] ?? "") && head.slice(1).some((word) => streetSuffixes.has(word));
  const isNamedAfterState = /\b(kansas|oklahoma|iowa|virginia|michigan|texas|jersey|carson|salt lake) (city|beach)\b/;
  return (
    isUnitedStates || isStreet || head.some((word) => baseWords.has(word)) || isNamedAfterState.test(head.join(" "))
  );
}
