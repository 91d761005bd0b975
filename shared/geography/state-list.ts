import { foreignWordsAtEnd } from "./countries.ts";
import type { PlaceReading } from "./read-place.ts";
import { stateAtEnd } from "./state-names.ts";
import { isStateCode, type StateCode } from "./states.ts";

/** Names of the whole nation. */
const nation =
  /^(?:national|nation-?wide|conus|u\.?s\.?(?:a\.?)?|(?:the )?united states(?: of america)?|all (?:50 )?states)$/i;

/** Whether the text is two-letter codes of states and nothing else. "LA, CA" is Los Angeles. */
export function isListOfCodes(text: string): boolean {
  const words = text.trim().split(/[\s,;|/&]+/);
  const areCodes =
    words.length > 1 && words.every((word) => /^[a-z]{2}$/i.test(word) && isStateCode(word.toUpperCase()));
  return areCodes && !/^LA,\s*CA$/i.test(text.trim()) && (words.length > 2 || /[,;|/&]|^[A-Z\s]+$/.test(text.trim()));
}

/**
 * Reads text that is nothing but states' codes or names, divided by commas, semicolons, bars, slashes or "and", in any
 * case; anything else is unknown. An address is no such text: see `readPlace`.
 */
export function readStateList(text: string): PlaceReading {
  const whole = text.trim();
  if (nation.test(whole)) return { kind: "national", states: [], reason: "names the nation" };
  const states: StateCode[] = [];
  const divider = isListOfCodes(whole) ? /[\s,;|/&]+/ : /[,;|/&\n]|\band\b/i;
  for (const part of whole.split(divider).filter((part) => part.trim() !== "")) {
    const words = part
      .toLowerCase()
      .replaceAll(/[.]/g, "")
      .trim()
      .replace(/^(?:the )?(?:state|commonwealth|territory) of /, "")
      .split(/\s+/);
    if (foreignWordsAtEnd(words) === words.length) return { kind: "abroad", states: [], reason: "names a country" };
    const state = stateAtEnd(words);
    if (state === undefined || state.count !== words.length) {
      return { kind: "unknown", states: [], reason: `${part.trim()} is no state` };
    }
    states.push(state.code);
  }
  if (states.length === 0) return { kind: "unknown", states: [], reason: "names no state" };
  return { kind: "states", states: [...new Set(states)].sort(), reason: "is a list of states" };
}
