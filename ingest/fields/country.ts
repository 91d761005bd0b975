import { isStateCode, type StateCode, stateNames } from "../../shared/geography/states.ts";
import { isBlank, toLine } from "./value.ts";

/** Country of a place: the United States (`home`), a US territory with its state code, or another country. */
export type Country = { kind: "home" } | { kind: "territory"; state: StateCode } | { kind: "abroad"; name: string };

const home = new Set(["US", "USA", "U S", "U S A", "UNITED STATES", "UNITED STATES OF AMERICA", "AMERICA"]);

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

const territoryByName = new Map(
  Object.values(territories)
    .filter(isStateCode)
    .map((code) => [toCountryKey(stateNames[code]), code] as const),
);

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

function toCountryKey(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
