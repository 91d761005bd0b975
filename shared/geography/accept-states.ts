import type { ParsedPhrase } from "./parse-phrase.ts";
import { hasState, hasStreetSuffix, isStreet, type PhraseContext, type StatePhrase } from "./phrase-context.ts";
import { meansCountry, refuseState } from "./refuse-state.ts";
import type { StateCode } from "./states.ts";
import { quadrants, streetSuffixes } from "./words.ts";
import { stateOfZip } from "./zip-codes.ts";

/**
 * Returns the states that count among the phrases of one place, or of several that commas divide, and the reason.
 *
 * @param options.isWhole whether the text has no other place.
 * @param options.isGeorgia whether the text names a city of the country Georgia.
 */
export function acceptStates(
  given: readonly ParsedPhrase[],
  { isWhole, isGeorgia }: { isWhole: boolean; isGeorgia: boolean },
): { states: StateCode[]; isAbroad: boolean; reason: string } {
  const phrases = given
    .filter((phrase) => phrase.head.length > 0 || phrase.state || phrase.zip)
    .map((phrase, index, all) => restoreStreetWord(phrase, all[index - 1]));
  const accepted: { phrase: StatePhrase; code: StateCode }[] = [];
  const refused: string[] = [];
  let isAbroad = false;
  phrases.forEach((phrase, index) => {
    if (!hasState(phrase)) return;
    const previous = phrases[index - 1];
    const isAfterState = previous !== undefined && accepted.at(-1)?.phrase === previous;
    const context = { phrases, index, previous, next: phrases[index + 1], isWhole, isGeorgia, isAfterState };
    const district = findDistrict(phrase, context);
    const refusal = district === undefined ? refuseState(phrase, context) : undefined;
    if (refusal === undefined) accepted.push({ phrase, code: district ?? phrase.state.code });
    else {
      refused.push(`${phrase.state.written} ${refusal}`);
      isAbroad ||= refusal === meansCountry;
    }
  });
  const kept = withoutLoneWashington(accepted);
  const names = kept.map(({ phrase }) => phrase.state.written);
  return {
    states: [...new Set(kept.map(({ code }) => code))],
    isAbroad,
    reason: names.length > 0 ? `names ${names.join(", ")}` : refused.join("; "),
  };
}

/** Turns "NE" behind a street into a direction rather than Nebraska, and "CT" into a court rather than Connecticut. */
function restoreStreetWord(phrase: ParsedPhrase, previous: ParsedPhrase | undefined): ParsedPhrase {
  const { state, head, zip } = phrase;
  const code = state?.written.toUpperCase();
  if (zip !== undefined && stateOfZip(zip) === code) return phrase;
  const before = head.length > 0 ? head : (previous?.head ?? []);
  const isDirection = code === "NE" && isBehindStreet(before);
  // "12 Oak Ct", but "12 Oak St Hartford CT".
  const isCourt = code === "CT" && isStreet(head) && !hasStreetSuffix(head);
  return isDirection || isCourt ? { ...phrase, state: undefined, head: [...head, code.toLowerCase()] } : phrase;
}

/** Whether the words end with a street: "119 D St", "400 Virginia Ave", "1234 Juan Tabo". */
function isBehindStreet(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  if (streetSuffixes.has(last) && words.length > 1) return true;
  if (/^\d+(st|nd|rd|th)$/.test(last)) return true;
  return isStreet(words) && !hasStreetSuffix(words);
}

/** Returns DC where "Washington" follows one of the city's quadrants or precedes one of its ZIP codes. */
function findDistrict({ state, head, zip }: StatePhrase, { previous, next }: PhraseContext): StateCode | undefined {
  if (state.written.toLowerCase() !== "washington" || (next?.state !== undefined && next.head.length === 0))
    return undefined;
  const attached =
    zip ?? (next !== undefined && next.head.length === 0 && next.state === undefined ? next.zip : undefined);
  if (attached !== undefined) return stateOfZip(attached) === "DC" ? "DC" : undefined;
  const before = head.length > 0 ? head : (previous?.head ?? []);
  if (!/^\d/.test((head.length > 1 ? head : (previous?.head ?? [])).at(0) ?? "")) return undefined;
  return quadrants.has(before.at(-1) ?? "") ? "DC" : undefined;
}

/** Drops "Washington" beside a few eastern states, such as Maryland and Virginia: there it is the city. */
function withoutLoneWashington<Found extends { phrase: StatePhrase; code: StateCode }>(accepted: Found[]): Found[] {
  const others = new Set(accepted.map(({ code }) => code).filter((code) => code !== "WA"));
  if (others.size === 0 || [...others].some((code) => western.has(code))) return accepted;
  if (others.size >= 4) return accepted;
  return accepted.filter(
    ({ phrase, code }) => code !== "WA" || phrase.state.form === "code" || phrase.isState || phrase.zip,
  );
}

const western: ReadonlySet<StateCode> = new Set([
  "AK",
  "AZ",
  "CA",
  "CO",
  "HI",
  "ID",
  "MT",
  "NM",
  "NV",
  "OR",
  "UT",
  "WY",
]);
