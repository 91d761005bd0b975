import { isForeign, isForeignCity } from "./countries.ts";
import type { ParsedPhrase } from "./parse-phrase.ts";
import {
  findZipBehind,
  hasState,
  hasStreetSuffix,
  isBeforeCountry,
  isStreet,
  type PhraseContext,
  type StatePhrase,
} from "./phrase-context.ts";
import { hasTown } from "./state-names.ts";
import type { StateCode } from "./states.ts";
import {
  businessWords,
  codesThatAreWords,
  directions,
  idLabels,
  nameStarts,
  numberLabels,
  partNouns,
} from "./words.ts";
import { stateOfZip } from "./zip-codes.ts";

/** Refusal of a name or code that means a country. */
export const meansCountry = "is of a country abroad";

/** Returns why the state at the end of a phrase does not count; undefined where it counts. */
export function refuseState(phrase: StatePhrase, context: PhraseContext): string | undefined {
  const { state, head } = phrase;
  const { isGeorgia, previous, next, phrases } = context;
  if (state.code === "GA" && state.form === "name") {
    if (
      isGeorgia ||
      phrases.some((other) => isForeign(other.head) && !hasState(other) && !isTownBefore(other, context))
    )
      return meansCountry;
  }
  const zip = findZipBehind(phrase, next);
  const zipState = zip === undefined ? undefined : stateOfZip(zip);
  if (zipState !== undefined && zipState !== state.code) return `is not where ZIP code ${zip} is`;
  const hasOwnZip = zipState === state.code;
  if (isBeforeCountry(context)) return meansCountry;
  const city = head.length > 0 ? head : ((previous?.state === undefined ? previous?.head : undefined) ?? []);
  if (!hasOwnZip && state.form === "code" && isForeignCity(city, state.code)) return meansCountry;
  if (state.code === "CA" && state.form === "code" && isInOntario(context)) return meansCountry;
  if (state.form === "code") {
    const refusal = hasOwnZip ? undefined : refuseCode(phrase, context);
    if (refusal !== undefined) return refusal;
  }
  if (hasOwnZip) return undefined;
  return head.length > 0 ? refuseAfterHead(phrase, context) : refuseAlone(phrase, context);
}

/** Whether CA is Canada: "Toronto, Ontario, CA". In "1 Airport Way, Ontario, CA" and "Ontario, CA" it is California. */
function isInOntario({ previous, phrases, index }: PhraseContext): boolean {
  const city = phrases[index - 2];
  if (previous === undefined || city === undefined || !provinces.test(previous.head.join(" "))) return false;
  return city.zip === undefined && !isStreet(city.head);
}

const provinces =
  /^(on|ontario|qc|quebec|bc|british columbia|alberta|manitoba|saskatchewan|nova scotia|new brunswick|newfoundland)$/;

/** Whether the phrase is the town before the state: "Peru, Georgia". */
function isTownBefore(other: ParsedPhrase, { phrases, index }: PhraseContext): boolean {
  return other === phrases[index - 1] && phrases[index]?.before === "comma";
}

/** Codes that mean other things as often. They count beside one of these places, or with a ZIP code. */
const placesByCode: Readonly<Partial<Record<StateCode, RegExp>>> = {
  AA: /\b(apo|fpo|dpo)\b/,
  AE: /\b(apo|fpo|dpo)\b/,
  AP: /\b(apo|fpo|dpo)\b/,
  AS: /\b(pago pago|tutuila|samoa)\b/,
  FM: /\b(pohnpei|kolonia|chuuk|yap|kosrae|palikir)\b/,
  MH: /\b(majuro|kwajalein|ebeye|roi-namur)\b/,
  MP: /\b(saipan|tinian|rota)\b/,
  PW: /\b(koror|palau|ngerulmud|melekeok)\b/,
};

