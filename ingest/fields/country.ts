import { isStateCode, type StateCode, stateNames } from "../../shared/geography/states.ts";
import { isBlank, toLine } from "./value.ts";

/** Country of a place: the United States (`home`), a US territory with its state code, or another country. */
export type Country = { kind: "home" } | { kind: "territory"; state: StateCode } | { kind: "abroad"; name: string };

/** Names are keys of {@link toCountryKey}. */
const home = new Set(["US", "USA", "UNITED STATES", "UNITED STATES OF AMERICA", "AMERICA"]);

/** USPS codes of US territories and of states in free association, which have ISO 3166 country codes of their own. */
const territories: Readonly<Record<string, StateCode>> = {
  AS: "AS",
  ASM: "AS",
  FM: "FM",
  FSM: "FM",
  GU: "GU",
  GUM: "GU",
  MH: "MH",
  MHL: "MH",
  MNP: "MP",
  MP: "MP",
  PLW: "PW",
  PR: "PR",
  PRI: "PR",
  PW: "PW",
  VI: "VI",
  VIR: "VI",
};

/** Other names of them: ISO 3166's, and official ones. */
const otherNames: Readonly<Record<string, StateCode>> = {
  "Commonwealth of Puerto Rico": "PR",
  "Commonwealth of the Northern Mariana Islands": "MP",
  Micronesia: "FM",
  "Micronesia, Federated States of": "FM",
  "Republic of Palau": "PW",
  "Republic of the Marshall Islands": "MH",
  "United States Virgin Islands": "VI",
  "Virgin Islands of the United States": "VI",
  "Virgin Islands, U.S.": "VI",
};

const territoryByName = new Map<string, StateCode>([
  ...Object.values(territories)
    .filter(isStateCode)
    .map((code) => [toCountryKey(stateNames[code]), code] as const),
  ...Object.entries(otherNames).map(([name, code]) => [toCountryKey(name), code] as const),
]);

/** Reads a country's code or name. Undefined when the value is blank. */
export function parseCountry(value: unknown): Country | undefined {
  if (isBlank(value)) return undefined;
  const name = toLine(value);
  const key = toCountryKey(name);
  if (key === "") return undefined;
  if (home.has(key)) return { kind: "home" };
  const state = (Object.hasOwn(territories, key) ? territories[key] : undefined) ?? territoryByName.get(key);
  return state === undefined ? { kind: "abroad", name } : { kind: "territory", state };
}

/** A country's code for {@link parseCountry}. In a column of ISO 3166 codes, NA is Namibia; elsewhere it is blank. */
export function countryOfCode(code: unknown): unknown {
  return code === "NA" ? "Namibia" : code;
}

/** A name in capitals without punctuation, without the article that ISO 3166 puts behind it: "Philippines (the)". */
function toCountryKey(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/^THE | THE$/, "")
    .replace(/\bU S( A)?\b/, (initials) => initials.replaceAll(" ", ""));
}
