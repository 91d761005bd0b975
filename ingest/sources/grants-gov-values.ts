import { parseDayOrNull } from "../fields/date.ts";
import { isBlank, parseParagraphs, toLine } from "../fields/value.ts";
import type { Note } from "../notes.ts";
import { noState } from "./performance-place.ts";
import { sourceDates } from "./source-dates.ts";

/** Values that Grants.gov's extract and its API have in common. */

/** The funding activity categories by code, as Grants.gov's search lists them. */
const categories: Readonly<Record<string, string>> = {
  ACA: "Affordable Care Act",
  AG: "Agriculture",
  AR: "Arts",
  BC: "Business and Commerce",
  CD: "Community Development",
  CP: "Consumer Protection",
  DPR: "Disaster Prevention and Relief",
  ED: "Education",
  EIC: "Energy Infrastructure and Critical Mineral and Materials (EICMM)",
  ELT: "Employment, Labor and Training",
  EN: "Energy",
  ENV: "Environment",
  FN: "Food and Nutrition",
  HL: "Health",
  HO: "Housing",
  HU: "Humanities",
  IIJ: "Infrastructure Investment and Jobs Act (IIJA)",
  IS: "Information and Statistics",
  ISS: "Income Security and Social Services",
  LJL: "Law, Justice and Legal Services",
  NR: "Natural Resources",
  O: "Other",
  OZ: "Opportunity Zone Benefits",
  RA: "Recovery Act",
  RD: "Regional Development",
  ST: "Science and Technology and other Research and Development",
  T: "Transportation",
};

/** Departments and independent agencies by the part of Grants.gov's agency codes before the first hyphen. */
const topAgencies: Readonly<Record<string, string>> = {
  AC: "AmeriCorps",
  DHS: "Department of Homeland Security",
  DOC: "Department of Commerce",
  DOD: "Department of Defense",
  DOE: "Department of Energy",
  DOI: "Department of the Interior",
  DOL: "Department of Labor",
  DOS: "Department of State",
  DOT: "Department of Transportation",
  ED: "Department of Education",
  EPA: "Environmental Protection Agency",
  HHS: "Department of Health and Human Services",
  HUD: "Department of Housing and Urban Development",
  IMLS: "Institute of Museum and Library Services",
  NASA: "National Aeronautics and Space Administration",
  NEA: "National Endowment for the Arts",
  NEH: "National Endowment for the Humanities",
  NSF: "National Science Foundation",
  PAMS: "Department of Energy",
  SBA: "Small Business Administration",
  SSA: "Social Security Administration",
  USAID: "Agency for International Development",
  USDA: "Department of Agriculture",
  USDOJ: "Department of Justice",
  USDOT: "Department of the Treasury",
  VA: "Department of Veterans Affairs",
};

/** Agency with its department, which the first part of its code tells. */
export function agencyPath(code: unknown, name: unknown): unknown[] {
  const [top = ""] = isBlank(code) ? [] : toLine(code).split("-");
  return [Object.hasOwn(topAgencies, top) ? topAgencies[top] : undefined, name];
}

/** Names of category codes. An unknown code stays. */
export function categoryNames(codes: unknown): string[] {
  const list = Array.isArray(codes) ? codes : [codes];
  return list
    .filter((code) => !isBlank(code))
    .map((code) => toLine(code))
    .map((code) => (Object.hasOwn(categories, code) ? (categories[code] ?? code) : code));
}

/** Names of the categories as Simpler.Grants.gov writes them: "food_and_nutrition". */
const categoryByKey = new Map([
  ...Object.values(categories).map((name) => [toKey(name), name] as const),
  ["science technology and other research and development", categories.ST ?? ""] as const,
]);

/** Name of a category from its name or {@link categoryByKey}'s key. Others stay. */
export function categoryOfKey(value: unknown): string {
  return categoryByKey.get(toKey(toLine(value))) ?? toLine(value);
}

