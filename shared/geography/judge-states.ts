import type { ParsedPhrase } from "./parse-phrase.ts";
import { ofCountry, refusalOf } from "./refuse-state.ts";
import type { StateCode } from "./states.ts";
import { withoutStreetWord } from "./street-words.ts";
import { hasState, type StatePhrase, type Surroundings } from "./surroundings.ts";
import { quadrants } from "./words.ts";
import { stateOfZip } from "./zip-codes.ts";

/** The states of one place, or of several that commas divide, and why. */
export function judgeStates(
  given: readonly ParsedPhrase[],
  { isWhole, isGeorgia }: { isWhole: boolean; isGeorgia: boolean },
): { states: StateCode[]; isAbroad: boolean; reason: string } {
  const phrases = given
    .filter((phrase) => phrase.head.length > 0 || phrase.state || phrase.zip)
    .map((phrase, index, all) => withoutStreetWord(phrase, all[index - 1]));
  const accepted: { phrase: StatePhrase; code: StateCode }[] = [];
  const refused: string[] = [];
  let isAbroad = false;
  phrases.forEach((phrase, index) => {
    if (!hasState(phrase)) return;
    const previous = phrases[index - 1];
    const isAfterState = previous !== undefined && accepted.at(-1)?.phrase === previous;
    const around = { phrases, index, previous, next: phrases[index + 1], isWhole, isGeorgia, isAfterState };
    const district = districtOf(phrase, around);
    const refusal = district === undefined ? refusalOf(phrase, around) : undefined;
    if (refusal === undefined) accepted.push({ phrase, code: district ?? phrase.state.code });
    else {
      refused.push(`${phrase.state.written} ${refusal}`);
      isAbroad ||= refusal === ofCountry;
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

/** The District, where "Washington" stands behind one of its quarters or before one of its ZIP codes. */
function districtOf({ state, head, zip }: StatePhrase, { previous, next }: Surroundings): StateCode | undefined {
  if (state.written.toLowerCase() !== "washington" || (next?.state !== undefined && next.head.length === 0))
    return undefined;
  const attached =
    zip ?? (next !== undefined && next.head.length === 0 && next.state === undefined ? next.zip : undefined);
  if (attached !== undefined) return stateOfZip(attached) === "DC" ? "DC" : undefined;
  const before = head.length > 0 ? head : (previous?.head ?? []);
  if (!/^\d/.test((head.length > 1 ? head : (previous?.head ?? [])).at(0) ?? "")) return undefined;
  return quadrants.has(before.at(-1) ?? "") ? "DC" : undefined;
}

/** Among Maryland and Virginia, "Washington" is the city. */
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
