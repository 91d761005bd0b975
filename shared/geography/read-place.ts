import { foreignWordsAtEnd, hasCanadianPostalCode, isInGeorgia } from "./countries.ts";
import { judgeStates } from "./judge-states.ts";
import { type ParsedPhrase, parsePhrase } from "./parse-phrase.ts";
import { phrasesOf } from "./phrases.ts";
import { isListOfCodes, readStateList } from "./state-list.ts";
import type { StateCode } from "./states.ts";
import { stateOfUnnamed } from "./unnamed-state.ts";
import { noise } from "./words.ts";

/** Where a text says that something is; `reason` says why, for people. */
export type PlaceReading =
  | { kind: "states"; states: StateCode[]; reason: string }
  | { kind: "national" | "abroad" | "unknown"; states: []; reason: string };

/**
 * The states that an address, a list of places or a sentence names; or the nation, a place abroad, or unknown.
 *
 * It reads as people do: a state stands near the end of its address, before or behind the ZIP code. Streets, rivers,
 * directions, office symbols and towns that are called like states are none. When in doubt there is no state.
 *
 * @param text lines are divided by `\n`, places by `;` or `|`.
 */
export function readPlace(text: string): PlaceReading {
  // "oh, in" and "OH IN KY": of codes alone, any case is one.
  if (isListOfCodes(text)) return readStateList(text);
  const phrases = phrasesOf(text).map(parsePhrase);
  if (phrases.length === 0) return unknown("there is no place in it");
  const isGeorgia = isInGeorgia(text);
  const isCanada = hasCanadianPostalCode(text);
  const found = new Set<StateCode>();
  const reasons: string[] = [];
  let isElsewhere = isGeorgia || isCanada;
  for (const place of placesOf(phrases)) {
    const judged = judgeStates(place, { isWhole: place.length === phrases.length, isGeorgia });
    for (const state of judged.states) found.add(state);
    reasons.push(judged.reason);
    isElsewhere ||= judged.isAbroad;
  }
  if (isCanada) found.clear();
  if (found.size === 0 && !isElsewhere) {
    const state = stateOfUnnamed(phrases);
    if (state !== undefined) return { kind: "states", states: [state], reason: "by its ZIP code" };
  }
  const reason = reasons.filter((text) => text !== "").join("; ");
  if (found.size > 0) return { kind: "states", states: [...found].sort(), reason };
  if (isElsewhere || phrases.some(isAbroad)) return { kind: "abroad", states: [], reason: "names a country" };
  return isNational(phrases) ? { kind: "national", states: [], reason: "names the nation" } : unknown(reason);
}

function unknown(reason: string): PlaceReading {
  return { kind: "unknown", states: [], reason: reason === "" ? "names no state" : reason };
}

/** Places are divided by `;`, `|` and bullets. */
function placesOf(phrases: ParsedPhrase[]): ParsedPhrase[][] {
  const places: ParsedPhrase[][] = [];
  for (const phrase of phrases) {
    if (phrase.before === "break" || places.length === 0) places.push([]);
    places.at(-1)?.push(phrase);
  }
  return places;
}

function isAbroad({ head, state }: ParsedPhrase): boolean {
  return state === undefined && foreignWordsAtEnd(head) > 0;
}

const nationalWords = new Set([
  "national",
  "nationwide",
  "nation-wide",
  "nation wide",
  "conus",
  "us",
  "usa",
  "united states",
  "united states of america",
  "all states",
  "all 50 states",
  "50 states",
  "all fifty states",
  "continental us",
  "continental united states",
  "contiguous united states",
]);

/** Whether nothing but the nation is named: "Various locations, nationwide". */
function isNational(phrases: ParsedPhrase[]): boolean {
  const rest = phrases
    .map(({ head, isUnitedStates }) => ({
      text: head.join(" ").replace(/^(?:all of |throughout )?the /, ""),
      isUnitedStates: isUnitedStates && head.length === 0,
      isNoise: head.every((word) => noise.has(word)),
    }))
    .filter(({ text, isUnitedStates, isNoise }) => isUnitedStates || nationalWords.has(text) || !isNoise);
  return rest.length > 0 && rest.every(({ text, isUnitedStates }) => isUnitedStates || nationalWords.has(text));
}
