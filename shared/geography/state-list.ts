import { countForeignWordsAtEnd } from "./countries.ts";
import { findStateAtEnd } from "./state-names.ts";
import { isStateCode, type StateCode } from "./states.ts";

/** Place that a text names. `reason` explains the result to people. */
export type PlaceReading =
  | { kind: "states"; states: StateCode[]; reason: string }
  | { kind: "national" | "abroad" | "unknown"; states: []; reason: string };

/** Names of the whole nation. */
const nation =
  /^(?:national|nation-?wide|conus|u\.?s\.?(?:a\.?)?|(?:the )?united states(?: of america)?|all (?:50 )?states)$/i;

/** Whether the text is two-letter state codes and nothing else. "LA, CA" is Los Angeles, not a list. */
export function isListOfCodes(text: string): boolean {
  const words = text.trim().split(/[\s,;|/&]+/);
  const areCodes =
    words.length > 1 && words.every((word) => /^[a-z]{2}$/i.test(word) && isStateCode(word.toUpperCase()));
  return areCodes && !/^LA,\s*CA$/i.test(text.trim()) && (words.length > 2 || /[,;|/&]|^[A-Z\s]+$/.test(text.trim()));
}

/**
 * Reads a list of state codes or names, in any case, divided by commas, semicolons, bars, slashes or "and". Any other text
 * is unknown; `readPlace` reads addresses.
 */
export function readStateList(text: string): PlaceReading {
  const whole = text.trim();
  if (nation.test(whole)) return { kind: "national", states: [], reason: "names the nation" };
  const states: StateCode[] = [];
  const separator = isListOfCodes(whole) ? /[\s,;|/&]+/ : /[,;|/&\n]|\band\b/i;
  for (const part of whole.split(separator).filter((part) => part.trim() !== "")) {
    const words = part
      .toLowerCase()
      .replaceAll(/[.]/g, "")
      .trim()
      .replace(/^(?:the )?(?:state|commonwealth|territory) of /, "")
      .split(/\s+/);
    if (countForeignWordsAtEnd(words) === words.length)
      return { kind: "abroad", states: [], reason: "names a country" };
    const state = findStateAtEnd(words);
    if (state === undefined || state.count !== words.length) {
      return { kind: "unknown", states: [], reason: `${part.trim()} is no state` };
    }
    states.push(state.code);
  }
  if (states.length === 0) return { kind: "unknown", states: [], reason: "names no state" };
  return { kind: "states", states: [...new Set(states)].sort(), reason: "is a list of states" };
}
