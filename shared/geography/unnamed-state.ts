import { foreignWordsAtEnd } from "./countries.ts";
import type { ParsedPhrase } from "./parse-phrase.ts";
import type { StateCode } from "./states.ts";
import { baseWords, numberLabels, streetSuffixes } from "./words.ts";
import { stateOfZip } from "./zip-codes.ts";

/**
 * The state of an address that names none, by its ZIP code: "Kansas City 64106". Five digits may be anything, and other
 * countries have postal codes of five digits too, so something else has to say that it is an address of ours.
 */
export function stateOfUnnamed(phrases: readonly ParsedPhrase[]): StateCode | undefined {
  if (phrases.some(({ head, state }) => state === undefined && foreignWordsAtEnd(head) > 0)) return undefined;
  const states = phrases.flatMap((phrase, index) => {
    const { zip, state, head } = phrase;
    if (zip === undefined) return [];
    const before = head.length > 0 || state !== undefined ? head : (phrases[index - 1]?.head ?? []);
    if (numberLabels.has(before.at(-1) ?? "")) return [];
    // A state that did not count may contradict it, as may one that the ZIP code contradicts.
    if (state !== undefined || (phrases[index - 1]?.state !== undefined && head.length === 0))
      return conflict(phrases, index, zip);
    const isOurs = /^\d{5}-\d{4}$/.test(zip) || phrases.some(isOfUnitedStates);
    const found = isOurs ? stateOfZip(zip) : undefined;
    return found === undefined ? [] : [found];
  });
  return new Set(states).size === 1 ? states[0] : undefined;
}

/** A direction, a small word or a city's name before the ZIP code says nothing of the state. */
function conflict(phrases: readonly ParsedPhrase[], index: number, zip: string): StateCode[] {
  const state = phrases[index]?.state ?? phrases[index - 1]?.state;
  const found = stateOfZip(zip);
  const saysNothing = state?.code === "NE" || state?.written.toLowerCase() === "washington";
  return saysNothing && found === "DC" ? [found] : [];
}

function isOfUnitedStates({ head, isUnitedStates }: ParsedPhrase): boolean {
  const isStreet = /^\d+[a-z]?$/.test(head[0] ?? "") && head.slice(1).some((word) => streetSuffixes.has(word));
  const isNamedAfterState = /\b(kansas|oklahoma|iowa|virginia|michigan|texas|jersey|carson|salt lake) (city|beach)\b/;
  return (
    isUnitedStates || isStreet || head.some((word) => baseWords.has(word)) || isNamedAfterState.test(head.join(" "))
  );
}
