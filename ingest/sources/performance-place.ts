import { readPlace } from "../../shared/geography/read-place.ts";
import { type PlaceReading, readStateList } from "../../shared/geography/state-list.ts";
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
 * Fields of a place: the state of its column, else of its ZIP code, else of its street's address; the nation if only the country is
 * given; a city or an address in words where its state is not known; or a place abroad. Undefined when nothing is known.
 *
 * @param place.street an address, which may name the state. It is no part of the place otherwise.
 */
export function performancePlace(place: {
  country?: unknown;
  state?: unknown;
  city?: unknown;
  zip?: unknown;
  street?: unknown;
}): PerformancePlace | undefined {
  const [state = "", city = "", zip = "", street = ""] = [place.state, place.city, place.zip, place.street].map(
    (value) => (isBlank(value) ? "" : toLine(value)),
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
  // Other countries also have postal codes of five digits, so a ZIP code is used only with the country.
  const byZip = country === undefined ? undefined : stateOfZip(readZip(zip) ?? "");
  if (byZip !== undefined) return { states: byZip, is_national: false };
  // A state's name alone may be a town: "Washington". With `--places exact`, the text is not read as an address in the end.
  const isAddress = readStateList(street).kind !== "states" && read(street)?.kind === "states";
  if (isAddress) return { states: street, is_national: false };
  // "Nationwide" stands in the columns of cities and streets, too.
  const parts = [city, street].filter((part) => read(part)?.kind !== "national");
  const words = parts.find((part) => /\p{L}/u.test(part));
  // Cities are called like states: "Indiana" is in Pennsylvania.
  if (words !== undefined) return { states: noState, geography: words, is_national: false };
  // Some files have "0" in place of a city or a ZIP code.
  if ([...parts, zip].some((part) => /[1-9]/.test(part))) return { is_national: false };
  const isNamed = country !== undefined || parts.length < 2;
  return isNamed ? { is_national: true } : undefined;
}

/** Longest city or address that is read, in characters. */
const longestPlace = 1_000;

function read(text: string): PlaceReading | undefined {
  return text.length > longestPlace ? undefined : readPlace(text);
}
