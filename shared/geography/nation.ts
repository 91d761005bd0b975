import type { ParsedPhrase } from "./parse-phrase.ts";
import type { StateCode } from "./states.ts";
import { noiseWords } from "./words.ts";

/** Names of the whole nation. Its own is left out, since it may be the country of an address. */
const wholeNation = new RegExp(
  [
    "^(?:national|nation[ -]?wide|conus|lower 48",
    "(?:all(?: of)?(?: the)?(?: 50| fifty)?|50|fifty) (?:us |united states )?states(?: of the (?:usa?|united states(?: of america)?|union))?",
    "(?:continental|contiguous|con?terminous|lower 48) (?:us|states)",
    "all of the (?:usa?|united states(?: of america)?))$",
  ].join("|"),
);

/** Whether the text is a name of the whole nation other than its own: "all 50 states". */
export function isWholeNation(text: string): boolean {
  const words = text.toLowerCase().replaceAll(".", "").trim();
  return wholeNation.test(words) || wholeNation.test(words.replace(/^(?:all of |throughout )?the /, ""));
}

/** Words for the territories together, beside the names of some. */
const territories =
  /^(?:the )?(?:us |united states |its |all |other )*(?:territor(?:y|ies)|possessions|insular areas|freely associated states)$/;

/** States, districts and territories outside the fifty states. */
const outsideFifty: ReadonlySet<StateCode> = new Set(["AS", "DC", "FM", "GU", "MH", "MP", "PR", "PW", "VI"]);

/** Whether the phrases name the nation and nothing else: "Various locations, nationwide". */
export function isNational(phrases: readonly ParsedPhrase[]): boolean {
  const rest = phrases.filter((phrase) => isNation(phrase) || !isNoise(phrase));
  return rest.length > 0 && rest.every(isNation);
}

/**
 * Whether a text that names states names the nation with them: "All 50 states and Puerto Rico", "Nationwide; Norfolk, VA". Beside an
 * address, such words only say in which part of the world it is: "CONUS: San Diego, CA".
 */
export function isNationWithStates(text: string, places: readonly (readonly ParsedPhrase[])[]): boolean {
  if (places.some((place) => isNational(place) && place.some(isAllStates))) return true;
  const phrases = places.flat();
  const isList = phrases.every((phrase, index) => {
    const { state, head, zip, before } = phrase;
    if (state !== undefined) return head.length === 0 && zip === undefined && before !== "dash";
    return isNation(phrase) || isNoise(phrase) || territories.test(nameOf(phrase)) || !isTown(phrases, index);
  });
  return isList && (phrases.some(isAllStates) || isCountryWithStates(text, phrases));
}

/** Whether the next phrase is the state of this one's town: "Arlington, Virginia". */
function isTown(phrases: readonly ParsedPhrase[], index: number): boolean {
  const next = phrases[index + 1];
  return next?.state !== undefined && next.head.length === 0 && next.before !== "and" && next.before !== "break";
}

/** "U.S. and Puerto Rico", "United States, including Alaska", "US, Puerto Rico and Guam". In "US, Ohio" it is the country of a state. */
function isCountryWithStates(text: string, phrases: readonly ParsedPhrase[]): boolean {
  const [country, next, ...more] = phrases;
  if (country === undefined || next === undefined || !isCountry(country)) return false;
  if (next.before === "and" || /\bincluding\b/i.test(text)) return true;
  const states = phrases.flatMap(({ state }) => (state === undefined ? [] : [state.code]));
  return next.before === "comma" && more.length > 0 && states.every((state) => outsideFifty.has(state));
}

function isNation(phrase: ParsedPhrase): boolean {
  return isCountry(phrase) || isAllStates(phrase);
}

function isAllStates(phrase: ParsedPhrase): boolean {
  return isWholeNation(nameOf(phrase));
}

/** Whether the phrase is the country's own name. */
function isCountry({ head, state, isUnitedStates }: ParsedPhrase): boolean {
  return isUnitedStates && head.length === 0 && state === undefined;
}

function isNoise({ head }: ParsedPhrase): boolean {
  return head.every((word) => noiseWords.has(word));
}

function nameOf({ head, state, isUnitedStates }: ParsedPhrase): string {
  if (state !== undefined) return "";
  return [...head, ...(isUnitedStates ? ["us"] : [])].join(" ");
}
