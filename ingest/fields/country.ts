import { isStateCode, type StateCode, stateNames } from "../../shared/geography/states.ts";
import { isBlank, lineOf } from "./value.ts";

/** What a column of countries says. */
export type Country = { kind: "home" } | { kind: "territory"; state: StateCode } | { kind: "abroad"; name: string };

const home = new Set(["US", "USA", "U S", "U S A", "UNITED STATES", "UNITED STATES OF AMERICA", "AMERICA"]);

/** ISO 3166 codes of territories that others take for countries, and of states in free association, by USPS codes. */
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

const territoryByName = new Map(
  Object.values(territories)
    .filter(isStateCode)
    .map((code) => [keyOfCountry(stateNames[code]), code] as const),
);

/** Reads a country's code or name; undefined when there is none. */
export function countryOf(value: unknown): Country | undefined {
  if (isBlank(value)) return undefined;
  const name = lineOf(value);
  const key = keyOfCountry(name);
  if (key === "") return undefined;
  if (home.has(key)) return { kind: "home" };
  const state = (Object.hasOwn(territories, key) ? territories[key] : undefined) ?? territoryByName.get(key);
  return state === undefined ? { kind: "abroad", name } : { kind: "territory", state };
}

function keyOfCountry(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
