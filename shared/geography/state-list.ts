import { countForeignWordsAtEnd } from "./countries.ts";
import { isWholeNation } from "./nation.ts";
import { findStateAtEnd } from "./state-names.ts";
import { isStateCode, type StateCode } from "./states.ts";

/** Place that a text names. `reason` explains the result to people. */
export type PlaceReading =
  | { kind: "states"; states: StateCode[]; reason: string }
  | { kind: "national" | "abroad" | "unknown"; states: []; reason: string };

/** The nation's own name. */
const country = /^(?:u\.?s\.?(?:a\.?)?|(?:the )?united states(?: of america)?)$/i;

/**
 * The words of a list. Where all codes are capitals, "and" and "or" in lower case divide them: "OH, IN or KY". Elsewhere "or" may be
 * Oregon.
 */
function splitCodes(text: string): string[] {
  const words = text.trim().split(/[\s,;|/&]+/);
  const codes = words.filter((word) => word !== "and" && word !== "or");
  return codes.every((word) => /^[A-Z]{2}$/.test(word)) ? codes : words;
}

/** Whether the text is two-letter state codes and nothing else. "LA, CA" is Los Angeles, not a list. */
export function isListOfCodes(text: string): boolean {
  const words = splitCodes(text);
  const areCodes =
    words.length > 1 && words.every((word) => /^[a-z]{2}$/i.test(word) && isStateCode(word.toUpperCase()));
  return (
    areCodes &&
    !/^LA,\s*CA$/i.test(text.trim()) &&
    (words.length > 2 || /[,;|/&]| and | or |^[A-Z\s]+$/.test(text.trim()))
  );
}

/**
 * Reads a list of state codes or names, in any case, divided by commas, semicolons, bars, slashes or "and", and of codes in
 * capitals also by "or". "All 50 states" among them is the nation. Any other text is unknown; `readPlace` reads addresses.
 */
export function readStateList(text: string): PlaceReading {
  const whole = text.trim();
  if (country.test(whole)) return national;
  const states: StateCode[] = [];
  let isNational = false;
  const parts = isListOfCodes(whole) ? splitCodes(whole) : whole.split(/[,;|/&\n]|\band\b/i);
  for (const part of parts.filter((part) => part.trim() !== "")) {
    const words = part
      .toLowerCase()
      .replaceAll(/[.]/g, "")
      .trim()
      .replace(/^(?:the )?(?:state|commonwealth|territory) of /, "")
      .split(/\s+/);
    if (isWholeNation(words.join(" "))) {
      isNational = true;
      continue;
    }
    if (countForeignWordsAtEnd(words) === words.length)
      return { kind: "abroad", states: [], reason: "names a country" };
    const state = findStateAtEnd(words);
    if (state === undefined || state.count !== words.length) {
      return { kind: "unknown", states: [], reason: `${part.trim()} is no state` };
    }
    states.push(state.code);
  }
  if (isNational) return national;
  if (states.length === 0) return { kind: "unknown", states: [], reason: "names no state" };
  return { kind: "states", states: [...new Set(states)].sort(), reason: "is a list of states" };
}

const national: PlaceReading = { kind: "national", states: [], reason: "names the nation" };
