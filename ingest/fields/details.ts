import { applicantTypes, fundingInstruments, type OpportunityDetails } from "../../shared/responses/details.ts";
import { quoteValue, ValueError } from "../errors.ts";
import { parseUrl } from "./address.ts";
import { parseAmount } from "./amount.ts";
import { ColumnDate, parseDayOrNull, parseMoment } from "./date.ts";
import { parseList, toItems } from "./list.ts";
import { isBlank, parseFlag, parseTitle, toKey, toLine } from "./value.ts";

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

/** Words of publishers for applicant types, the more special first. A value may name several types. */
const applicantWords: readonly [RegExp, readonly ApplicantType[]][] = [
  [/unrestricted|any ?one|general public|open to (all|any)|any (type of )?entity|all applicants/i, ["unrestricted"]],
  [/housing authorit/i, ["custom"]],
  [
    /(?:tribal|tribe|native american|indian)(?=.*\b(other than|organi[sz]ation|non-?profit))/i,
    ["organization_tribal_other"],
  ],
  [/tribal|tribe|native american|indian/i, ["government_tribal"]],
  // Before higher education, which they except.
  [/(without|not having|do not have)\b.*501|without[ _]501/i, ["nonprofit_without_501c3"]],
  [/501/i, ["non_profit_with_501c3"]],
  [/non-?[ _]?profit/i, ["non_profit_with_501c3", "nonprofit_without_501c3"]],
  [/special[ _]district/i, ["government_special_district"]],
  [/school|\blea\b|local education(al)? agenc/i, ["school_district_independent"]],
  [/private(ly)?\b.*(higher|college|universit)|higher[ _]education[ _]private/i, ["higher_education_private"]],
  [
    /public\b.*(higher|college|universit)|state[- ]controlled|higher[ _]education[ _]public/i,
    ["higher_education_public"],
  ],
  [/higher[ _]education|college|universit/i, ["higher_education_public", "higher_education_private"]],
  [/other than small|not[ _]small/i, ["for_profit_not_small_business"]],
  [/small[ _]business/i, ["for_profit_small_business"]],
  [/for-?[ _]?profit|business(es)?\b|compan(y|ies)\b/i, ["for_profit_small_business", "for_profit_not_small_business"]],
  [/county|counties|parish(es)?\b/i, ["government_county"]],
  [/municipal|\b(cit(y|ies)|town(ship)?s?|borough|village)s?\b/i, ["government_municipal"]],
  [
    /public agenc|local (government|agenc|public)/i,
    ["government_county", "government_municipal", "government_special_district"],
  ],
  [/\bstates?\b|government_state/i, ["government_state"]],
  [/individual|person(s|al)?\b|people/i, ["individual"]],
];

/**
 * Reads who may apply, as CommonGrants' values in their own order, from those values, Grants.gov's codes and texts of several
 * publishers ("Nonprofit; Public Agency"). What is none of them is `custom`.
 */
export function parseApplicantTypes(values: readonly unknown[]): ApplicantType[] {
  const found = new Set(parseList(values).flatMap((text) => applicantTypesOf(text)));
  return applicantTypes.filter((type) => found.has(type));
}

function applicantTypesOf(text: string): readonly ApplicantType[] {
  if (/^\d\d?$/.test(text)) return [applicantCodes[text.padStart(2, "0")] ?? "custom"];
  const value = text.toLowerCase();
  const named = applicantTypes.find((type) => type === value);
  if (named !== undefined) return [named];
  return applicantWords.find(([words]) => words.test(text))?.[1] ?? ["custom"];
}

/** Reads assistance listings from "10.001", "10.001 Title", "10.001|Title" or several of them, without repetitions. */
export function parseAssistanceListings(values: readonly unknown[]): OpportunityDetails["assistance_listings"] {
  const titles = new Map<string, string | null>();
  for (const value of values.flatMap(toItems)) {
    for (const part of toLine(value).split(/[;,|]\s*(?=\d{2}\.[0-9A-Z])/i)) {
      const { number, title = "" } = listing.exec(part)?.groups ?? {};
      if (number === undefined) continue;
      titles.set(number.toUpperCase(), title.trim() === "" ? (titles.get(number.toUpperCase()) ?? null) : title.trim());
    }
  }
  return [...titles].map(([number, title]) => ({ number, title }));
}

const listing = /^\s*(?<number>\d{2}\.(?:\d{3}|[0-9A-Z]{2,3}))(?![0-9A-Z])[\s|:–—-]*(?<title>.*?)[;,|\s]*$/i;

