import { parseDayOrNull } from "../fields/date.ts";
import { isBlank, toLine } from "../fields/value.ts";
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

/** Names of category codes. An unknown code stays. */
export function categoryNames(codes: unknown): string[] {
  const list = Array.isArray(codes) ? codes : [codes];
  return list
    .filter((code) => !isBlank(code))
    .map((code) => toLine(code))
    .map((code) => (Object.hasOwn(categories, code) ? (categories[code] ?? code) : code));
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

/** Whether a day has come, or with `isOnTheDay: false`, is past. False when the value is blank or no date. */
export function isOver(day: unknown, today: string, { isOnTheDay = true } = {}): boolean {
  const date = parseDayOrNull(day, sourceDates["grants-gov"].order);
  return date !== null && (isOnTheDay ? date <= today : date < today);
}
