import { readPlace } from "../../shared/geography/read-place.ts";
import { readStateList } from "../../shared/geography/state-list.ts";
import { readZip, stateOfZip } from "../../shared/geography/zip-codes.ts";
import { parseCountry } from "../fields/country.ts";
import { isBlank, toLine } from "../fields/value.ts";

/** Place where a contract is performed or a grant is spent, as fields of a record. */
export interface PerformancePlace {
  states?: string;
  geography?: string;
  is_national: boolean;
}

/** Value of `states` that names none, so that no state is read from a geography such as "Tbilisi, Georgia". */
export const noState = "abroad";

/**
 * Fields of a place: the state of its column, else of its ZIP code; the nation if only the country is given; a city in
 * words where its state is not known; or a place abroad. Undefined when nothing is known.
 */
export function performancePlace(place: {
  country?: unknown;
  state?: unknown;
  city?: unknown;
  zip?: unknown;
}): PerformancePlace | undefined {
  const [state = "", city = "", zip = ""] = [place.state, place.city, place.zip].map((value) =>
    isBlank(value) ? "" : toLine(value),
  );
  const country = parseCountry(place.country);
  if (country?.kind === "territory") return { states: country.state, is_national: false };
  // A text that is no country may be a slip. A state of the United States beside it counts.
  if (country?.kind === "abroad" || (country?.kind === "unlisted" && readStateList(state).kind !== "states")) {
    return {
      states: noState,
      geography: [city, country.name].filter((part) => /\p{L}/u.test(part)).join(", "),
      is_national: false,
    };
  }
  if (state !== "") return { states: state, is_national: false };
  if (country === undefined) return undefined;
  // Other countries also have postal codes of five digits, so a ZIP code is used only with the country.
  const byZip = stateOfZip(readZip(zip) ?? "");
  if (byZip !== undefined) return { states: byZip, is_national: false };
  // Some files have "0" in place of a city or a ZIP code. "Nationwide" stands in the city's column too.
  const hasCity = /\p{L}/u.test(city) && (city.length > 100 || readPlace(city).kind !== "national");
  // Cities are called like states: "Indiana" is in Pennsylvania.
  if (hasCity) return { states: noState, geography: city, is_national: false };
  return { is_national: !/[1-9]/.test(zip) };
}
