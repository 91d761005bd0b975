import { applicantTypes, fundingInstruments } from "../../shared/catalogue/details.ts";
import { findStateAtEnd } from "../../shared/geography/state-names.ts";
import { isStateCode } from "../../shared/geography/states.ts";
import type { OpportunityDetails } from "../../shared/responses/details.ts";
import { quoteValue, ValueError } from "../errors.ts";
import { betweenAddresses, parseUrl } from "./address.ts";
import { parseAmount } from "./amount.ts";
import { ColumnDate, parseDayOrNull, parseDeadlineText, parseMoment } from "./date.ts";
import { decodeEntities } from "./html.ts";
import { parseList, toItems } from "./list.ts";
import { addressOfLink, isBlank, type Parse, parseFirst, parseTitle, toLine } from "./value.ts";

/** Parsers of the fields that `expand=details` shows. */

type ApplicantType = OpportunityDetails["applicant_types"][number];

/** Applicant types by Grants.gov's codes. */
const applicantCodes: Readonly<Record<string, ApplicantType>> = {
  "00": "government_state",
  "01": "government_county",
  "02": "government_municipal",
  "04": "government_special_district",
  "05": "school_district_independent",
  "06": "higher_education_public",
  "07": "government_tribal",
  // Housing authorities, for which CommonGrants has no value.
  "08": "custom",
  "11": "organization_tribal_other",
  "12": "non_profit_with_501c3",
  "13": "nonprofit_without_501c3",
  "20": "higher_education_private",
  "21": "individual",
  "22": "for_profit_not_small_business",
  "23": "for_profit_small_business",
  "25": "custom",
  "99": "unrestricted",
};

/** Grants.gov's codes by the names that Simpler.Grants.gov gives them. */
const simplerNames: Readonly<Record<string, string>> = {
  state_governments: "00",
  county_governments: "01",
  city_or_township_governments: "02",
  special_district_governments: "04",
  independent_school_districts: "05",
  public_and_state_institutions_of_higher_education: "06",
  federally_recognized_native_american_tribal_governments: "07",
  public_and_indian_housing_authorities: "08",
  other_native_american_tribal_organizations: "11",
  nonprofits_non_higher_education_with_501c3: "12",
  nonprofits_non_higher_education_without_501c3: "13",
  private_institutions_of_higher_education: "20",
  individuals: "21",
  for_profit_organizations_other_than_small_businesses: "22",
  small_businesses: "23",
  other: "25",
  unrestricted: "99",
};

/** Longest text of which words are looked for: those of forms are short, and a stranger's file may hold a page. */
const longestValue = 1_000;

const nonprofit = /\b(?:non|not)[\s-]?(?:for[\s-]?)?profits?\b/gi;

/** Words of publishers for applicant types. A value may name several types. */
const applicantWords: readonly [RegExp, readonly ApplicantType[]][] = [
  [
    /\bunrestricted\b|\bany ?one\b|general public|^(?:open to )?(?:all|any)$|\b(?:all|any) (?:types? of )?(?:entit(?:y|ies)|applicants?)\b/i,
    ["unrestricted"],
  ],
  [/\b(?:tribal|tribe|native american|indian) (?:\w+ )?organi[sz]ation/i, ["organization_tribal_other"]],
  [/\btrib(?:e|es|al)\b|\bnative american\b|\bindian (?:tribe|nation|government)/i, ["government_tribal"]],
  [/special district/i, ["government_special_district"]],
  [/\bschools?\b|\bLEAs?\b|local education(?:al)? agenc/i, ["school_district_independent"]],
  [/\bprivate(?:ly)?\b[\w ,-]{0,60}(?:higher education|college|universit)/i, ["higher_education_private"]],
  [/\bpublic\b[\w ,-]{0,60}(?:higher education|college|universit)|state[- ]controlled/i, ["higher_education_public"]],
  [/small business/i, ["for_profit_small_business"]],
  [/\bcount(?:y|ies)\b|\bparish(?:es)?\b/i, ["government_county"]],
  [/\bmunicipal|\bcit(?:y|ies)\b|\btown(?:ship)?s?\b|\bboroughs?\b|\bvillages?\b/i, ["government_municipal"]],
  [/(?<!\bunited )\bstates?\b(?![ -](?:controlled|designated|universit))/i, ["government_state"]],
  [/\bindividuals?\b|\bpersons?\b|\bpeople\b/i, ["individual"]],
];