/** A name without case, punctuation and what it has in brackets. */
function toKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/\s*\([^)]*\)$/, "")
    .replaceAll(/[^a-z]+/g, " ")
    .trim();
}

interface Contact {
  name?: unknown;
  email: unknown;
  phone?: unknown;
}

/**
 * Whom to ask. `text` says it in lines, often a name, a title, an address and a phone number, and is about the person whose e-mail address is given; the
 * name may be that of whoever published the opportunity.
 */
export function contactOf({ text, name, email, phone }: Contact & { text?: unknown }): Contact {
  const lines = linesOf(text);
  const [named] = lines.length > 0 && isName(lines[0] ?? "") ? lines : linesOf(name);
  return {
    name: named,
    email,
    phone: /(?:\(?\b\d{3}\)?[-. ]+)?\b\d{3}[-. ]\d{4}\b/.exec(lines.join("\n"))?.[0] ?? phone,
  };
}

function linesOf(text: unknown): string[] {
  return isBlank(text) ? [] : parseParagraphs([text]).split(/\s*\n\s*/);
}

function isName(line: string): boolean {
  return line.length <= 80 && /^\p{L}[^@:\d]*$/u.test(line);
}

/** Address of the opportunity's page. */
export function listingUrl(id: unknown): string | undefined {
  return isBlank(id) ? undefined : `https://www.grants.gov/search-results-detail/${toLine(id)}`;
}

/**
 * Place of an agency's opportunities. Those of a mission abroad are for its country. All others are national, because
 * the source names no places.
 */
export function scopeOf(agency: unknown): { is_national: boolean; states?: string; geography?: string } {
  const name = isBlank(agency) ? "" : toLine(agency);
  const country = /^U\.?S\.? (?:Mission|Embassy|Consulate(?: General)?) (?:to|in) (?:the )?(.+)$/i.exec(name)?.[1];
  return country === undefined
    ? { is_national: true }
    : // Without `noState`, "Georgia" would be read as the state.
      { is_national: false, states: noState, geography: country };
}

/**
 * Returns the floor; 0, which is none, where it is above the ceiling: that is a mistake, and people look at the ceiling. A value that
 * says none also empties the stored floor, which may be above the ceiling, too.
 */
export function checkFloor(floor: unknown, ceiling: unknown): unknown {
  return isAbove(floor, ceiling) ? 0 : floor;
}

/** Notes of a floor that {@link checkFloor} leaves out. */
export function floorNotes(floor: unknown, ceiling: unknown): Note[] {
  return isAbove(floor, ceiling)
    ? [{ field: "amount_min", value: floor, reason: "is a floor above the ceiling; left out" }]
    : [];
}

function isAbove(floor: unknown, ceiling: unknown): boolean {
  return Number(ceiling) > 0 && Number(floor) > Number(ceiling);
}

/**
 * Moment at which applications close on a day of Grants.gov: 23:59 Eastern time. Its files give days, and applications are taken
 * until the end of the day where the notice says nothing else.
 */
export function assumedDeadline(day: unknown): { deadline_at: string; deadline_assumed: true } | undefined {
  const date = parseDayOrNull(day, sourceDates["grants-gov"].order);
  if (date === null) return undefined;
  // The clocks are changed at night, hours before.
  const offset = easternOffset
    .formatToParts(new Date(`${date}T23:59:00-05:00`))
    .find(({ type }) => type === "timeZoneName");
  return { deadline_at: `${date}T23:59:00${offset?.value.replace("GMT", "")}`, deadline_assumed: true };
}

const easternOffset = new Intl.DateTimeFormat("en-US", { timeZone: "America/New_York", timeZoneName: "longOffset" });

/** Rank of a row among those of its opportunity: a synopsis before a forecast, then the later version ("Synopsis 2"). */
export function rankOf(isForecast: boolean, version: unknown): number {
  const number = isBlank(version) ? 0 : Number(/\d+\s*$/.exec(toLine(version))?.[0] ?? 0);
  return (isForecast ? 0 : 100) + Math.min(number, 99);
}
