import { countForeignWordsAtEnd } from "./countries.ts";
import { isZip, type Phrase, type Separator } from "./phrases.ts";
import { findStateAtEnd, type StateAtEnd } from "./state-names.ts";
import { areaWords, stateParts } from "./words.ts";

/** Parts of a phrase: "Omaha NE 68102 USA" has a head, a state, a ZIP code and the country. */
export interface ParsedPhrase {
  before: Separator;
  functionWord: string;
  /** Words before the state, or all words where there is none, in lower case. */
  head: string[];
  /** `written` is the state's text as it was written. */
  state: (StateAtEnd & { written: string }) | undefined;
  /** ZIP code behind the state, or at the end. */
  zip: string | undefined;
  /** Whether it ends with the name of the United States. */
  isUnitedStates: boolean;
  /** Whether it calls the state a state: "State of Washington", "Washington state". */
  isState: boolean;
}

/** Parses a phrase from its end. */
export function parsePhrase({ before, functionWord, words: written }: Phrase): ParsedPhrase {
  const words = written.map((word) => word.toLowerCase());
  const isUnitedStates = takeCountry(words);
  let zip = takeZip(words);
  const takenAreaWords = takeAreaWords(words);
  zip ??= takeZip(words);
  const state = findStateAtEnd(words);
  // "British Virgin Islands" and "Republic of Georgia" are countries.
  if (state === undefined || countForeignWordsAtEnd(words) > state.count) {
    // The last word of "the northern area" belongs to its name.
    const head = [...words, ...takenAreaWords];
    return { before, functionWord, head, state: undefined, zip, isUnitedStates, isState: false };
  }
  const start = words.length - state.count;
  const head = words.slice(0, start);
  // "22060 Virginia": the ZIP code stands before the state.
  if (zip === undefined && head.length > 1 && isZip(head.at(-1) ?? "")) head.pop();
  const { rest, isState } = stripLead(head);
  return {
    before,
    functionWord,
    head: rest,
    state: { ...state, written: written.slice(start, words.length).join(" ") },
    zip,
    isUnitedStates,
    isState: isState || takenAreaWords.includes("state"),
  };
}

/** Removes the country's name from the end of the words. Returns whether it was there. */
function takeCountry(words: string[]): boolean {
  for (const name of ["united states of america", "united states", "u s a", "u s", "usa", "us"]) {
    const count = name.split(" ").length;
    if (words.slice(-count).join(" ") !== name) continue;
    // "Embassy of the United States" does not say that it is there.
    if (["of", "the"].includes(words.at(-count - 1) ?? "") && words.length > count + 1) return false;
    words.length -= count;
    if (words.at(-1) === "the") words.pop();
    return true;
  }
  return false;
}

/** Removes and returns a ZIP code at the end of the words. */
function takeZip(words: string[]): string | undefined {
  const last = words.at(-1) ?? "";
  if (isZip(last)) return words.pop();
  // Spreadsheets drop a leading zero: "Boston MA 2110".
  const state = findStateAtEnd(words.slice(0, -1));
  const lostZero = ["CT", "MA", "ME", "NH", "NJ", "PR", "RI", "VI", "VT"].includes(state?.code ?? "");
  return lostZero && /^\d{4}$/.test(last) ? `0${words.pop()}` : undefined;
}

/** Removes and returns the words behind a state that leave it the state: "statewide", "metropolitan area". */
function takeAreaWords(words: string[]): string[] {
  const taken: string[] = [];
  while (words.length > 1 && areaWords.has(words.at(-1) ?? "")) taken.unshift(words.pop() ?? "");
  // "Penn State" and "Bay Area" stay whole: no state is left without the last word.
  if (taken.length === 0 || findStateAtEnd(words)?.form === undefined) words.push(...taken.splice(0));
  return taken;
}

/** Drops the words before a state that only say how much of it is meant: "State of", "all of northern". */
function stripLead(head: string[]): { rest: string[]; isState: boolean } {
  const isState = /(?:^| )(?:state|commonwealth|territory) of(?: the)?$/.test(head.join(" "));
  const isLead = head.every((word) => stateParts.has(word) || ["the", "a", "of", "in", "statewide"].includes(word));
  return { rest: isState || (isLead && !/^(?:west|north|south|east)$/.test(head.join(" "))) ? [] : head, isState };
}
