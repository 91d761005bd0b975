import { acceptStates } from "./accept-states.ts";
import { countForeignWordsAtEnd, hasCanadianPostalCode, isInGeorgia } from "./countries.ts";
import { hasExceptedState } from "./exceptions.ts";
import { isNational, isNationWithStates } from "./nation.ts";
import { type ParsedPhrase, parsePhrase } from "./parse-phrase.ts";
import { splitPhrases } from "./phrases.ts";
import { inferStateFromZip } from "./state-by-zip.ts";
import { isListOfCodes, type PlaceReading, readStateList } from "./state-list.ts";
import type { StateCode } from "./states.ts";

/**
 * Finds the states that an address, a list of places or a sentence names; or the nation, a place abroad, or unknown.
 *
 * A state stands near the end of its address, before or behind the ZIP code. Streets, rivers, directions, office symbols
 * and towns named like a state are not states. The nation beside a list of states is the nation. When in doubt, no state is
 * found; nor is one where the text leaves one out.
 *
 * The steps: `splitPhrases` divides the text at its punctuation, `parsePhrase` finds a state at the end of each phrase,
 * `acceptStates` decides by the neighbouring phrases whether it counts. Where none counts, `inferStateFromZip` looks for
 * a ZIP code.
 *
 * @param text `\n` divides lines; `;` and `|` divide places.
 */
export function readPlace(text: string): PlaceReading {
  // In a list of codes alone, lower case is a code too: "oh, in". Elsewhere "in" is a word.
  if (isListOfCodes(text)) return readStateList(text);
  const phrases = splitPhrases(text).map(parsePhrase);
  const places = groupByPlace(phrases);
  if (phrases.length === 0) return unknown("there is no place in it");
  if (hasExceptedState(text)) return unknown("leaves out a state");
  const isGeorgia = isInGeorgia(text);
  const isCanada = hasCanadianPostalCode(text);
  const found = new Set<StateCode>();
  const reasons: string[] = [];
  let isElsewhere = isGeorgia || isCanada;
  for (const place of places) {
    const accepted = acceptStates(place, { isWhole: place.length === phrases.length, isGeorgia });
    for (const state of accepted.states) found.add(state);
    reasons.push(accepted.reason);
    isElsewhere ||= accepted.isAbroad;
  }
  if (isCanada) found.clear();
  if (found.size === 0 && !isElsewhere) {
    const state = inferStateFromZip(phrases);
    if (state !== undefined) return { kind: "states", states: [state], reason: "by its ZIP code" };
  }
  const reason = reasons.filter((text) => text !== "").join("; ");
  if (found.size > 0 && isNationWithStates(text, places)) return national;
  if (found.size > 0) return { kind: "states", states: [...found].sort(), reason };
  if (isElsewhere || phrases.some(isAbroad)) return { kind: "abroad", states: [], reason: "names a country" };
  return isNational(phrases) ? national : unknown(reason);
}

const national: PlaceReading = { kind: "national", states: [], reason: "names the nation" };

function unknown(reason: string): PlaceReading {
  return { kind: "unknown", states: [], reason: reason === "" ? "names no state" : reason };
}

/** Groups phrases into places, which `;`, `|` and bullets divide. */
function groupByPlace(phrases: ParsedPhrase[]): ParsedPhrase[][] {
  const places: ParsedPhrase[][] = [];
  for (const phrase of phrases) {
    if (phrase.before === "break" || places.length === 0) places.push([]);
    places.at(-1)?.push(phrase);
  }
  return places;
}

function isAbroad({ head, state }: ParsedPhrase): boolean {
  return state === undefined && countForeignWordsAtEnd(head) > 0;
}
