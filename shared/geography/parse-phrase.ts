import { foreignWordsAtEnd } from "./countries.ts";
import { isZip, type Phrase, type Separator } from "./phrases.ts";
import { type StateAtEnd, stateAtEnd } from "./state-names.ts";
import { parts, scopes } from "./words.ts";

/** A phrase by its parts: "Omaha NE 68102 USA" is a head, a state, a ZIP code and the country. */
export interface ParsedPhrase {
  before: Separator;
  link: string;
  /** The words before the state, or all of them, in lower case. */
  head: string[];
  state: (StateAtEnd & { written: string }) | undefined;
  /** The ZIP code behind the state, or at the end. */
  zip: string | undefined;
  /** Whether it ends with the country's name. */
  isUnitedStates: boolean;
  /** Whether it says that the state is meant: "State of Washington", "Washington state". */
  isState: boolean;
}

/** Takes a phrase apart from its end. */
export function parsePhrase({ before, link, words: written }: Phrase): ParsedPhrase {
  const words = written.map((word) => word.toLowerCase());
  const isUnitedStates = takeCountry(words);
  let zip = takeZip(words);
  const scopeWords = takeScopes(words);
  zip ??= takeZip(words);
  const state = stateAtEnd(words);
  // "British Virgin Islands" and "Republic of Georgia" are countries.
  if (state === undefined || foreignWordsAtEnd(words) > state.count) {
    // "the northern area" is no less a place for its last word.
    return { before, link, head: [...words, ...scopeWords], state: undefined, zip, isUnitedStates, isState: false };
  }
  const start = words.length - state.count;
  const head = words.slice(0, start);
  // "22060 Virginia": the ZIP code stands before the state.
  if (zip === undefined && head.length > 1 && isZip(head.at(-1) ?? "")) head.pop();
  const { rest, isState } = withoutLead(head);
  return {
    before,
    link,
    head: rest,
    state: { ...state, written: written.slice(start, words.length).join(" ") },
    zip,
    isUnitedStates,
    isState: isState || scopeWords.includes("state"),
  };
}

/** Removes the country from the end of the words, and says whether it was there. */
function takeCountry(words: string[]): boolean {
  for (const name of ["united states of america", "united states", "u s a", "u s", "usa", "us"]) {
    const count = name.split(" ").length;
    if (words.slice(-count).join(" ") !== name) continue;
    // "Embassy of the United States" is not in it.
    if (["of", "the"].includes(words.at(-count - 1) ?? "") && words.length > count + 1) return false;
    words.length -= count;
    if (words.at(-1) === "the") words.pop();
    return true;
  }
  return false;
}

function takeZip(words: string[]): string | undefined {
  const last = words.at(-1) ?? "";
  if (isZip(last)) return words.pop();
  // Spreadsheets drop a leading zero: "Boston MA 2110".
  const state = stateAtEnd(words.slice(0, -1));
  const lostZero = ["CT", "MA", "ME", "NH", "NJ", "PR", "RI", "VI", "VT"].includes(state?.code ?? "");
  return lostZero && /^\d{4}$/.test(last) ? `0${words.pop()}` : undefined;
}

function takeScopes(words: string[]): string[] {
  const taken: string[] = [];
  while (words.length > 1 && scopes.has(words.at(-1) ?? "")) taken.unshift(words.pop() ?? "");
  // What is no state is not touched: "Penn State", "Bay Area".
  if (taken.length === 0 || stateAtEnd(words)?.form === undefined) words.push(...taken.splice(0));
  return taken;
}

/** The words before a state without those that only say how much of it is meant. */
function withoutLead(head: string[]): { rest: string[]; isState: boolean } {
  const isState = /(?:^| )(?:state|commonwealth|territory) of(?: the)?$/.test(head.join(" "));
  const isLead = head.every((word) => parts.has(word) || ["the", "a", "of", "in", "statewide"].includes(word));
  return { rest: isState || (isLead && !/^(?:west|north|south|east)$/.test(head.join(" "))) ? [] : head, isState };
}