/** Funding instruments by Grants.gov's codes and by the words of publishers. */
const instrumentWords: readonly [RegExp, OpportunityDetails["funding_instrument"][number]][] = [
  [/^ca$|cooperative[ _]agreement/i, "cooperative_agreement"],
  [/^pc$|procurement[ _]contract/i, "procurement_contract"],
  [/^g$|\bgrants?\b/i, "grant"],
];

/** Reads forms of funding, in the order of the schema. What is unknown is `other`. */
export function parseFundingInstruments(values: readonly unknown[]): OpportunityDetails["funding_instrument"] {
  const found = new Set(
    parseList(values).map((text) => instrumentWords.find(([words]) => words.test(text))?.[1] ?? "other"),
  );
  return fundingInstruments.filter((instrument) => found.has(instrument));
}

/** Reads whether costs are shared, also from "Required" and "Not Required". */
export function parseCostSharing(value: unknown): boolean {
  const key = toKey(toLine(value));
  if (/^(not|no)/.test(key)) return false;
  return /required|match/.test(key) || parseFlag(value);
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

/**
 * Reads organizations from the widest to the narrowest, as text or as objects with a `name`. One that repeats the one before is
 * left out.
 */
export function parseAgencyPath(values: readonly unknown[]): string[] {
  const names = values
    .flatMap(toItems)
    .flatMap((value) => (isObject(value) ? [value.name] : [value]))
    .filter((name) => !isBlank(name) && !isObject(name))
    .map(parseTitle);
  return names.filter((name, position) => name !== "" && toKey(name) !== toKey(names[position - 1] ?? ""));
}

/** Reads a place from an object with `city`, `state`, `zip` and `country`, or from "Norfolk, VA 23511". */
export function parsePerformancePlace(value: unknown): OpportunityDetails["place_of_performance"] {
  const given = isObject(value) ? value : placeOfLine(value);
  const part = (name: string) => (isBlank(given[name]) ? null : toLine(given[name]));
  const place = { city: part("city"), state: part("state"), zip: part("zip"), country: part("country") };
  return Object.values(place).every((known) => known === null) ? null : place;
}

function placeOfLine(value: unknown): Record<string, unknown> {
  const line = toLine(value);
  const { city, state, zip, country } =
    /^(?<city>[^,]+),\s*(?<state>[A-Z]{2}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\b,?\s*(?<zip>\d{5}(?:-\d{4})?)?(?:,?\s*(?<country>\D+))?$/u.exec(
      line,
    )?.groups ?? {};
  return city === undefined ? { city: line } : { city, state, zip, country };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

type Document = OpportunityDetails["documents"][number];

/** Reads documents from web addresses, or from objects with `url`, and as far as known `name`, `type`, `size` and `updated_at`. */
export function parseDocuments(values: readonly unknown[]): Document[] {
  const documents = new Map<string, Document>();
  for (const value of values.flatMap((item) => (typeof item === "string" ? item.split(/[\s|]+/) : toItems(item)))) {
    const document = documentOf(value);
    if (document !== undefined && !documents.has(document.url)) documents.set(document.url, document);
  }
  return [...documents.values()];
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
      updated_at: isBlank(updated_at) ? null : parseMoment(updated_at),
    };
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

const momentWithOffset =
  /^(?<day>\d{4}-\d{2}-\d{2})[T ](?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.\d+)?)?\s*(?<offset>Z|[+-]\d{2}:?\d{2}|[+-]\d{2})$/i;

/**
 * Reads a moment that is written with its day, hour and offset, as RFC 3339 with that offset. Null where one of them is missing:
 * which hour is meant is then unknown. `-00:00` is no offset (RFC 3339, section 4.3).
 */
export function parseDeadlineMoment(value: unknown): string | null {
  const text = toLine(value instanceof ColumnDate ? value.text : value);
  const { day = "", hour, minute, second = "00", offset = "" } = momentWithOffset.exec(text)?.groups ?? {};
  if (parseDayOrNull(day, "iso") === null || /^-00:?(00)?$/.test(offset)) return null;
  const digits = offset.replace(":", "").padEnd(5, "0");
  const written = offset.toUpperCase() === "Z" ? "Z" : `${digits.slice(0, 3)}:${digits.slice(3)}`;
  const moment = `${day}T${hour}:${minute}:${second}${written}`;
  return Number.isNaN(Date.parse(moment)) ? null : moment;
}
