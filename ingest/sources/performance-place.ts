import { isBlank, lineOf } from "../fields/value.ts";

/** Where a contract is performed or a grant is spent, as fields of a record. */
export interface PerformancePlace {
  states?: string;
  geography?: string;
  is_national: boolean;
}

/** What publishers call the country, and territories that others take for countries, by their USPS codes. */
const unitedStates = new Set(["US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA"]);
const territories: Readonly<Record<string, string>> = { ASM: "AS", GUM: "GU", MNP: "MP", PRI: "PR", VIR: "VI" };

/** Text in `states` that names none, so that no state is looked for in a geography such as "Tbilisi, Georgia". */
const noState = "abroad";

/**
 * The fields of a place: a state, the nation where only the country is given, or a place abroad. Undefined when
 * nothing is known.
 */
export function performancePlace(place: {
  country?: unknown;
  state?: unknown;
  city?: unknown;
}): PerformancePlace | undefined {
  const [country = "", state = "", city = ""] = [place.country, place.state, place.city].map((value) =>
    isBlank(value) ? "" : lineOf(value),
  );
  const code = country.toUpperCase();
  const territory = Object.hasOwn(territories, code) ? territories[code] : undefined;
  if (territory !== undefined) return { states: territory, is_national: false };
  if (country !== "" && !unitedStates.has(code)) {
    return {
      states: noState,
      geography: [city, country].filter((part) => /\p{L}/u.test(part)).join(", "),
      is_national: false,
    };
  }
  if (state !== "") return { states: state, is_national: false };
  return country === "" ? undefined : { is_national: true };
}
