import { stateOfZip } from "../../shared/geography/zip-codes.ts";
import { countryOf } from "../fields/country.ts";
import { isBlank, lineOf } from "../fields/value.ts";

/** Where a contract is performed or a grant is spent, as fields of a record. */
export interface PerformancePlace {
  states?: string;
  geography?: string;
  is_national: boolean;
}

/** Text in `states` that names none, so that no state is looked for in a geography such as "Tbilisi, Georgia". */
export const noState = "abroad";

/**
 * The fields of a place: a state, by its column or else by the ZIP code, the nation where only the country is given, or
 * a place abroad. Undefined when nothing is known.
 */
export function performancePlace(place: {
  country?: unknown;
  state?: unknown;
  city?: unknown;
  zip?: unknown;
}): PerformancePlace | undefined {
  const [state = "", city = "", zip = ""] = [place.state, place.city, place.zip].map((value) =>
    isBlank(value) ? "" : lineOf(value),
  );
  const country = countryOf(place.country);
  if (country?.kind === "territory") return { states: country.state, is_national: false };
  if (country?.kind === "abroad") {
    return {
      states: noState,
      geography: [city, country.name].filter((part) => /\p{L}/u.test(part)).join(", "),
      is_national: false,
    };
  }
  if (state !== "") return { states: state, is_national: false };
  if (country === undefined) return undefined;
  // Other countries have postal codes of five digits too, so a ZIP code alone says nothing.
  const byZip = /^\d{5}(-?\d{4})?$/.test(zip) ? stateOfZip(zip) : undefined;
  return byZip === undefined ? { is_national: true } : { states: byZip, is_national: false };
}