/** Returns why two letters are not a state's code: "119 D St NE", "ACME SUPPLY CO", "Dept of VA". */
function refuseCode({ state, head, before, isState }: StatePhrase, context: PhraseContext) {
  const { phrases, isWhole, previous } = context;
  const isOnly = isWhole && phrases.every((phrase) => phrase.head.length === 0);
  if (isOnly || isState) return undefined;
  const isUpper = /^(US-)?[A-Z]{2}$/.test(state.written);
  const isLast = context.next === undefined;
  const isBehindCity = head.length === 0 && before === "comma" && previous?.state === undefined;
  // "columbus, oh" and "Norfolk, Va", but not "come in".
  if (!isUpper && !(isLast && isBehindCity)) return "is a word, not a code";
  const places = placesByCode[state.code];
  if (places !== undefined && !phrases.some((phrase) => places.test(phrase.head.join(" ")))) return "is no place here";
  const last = head.at(-1) ?? "";
  if (last === "of" || last === "the" || last === "dept" || last === "department") return "is an abbreviation";
  if (state.code === "CO" && (businessWords.has(last) || last === "&")) return "is a company";
  if (state.code === "VI" && numberLabels.has(last)) return "is a number";
  if (state.code === "ID" && idLabels.has(last)) return "is an identifier";
  return undefined;
}

/** Returns why a state behind other words does not count: "Fort Washington", "Bank of Ohio", "ACME CO, Dallas, TX". */
function refuseAfterHead(phrase: StatePhrase, context: PhraseContext): string | undefined {
  const { state, head } = phrase;
  const { next, phrases, index } = context;
  const last = head.at(-1) ?? "";
  if (hasState(next) && next.head.length === 0 && next.before !== "and" && next.before !== "line") {
    const isCity = head.length === 1 && head[0] === "washington" && state.code === "DC";
    if (next.state.code !== state.code && !isCity) return "is part of a town's name";
  }
  if (state.form === "abbreviation" && next !== undefined && next.before === "comma") return "is an abbreviation";
  if (state.form !== "code") {
    if (nameStarts.has(last) || /^\p{L}$/u.test(last)) return "is part of a name";
    if (last === "of" || last === "the") {
      const noun = (last === "the" ? head.slice(0, -2) : head.slice(0, -1)).at(-1) ?? "";
      if ((last === "of" || head.at(-2) === "of") && !partNouns.has(noun)) return "is part of a name";
    }
    if (isStreet(head) && !hasStreetSuffix(head) && (head.length === 1 || directions.has(last))) return "is a street";
    if (isStreet(head) && head.length <= 2 && !hasStreetSuffix(head)) return "is a street";
    if (state.written.toLowerCase() === "washington" && !phrase.isState && !washingtonCities.test(head.join(" ")))
      return "may be the city";
    if (state.written.toLowerCase() === "new york" && last === "west") return "is part of a town's name";
  }
  if (isAddressEnd(context)) return undefined;
  // "Denver CO, Austin TX": every phrase is a place.
  const isList = phrases.every((other) => hasState(other) && other.head.length > 0);
  if (isList) return undefined;
  const isCapital = state.code === "DC" && head.length === 1 && head[0] === "washington";
  if (isCapital && !phrases.slice(index + 1).some((other) => other.head.length > 0 && hasState(other)))
    return undefined;
  return "is not at the end of an address";
}

/** Whether the phrase is the end of an address. */
function isAddressEnd({ next, phrases, index }: PhraseContext): boolean {
  if (next === undefined || ["line", "break", "and", "slash", "word", "dash"].includes(next.before)) return true;
  return phrases.slice(index + 1).every((other) => other.head.length === 0 && other.state === undefined);
}

/** Cities and regions of Washington that addresses name without a comma or a ZIP code. */
const washingtonCities =
  /\b(seattle|tacoma|spokane|olympia|bellevue|everett|bremerton|richland|kent|yakima|pasco|kennewick|redmond|bangor|keyport|silverdale|lewis-mcchord|lewis mcchord|fort lewis|ft lewis|oak harbor|whidbey island|fairchild afb|port angeles|bellingham|wenatchee|walla walla|pullman|renton|auburn|puyallup|longview|anacortes|port hadlock|indian island|hanford|moses lake|ellensburg|northern|southern|eastern|western|central)$/;

