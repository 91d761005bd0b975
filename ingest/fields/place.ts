import { isStateCode, type StateCode, stateNames, statesNamedIn } from "../../shared/geography/states.ts";
import { listOf } from "./list.ts";

/** Where an opportunity is for. */
export interface Place {
  states: StateCode[];
  is_national: boolean;
  geography: string | null;
}

const everyState = /^(national|nation-?wide|u\.?s\.?(a\.?)?|(the )?united states( of america)?|all (50 )?states)$/i;

/**
 * The place that a row's states, geography and national flag describe, each from the others where
 * it is absent. States may be codes or names; text that names no state becomes the geography.
 *
 * @param states lists or texts, for example `["OH", "Indiana"]` or "Ohio; Indiana".
 */
export function placeOf(states: readonly unknown[], geography: string | null, isNational: boolean | null): Place {
  const names = listOf(states);
  const texts = names.length > 0 || geography === null ? names : [geography];
  const found = [...new Set(texts.flatMap(statesIn))].sort();
  const is_national = isNational ?? (found.length === 0 && texts.some((text) => everyState.test(text)));
  const codes = is_national ? [] : found;
  return {
    states: codes,
    is_national,
    geography: geography ?? described(codes, is_national) ?? (names.join("; ") || null),
  };
}

function statesIn(text: string): StateCode[] {
  const codes = text.toUpperCase().split(/[\s,]+/);
  // "oh, pa" is two codes; of anything longer, only codes in upper case count.
  return codes.every(isStateCode) ? codes.filter(isStateCode) : statesNamedIn(text);
}

function described(states: StateCode[], isNational: boolean): string | undefined {
  if (isNational) return "National";
  return states.length > 0 ? states.map((code) => stateNames[code]).join("; ") : undefined;
}
