import { readPlace } from "../../shared/geography/read-place.ts";
import { readStateList } from "../../shared/geography/state-list.ts";
import { type StateCode, stateNames } from "../../shared/geography/states.ts";
import { stateOfZip } from "../../shared/geography/zip-codes.ts";
import { type Country, countryOf } from "./country.ts";
import { readableText } from "./html.ts";
import { itemsOf } from "./list.ts";
import { isBlank, lineOf, textOf } from "./value.ts";

/** Where an opportunity is for. */
export interface Place {
  states: StateCode[];
  is_national: boolean;
  geography: string | null;
}

/**
 * How states are found. `guess`: they are read out of addresses and sentences. `exact`: only what is a state's code or
 * name, or a list of them, counts, and no state is looked for in the geography.
 */
export type PlaceReadingMode = "guess" | "exact";

/** What a row says of a place. */
export interface PlaceValues {
  /** Lists or texts: `["OH", "Indiana"]`, "Ohio; Indiana", "17 Main St, Columbus, OH 43215", "abroad". */
  states: readonly unknown[];
  geography: string | null;
  is_national: boolean | null;
  /** A country's code or name: a place abroad has no state. */
  country?: unknown;
  /** A ZIP code, which tells the state where the states do not. */
  zip?: unknown;
}

/**
 * The place that a row's states, geography and national flag describe, each from the others where it is absent. Text
 * that names no state becomes the geography.
 */
export function placeOf(values: PlaceValues, mode: PlaceReadingMode = "guess"): Place {
  const { states, geography, is_national: isNational } = values;
  const texts = statesTexts(states);
  const country = countryOf(values.country);
  const found = country?.kind === "abroad" ? noStates : statesIn(texts, values, country, mode);
  const is_national = country?.kind === "abroad" ? false : (isNational ?? found.isNational);
  const codes = is_national ? [] : found.states;
  const words = texts.map((text) => lineOf(inOneLine(text))).join("; ");
  return {
    states: codes,
    is_national,
    geography:
      geography ?? described(codes, is_national) ?? (words || (country?.kind === "abroad" ? country.name : null)),
  };
}

interface Found {
  states: StateCode[];
  isNational: boolean;
}

const noStates: Found = { states: [], isNational: false };

/** The states of the columns; of the ZIP code where they name none; of the geography where there is neither. */
function statesIn(
  texts: string[],
  { geography, zip }: PlaceValues,
  country: Country | undefined,
  mode: PlaceReadingMode,
): Found {
  if (country?.kind === "territory") return { states: [country.state], isNational: false };
  const zipState = isBlank(zip) ? undefined : stateOfZip(lineOf(zip));
  const read = mode === "exact" ? readStateList : readPlace;
  const readings = (texts.length > 0 || geography === null || mode === "exact" ? texts : [geography]).map(read);
  const states = [...new Set(readings.flatMap((reading) => reading.states))].sort();
  if (zipState === undefined)
    return { states, isNational: states.length === 0 && readings.some(({ kind }) => kind === "national") };
  if (states.length === 0) return readings.some(({ kind }) => kind === "abroad") ? noStates : one(zipState);
  // "Washington" with a ZIP code of the District is the city.
  if (states.join() === "WA" && zipState === "DC") return one("DC");
  // A column of states goes before the ZIP code; text that it contradicts is in doubt.
  const isColumn = texts.length > 0 && texts.every((text) => readStateList(text).kind === "states");
  return isColumn || states.includes(zipState) ? { states, isNational: false } : noStates;
}

function one(state: StateCode): Found {
  return { states: [state], isNational: false };
}

/** The texts of the states' columns, without HTML, with their lines. */
function statesTexts(values: readonly unknown[]): string[] {
  const texts = values.flatMap(itemsOf).map((item) => readableText(textOf(item)));
  return [...new Map(texts.filter((text) => !isBlank(text)).map((text) => [text.toLowerCase(), text])).values()];
}

/** A place in one line, without HTML: an address's lines with commas between, as people write them. */
export function placeLineOf(value: unknown): string {
  return lineOf(inOneLine(readableText(textOf(value))));
}

function inOneLine(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isAddress = lines.every((line) => line.length <= 60 && !/[.:;]$/.test(line));
  return isAddress ? lines.map((line) => line.replace(/,$/, "")).join(", ") : lines.join(" ");
}

function described(states: StateCode[], isNational: boolean): string | undefined {
  if (isNational) return "National";
  return states.length > 0 ? states.map((code) => stateNames[code]).join("; ") : undefined;
}