/** Returns why a state that is a phrase of its own does not count: "Virginia, MN", "Washington and Lee". */
function refuseAlone(phrase: StatePhrase, context: PhraseContext): string | undefined {
  const { state, before, functionWord } = phrase;
  const { previous, next, phrases, isWhole, isAfterState } = context;
  const others = phrases.filter((other) => other !== phrase);
  if (others.length === 0) {
    return functionWord === "" || state.form === "name" || isWhole ? undefined : refuseAfterWord(phrase);
  }
  if (isTown(phrase, context)) return "is a town's name";
  if (isWhole && phrases.every((other) => other.head.length === 0)) return undefined;
  const isWashington = state.written.toLowerCase() === "washington" && !phrase.isState;
  if (before === "word") {
    if (phrase.isState) return undefined;
    if (isWashington) return "may be the city";
    return state.form === "code" ? refuseAfterWord(phrase) : undefined;
  }
  if (before === "and" || before === "slash") {
    return isAfterState || (state.form === "name" && !isWashington) ? undefined : "stands behind no state";
  }
  if (previous === undefined || before === "start" || before === "break") return refuseFirst(phrase, context);
  if (before === "line" && next !== undefined && next.before === "comma" && !hasState(next) && next.head.length > 0)
    return refuseFirst(phrase, context);
  if (isWashington && previous.state === undefined && isStreet(previous.head)) return "may be the city";
  // A code between other phrases counts: "Mayor, VA, Denver".
  return undefined;
}

/** Returns why a code behind a function word does not count. It counts behind "in" and the like. */
function refuseAfterWord({ functionWord, state }: StatePhrase): string | undefined {
  const isPlace = ["in", "within", "throughout", "across", "from"].includes(functionWord);
  return isPlace && /^[A-Z]{2}$/.test(state.written) ? undefined : "is no place here";
}

/** Whether a state's name is the name of a town in the next state; "LA" before California is Los Angeles. */
function isTown({ state }: StatePhrase, { next, phrases, previous, index }: PhraseContext): boolean {
  if (state.written === "LA" && hasState(next) && next.state.code === "CA")
    return previous === undefined || !hasState(previous);
  if (state.form !== "name" || !hasState(next) || next.head.length > 0 || next.state.code === state.code) return false;
  if (next.before !== "comma" && next.before !== "line") return false;
  const count = phrases.filter((other) => hasState(other) && other.head.length === 0).length;
  const isBehindAddress = phrases.slice(0, index).some(({ head }) => isStreet(head) && hasStreetSuffix(head));
  if (next.state.form === "name") return count === 2 && (hasTown(state.code, next.state.code) || isBehindAddress);
  if (state.code === "WA" && next.state.code === "DC") return true;
  return count === 2 || (hasTown(state.code, next.state.code) && phrases.some((other) => other.head.length > 0));
}

/** Codes that, at the start of a text, abbreviate other things: Veterans Affairs, Public Works. */
const otherMeanings = new Set([
  "VA",
  "AS",
  "PW",
  "MP",
  "FM",
  "MH",
  "AA",
  "AP",
  "AE",
  "PR",
  "ID",
  "CT",
  "CO",
  "ME",
  "MS",
]);

/** Returns why a state before other words does not count: "VA, Denver", "Washington, Office of the Secretary". */
function refuseFirst({ state, isState }: StatePhrase, { next, phrases, index }: PhraseContext): string | undefined {
  if (next === undefined) return undefined;
  if (hasState(next) && next.head.length === 0) return undefined;
  const later = phrases.slice(index + 1).some(hasState);
  if (later && next.before !== "slash") return "begins an address";
  if (next.head.length === 0) return undefined;
  if (isState) return undefined;
  if (state.form === "name") {
    if (state.written.toLowerCase() === "washington") return "may be the city";
    return next.before === "and" ? "is part of a name" : undefined;
  }
  if (state.form === "abbreviation") return "is an abbreviation";
  const isHeading =
    next.before === "dash" || next.before === "line" || next.before === "word" || next.before === "slash";
  if (!isHeading || otherMeanings.has(state.code) || codesThatAreWords.has(state.written))
    return "may be an abbreviation";
  return undefined;
}