/** Types that general words stand for where no other word is more specific. */
const generalWords: readonly [RegExp, readonly ApplicantType[], unless: readonly ApplicantType[]][] = [
  [
    /higher education|\bcolleges?\b|\buniversit/i,
    ["higher_education_public", "higher_education_private"],
    ["higher_education_public", "higher_education_private"],
  ],
  [
    /\bfor[ -]?profit|^profit\b|\bbusiness(?:es)?\b|(?<!\bfire )\bcompan(?:y|ies)\b/i,
    ["for_profit_small_business", "for_profit_not_small_business"],
    ["for_profit_small_business", "for_profit_not_small_business"],
  ],
  [
    /\bpublic agenc|\blocal\b/i,
    ["government_county", "government_municipal", "government_special_district"],
    ["government_county", "government_municipal", "government_special_district", "school_district_independent"],
  ],
];

/**
 * Reads applicant types, as CommonGrants' values in their own order, from those values, Grants.gov's codes, Simpler.Grants.gov's names
 * and texts of several publishers ("Nonprofit; Public Agency"). Any other value is `custom`. Who is not eligible is left out.
 *
 * @throws {ValueError} when the values only say who is not eligible.
 */
export function parseApplicantTypes(values: readonly unknown[]): ApplicantType[] {
  const items = parseList(values);
  const found = new Set(items.flatMap((text) => applicantTypesOf(text.slice(0, longestValue))));
  if (items.length > 0 && found.size === 0)
    throw new ValueError(`${quoteValue(items[0])} names nobody who is eligible`);
  return applicantTypes.filter((type) => found.has(type));
}

function applicantTypesOf(text: string): readonly ApplicantType[] {
  // Commas are within texts, and between codes: "00, 01".
  const codes = text.split(",").map((part) => applicantTypeOfCode(part.trim().toLowerCase()));
  return codes.every((type) => type !== undefined) ? codes : applicantTypesInWords(text);
}

/** Type that is written as a code: Grants.gov's, Simpler.Grants.gov's or CommonGrants'. */
function applicantTypeOfCode(value: string): ApplicantType | undefined {
  if (/^\d\d?$/.test(value)) return applicantCodes[value.padStart(2, "0")] ?? "custom";
  const code = Object.hasOwn(simplerNames, value) ? simplerNames[value] : undefined;
  return code === undefined ? applicantTypes.find((type) => type === value) : applicantCodes[code];
}

/** Words of a clause about who is not eligible. "Not for profit" and "not limited to" are none of them. */
const ineligible =
  /\b(?:not|\w+n['\u2019]t|cannot)(?: \w+){0,3}? (?:eligible|apply|qualify|allowed|permitted|accepted|considered|open|available)\b|(?<!\b(?:not|never)(?: \w+){0,3} )\b(?:ineligible|excluded)\b|\bno (?:individual|person|for[ -]profit|business)/i;

/** Words before those who are left out. */
const leftOut = /\b(?:except(?:ing| for)?|exclud(?:es|ing)|but not(?! limited)|not including)\b.*$/is;

/** The text without those who are not eligible. */
function eligiblePart(text: string): string {
  return text
    .replaceAll(nonprofit, "nonprofit")
    .replaceAll(/\([^()]*\)/g, (bracket) => (ineligible.test(bracket) || leftOut.test(bracket) ? " " : bracket))
    .replaceAll(/\b((?:is|are) eligible|(?:may|can) apply)(?:,| and|, and)\s/gi, "$1. ")
    .split(/(?<=\w{3})[.;](?=\s|$)|,? \b(?:but|however|although|while|whereas)\b(?! not\b)/)
    .filter((clause) => !ineligible.test(clause))
    .map((clause) => clause.replace(leftOut, " "))
    .join(". ");
}

function applicantTypesInWords(given: string): readonly ApplicantType[] {
  const text = eligiblePart(given);
  if (!/\p{L}/u.test(text) && text !== given) return [];
  const found = new Set<ApplicantType>();
  if (/\b501\s*\(?c\)?\s*\(?3\b/i.test(text)) {
    found.add(/\b(?:without|not (?:have|having))\b/i.test(text) ? "nonprofit_without_501c3" : "non_profit_with_501c3");
  } else if (text.search(nonprofit) >= 0) {
    found.add("non_profit_with_501c3").add("nonprofit_without_501c3");
  }
  // Other exceptions, and explanations in brackets, are no applicants.
  if (/other than small/i.test(text)) found.add("for_profit_not_small_business");
  const words = text
    .replaceAll(/\([^()]*\)?/g, " ")
    .replace(/\bother than\b.*$/is, " ")
    .replaceAll(nonprofit, " ")
    .trim();
  for (const [pattern, types] of applicantWords) {
    if (pattern.test(words)) for (const type of types) found.add(type);
  }
  if (found.has("organization_tribal_other")) found.delete("government_tribal");
  for (const [pattern, types, unless] of generalWords) {
    if (pattern.test(words) && !unless.some((type) => found.has(type))) for (const type of types) found.add(type);
  }
  if (found.size === 0) return [/\borgani[sz]ations?\b/i.test(words) ? "organization" : "custom"];
  return [...found];
}

/**
 * Reads assistance listings from "10.001", "10.001 Title", "10.001|Title", "CFDA 10.001" or several of them, without repetitions.
 * Spreadsheets drop zeros at the end and points: "10.5" is 10.500, "10001" is 10.001.
 *
 * @throws {ValueError} when there are values, and no number in them.
 */
export function parseAssistanceListings(values: readonly unknown[]): OpportunityDetails["assistance_listings"] {
  const items = values.flatMap(toItems);
  const titles = new Map<string, string | null>();
  for (const item of items) {
    for (const part of toLine(decodeEntities(toLine(item))).split(betweenListings)) {
      const text = part.slice(0, longestValue).replace(withoutPoint, "$1.$2");
      const { program, number = "", title = "" } = listing.exec(text)?.groups ?? {};
      if (program === undefined) continue;
      const written = `${program}.${/^\d+$/.test(number) ? number.padEnd(3, "0") : number.toUpperCase()}`;
      titles.set(written, withoutTrailingMarks(title) || (titles.get(written) ?? null));
    }
  }
  if (items.length > 0 && titles.size === 0) throw new ValueError(`${quoteValue(items[0])} is no assistance listing`);
  return [...titles].map(([number, title]) => ({ number, title }));
}

/** Start of a listing, with the words that may stand before its number. */
const listingPrefix = String.raw`(?:(?:CFDA|ALN)s?\b[ #:.]*(?:(?:no|nos|number|numbers)\b[ #:.]*)?)?`;
const withoutPoint = new RegExp(String.raw`^(\s*${listingPrefix}\d{2})(\d{3})\s*$`, "i");
const betweenListings = new RegExp(
  String.raw`(?:[;,|]\s*(?:and )?| and | & )(?=${listingPrefix}\d{2}(?:\.[0-9A-Z]|\d{3}(?: and | & |\s*[;,|]|\s*$)))`,
  "i",
);
const listing = new RegExp(
  String.raw`^\s*${listingPrefix}(?<program>\d{2})\.(?<number>\d{3}[A-Z]?|\d|[0-9A-Z]{2,3})(?![0-9A-Z])[\s|:–—-]*(?<title>.*)$`,
  "is",
);

function withoutTrailingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && /[;,|\s]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Funding instruments by Grants.gov's codes and by the words of publishers. */
const instrumentWords: readonly [RegExp, OpportunityDetails["funding_instrument"][number]][] = [
  [/^ca$|cooperative[ _]agreement/i, "cooperative_agreement"],
  [/^pc$|procurement[ _]contract/i, "procurement_contract"],
  [/^g$|\bgrants?\b/i, "grant"],
];

/** Reads forms of funding, in the order of the schema. An item may name several; an unknown one is `other`. */
export function parseFundingInstruments(values: readonly unknown[]): OpportunityDetails["funding_instrument"] {
  const items = parseList(values).flatMap((text) => text.split(",").map((part) => part.trim()));
  const found = new Set(items.filter((item) => !isBlank(item)).flatMap(instrumentsOf));
  return fundingInstruments.filter((instrument) => found.has(instrument));
}

function instrumentsOf(text: string): OpportunityDetails["funding_instrument"] {
  const named = instrumentWords.filter(([words]) => words.test(text)).map(([, instrument]) => instrument);
  return named.length === 0 ? ["other"] : named;
}

/** Up to four words between a negation and what it denies: "not, at this time, required". */
const fewWords = String.raw`,?\s+(?:[\w'-]+,?\s+){0,4}?`;
const need = String.raw`(?:required?|requires|requirements?|mandatory|needed|necessary)\b`;

/** Words that say that costs are not shared. */
const noSharing = new RegExp(
  [
    "^(?:none|no)$",
    String.raw`\b(?:not|\w+n't)(?! (?:only|just)\b)${fewWords}${need}`,
    String.raw`\bno(?!${fewWords}(?:waivers?|exceptions?|exemptions?)\b)${fewWords}${need}`,
    String.raw`\bno (?:(?:local|state|non-?federal|applicant|additional|formal|financial|cash|in-kind|institutional|funding)[ ,]+(?:or )?){0,3}(?:cost[\s-]*shar(?:e|es|ing)|match(?:es|ing)?)\b`,
    String.raw`\bnone (?:is |are )?${need}`,
    String.raw`\bneither\b[^.;]{1,80}\b${need}`,
  ].join("|"),
  "g",
);
const zeroPercent = new RegExp(String.raw`(?<![\d.])0+(?:\.0+)?\s*(?:%|percent\b)(?:${fewWords}required\b)?`, "g");
const percentage = /\d\s*(?:%|percent\b)/;
const negation = /\b(?:no|not|none|nothing|never|neither|without|\w+n't)\b/;

/** A label and the answer behind it: "Cost sharing required: no". */
const labelledAnswer =
  /^(?<label>[^:?=]*)(?:[:?=]|\s[-\u2013\u2014])\s*(?<answer>yes|y|true|no|n|none|false|not required|required|n\/?a|tbd|unknown|varies)\W?$/;

/**
 * Reads whether costs are shared: "Yes", "Not Required", "25%", "a match is required", "Required: No".
 *
 * @throws {ValueError} when a text says neither, or both: "no match for tribes, 20% for others".
 */
export function parseCostSharing(value: unknown): boolean {
  const text = toLine(value).slice(0, longestValue).toLowerCase().replaceAll("\u2019", "'");
  const { label = "", answer = text.replace(/[.\s]{1,3}$/, "") } = labelledAnswer.exec(text)?.groups ?? {};
  // "Not required: no" may mean either.
  const isShared = negation.test(label) ? undefined : findCostSharing(answer);
  if (isShared === undefined) throw new ValueError(`${quoteValue(value)} does not tell whether costs are shared`);
  return isShared;
}

function findCostSharing(text: string): boolean | undefined {
  // "No less than 20%" denies nothing.
  const words = text.replaceAll(/\bnot? (?:less|more|fewer|greater|later|lower) than\b/g, " ");
  // No text has control characters.
  const rest = words.replaceAll(noSharing, " \0 ").replaceAll(zeroPercent, " \x01 ");
  const hasNo = rest.includes("\0") || rest.includes("\x01");
  const sharing = rest.split(/[;.,](?=\s|$)|\b(?:but|however|otherwise|except|unless|while)\b/).filter(
    // A percentage beside a negation is denied with it: "not required to provide a 20% match".
    (clause) => /\b(?:required|mandatory)\b/.test(clause) || (percentage.test(clause) && !clause.includes("\0")),
  );
  if (hasNo) return sharing.length > 0 || /\b(?:except|unless|otherwise)\b/.test(rest) ? undefined : false;
  if (sharing.length > 0) return sharing.some((clause) => negation.test(clause)) ? undefined : true;
  return /^(?:true|yes|y|t|1)$/.test(text) ? true : /^(?:false|n|f|0)$/.test(text) ? false : undefined;
}

/** Reads a number of awards: "12", "12.0", "1,000". 0 is none. */
export function parseAwardCount(value: unknown): number | null {
  const text = toLine(value);
  const count = Number(text.replaceAll(",", ""));
  if (!Number.isSafeInteger(count) || count < 0) throw new ValueError(`${quoteValue(value)} is not a number of awards`);
  return count === 0 ? null : count;
}

/** Reads an amount that is expected in all. 0 is none. */
export function parseTotalFunding(value: unknown): number | null {
  const amount = parseAmount(value);
  if (amount !== null && amount < 0) throw new ValueError(`${quoteValue(value)} is negative`);
  return amount;
}

/** Reads a product or service code, also before its name ("R499 - SUPPORT- PROFESSIONAL: OTHER"). */
export function parsePsc(value: unknown): string {
  const code = /^([A-Z0-9]{1,4})(?![A-Z0-9])/.exec(toLine(value).toUpperCase())?.[1];
  if (code === undefined) throw new ValueError(`${quoteValue(value)} is not a product or service code`);
  return code;
}

/** Reads organizations from the widest to the narrowest, as text or as objects with a `name`, each once. */
export function parseAgencyPath(values: readonly unknown[]): string[] {
  const names = values
    .flatMap(toItems)
    .flatMap((value) => (isObject(value) ? [value.name] : [value]))
    .filter((name) => !isBlank(name) && !isObject(name))
    .map(parseTitle)
    .filter((name) => name !== "");
  // By a map: a record may have a hundred thousand of them.
  const firsts = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
  return names.filter((name) => firsts.get(name.toLowerCase()) === name && firsts.delete(name.toLowerCase()));
}

/** Reads a place from an object with `city`, `state`, `zip` and `country`, or from "Norfolk, VA 23511". */
export function parsePerformancePlace(value: unknown): OpportunityDetails["place_of_performance"] {
  const given = isObject(value) ? value : placeOfLine(value);
  const part = (name: string) => (isBlank(given[name]) ? null : toLine(given[name]));
  // Some files have a code in place of a city's name.
  const city = /^[\d-]+$/.test(part("city") ?? "") ? null : part("city");
  const place = { city, state: part("state"), zip: part("zip"), country: part("country") };
  return Object.values(place).every((known) => known === null) ? null : place;
}

/**
 * Reads a recipient from its name, or from an object with `name`, `uei`, `ein`, `city`, `state` and `country`. Spreadsheets drop an EIN's leading zeros; a
 * UEI or EIN of another form is left out.
 */
export function parseRecipient(value: unknown): OpportunityDetails["recipient"] {
  const given = isObject(value) ? value : { name: value };
  const part = (name: string) => (isBlank(given[name]) ? null : toLine(given[name]));
  const uei = part("uei")?.toUpperCase() ?? "";
  const ein = part("ein")?.replace(/^(\d{2})-(\d{7})$/, "$1$2") ?? "";
  const recipient = {
    name: part("name"),
    uei: /^[A-Z0-9]{12}$/.test(uei) ? uei : null,
    ein: /^\d{7,9}$/.test(ein) ? ein.padStart(9, "0") : null,
    city: part("city"),
    state: stateOf(part("state")),
    country: part("country"),
  };
  return recipient.name === null && recipient.uei === null && recipient.ein === null ? null : recipient;
}

/** A state by its USPS code, where its name is one that has a code; else as it is written. */
function stateOf(written: string | null): string | null {
  if (written === null) return null;
  const words = written.toLowerCase().split(" ");
  const found = findStateAtEnd(words);
  return found?.count === words.length ? found.code : written;
}

/** "Norfolk, VA 23511" in its parts, where the state is a code; else the whole as a city. */
function placeOfLine(value: unknown): Record<string, unknown> {
  const line = toLine(value).slice(0, longestValue);
  const {
    city,
    state = "",
    zip,
  } = /^(?<city>[^,]+), ?(?<state>[A-Z]{2})\b,?(?: (?<zip>\d{5}(?:-\d{4})?))?$/.exec(line)?.groups ?? {};
  return isStateCode(state) ? { city, state, zip } : { city: line };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/**
 * Parser of an object whose members have parsers of their own. A text is the first member that can take it, but for the first of all, which takes any.
 * A member that cannot be read is left out with a note; an object without any is null.
 */
export function parseMembers(members: Readonly<Record<string, Parse<unknown>>>): Parse<Record<string, unknown> | null> {
  return parseFirst((value, note) => {
    const given = isObject(value) ? value : { [memberOf(members, value)]: value };
    const read = (name: string, parse: Parse<unknown>) => {
      const values = [given[name]].flat().filter((member) => !isBlank(member));
      if (canRead(parse, values)) return parse(values, note);
      note?.(values[0], `is no ${name}; left out`);
      return null;
    };
    const known = Object.fromEntries(Object.entries(members).map(([name, parse]) => [name, read(name, parse)]));
    return Object.values(known).every((member) => member === null) ? null : known;
  });
}

function memberOf(members: Readonly<Record<string, Parse<unknown>>>, value: unknown): string {
  const [first = "", ...others] = Object.keys(members);
  return others.find((name) => members[name] !== undefined && canRead(members[name], [value])) ?? first;
}

function canRead(parse: Parse<unknown>, values: readonly unknown[]): boolean {
  try {
    parse(values);
    return true;
  } catch (error) {
    if (error instanceof ValueError) return false;
    throw error;
  }
}

type Document = OpportunityDetails["documents"][number];

/** Reads documents from web addresses, or from objects with `url`, and as far as known `name`, `type`, `size` and `updated_at`. */
export function parseDocuments(values: readonly unknown[]): Document[] {
  const documents = new Map<string, Document>();
  for (const value of values.flatMap((item) => (typeof item === "string" ? splitAddresses(item) : toItems(item)))) {
    const document = documentOf(value);
    if (document !== undefined && !documents.has(document.url)) documents.set(document.url, document);
  }
  return [...documents.values()];
}

function splitAddresses(text: string): string[] {
  return (addressOfLink(text) ?? text).split(/[\s|]+/).flatMap((part) => part.split(betweenAddresses));
}

function documentOf(value: unknown): Document | undefined {
  const given = isObject(value) ? value : { url: value };
  const { name, url, type, size, updated_at } = given;
  if (isBlank(url)) return undefined;
  try {
    return {
      name: isBlank(name) ? null : parseTitle(name),
      url: parseUrl(url),
      type: isBlank(type) ? null : toLine(type),
      size: isBlank(size) || !Number.isSafeInteger(Number(size)) ? null : Math.max(0, Number(size)),
      updated_at: momentOrNull(updated_at),
    };
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

function momentOrNull(value: unknown): string | null {
  try {
    return isBlank(value) ? null : parseMoment(value);
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

const momentWithOffset =
  /^(?<day>\d{4}-\d{2}-\d{2})[T ](?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.\d+)?)?\s*(?<offset>Z|[+-]\d{2}:?\d{2}|[+-]\d{2})$/i;

/**
 * Reads a moment that is written with its day, hour and offset or zone ("January 15, 2027 (5:00 p.m. ET)"), as RFC 3339 with that offset.
 * Null where one of them is missing: which hour is meant is then unknown. `-00:00` is no offset (RFC 3339, section 4.3).
 */
export function parseDeadlineMoment(value: unknown): string | null {
  const text = toLine(value instanceof ColumnDate ? value.text : value);
  if (!momentWithOffset.test(text))
    return /^\d{4}-\d{2}-\d{2}[T ][\d:.]+\s*[-+]/.test(text) ? null : parseDeadlineText(value);
  const { day = "", hour, minute, second = "00", offset = "" } = momentWithOffset.exec(text)?.groups ?? {};
  if (parseDayOrNull(day, "iso") === null || /^-00:?(00)?$/.test(offset)) return null;
  const digits = offset.replace(":", "").padEnd(5, "0");
  const written = offset.toUpperCase() === "Z" ? "Z" : `${digits.slice(0, 3)}:${digits.slice(3)}`;
  const moment = `${day}T${hour}:${minute}:${second}${written}`;
  return Number.isNaN(Date.parse(moment)) ? null : moment;
}
