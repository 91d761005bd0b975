import { isWholeNation } from "../../shared/geography/nation.ts";
import { readPlace } from "../../shared/geography/read-place.ts";
import { readStateList } from "../../shared/geography/state-list.ts";
import { type StateCode, stateNames } from "../../shared/geography/states.ts";
import { readZip, stateOfZip } from "../../shared/geography/zip-codes.ts";
import { quoteValue, ValueError } from "../errors.ts";
import { type Country, parseCountry } from "./country.ts";
import { htmlToText } from "./html.ts";
import { toItems } from "./list.ts";
import { isBlank, toLine, toText } from "./value.ts";

/** Place that an opportunity is for. */
export interface Place {
  states: StateCode[];
  is_national: boolean;
  geography: string | null;
}

/**
 * Way of reading states. `guess`: from addresses and sentences too. `exact`: only from a state's code or name, or a list
 * of them, and not from the geography.
 */
export type PlaceReadingMode = "guess" | "exact";

/** Values of a row that describe its place. */
export interface PlaceValues {
  /** Lists or texts: `["OH", "Indiana"]`, "Ohio; Indiana", "17 Main St, Columbus, OH 43215", "abroad". */
  states: readonly unknown[];
  geography: string | null;
  is_national: boolean | null;
  /** A country's code or name. A place abroad has no state; beside a text that is in no list of countries, a column of states counts. */
  country?: unknown;
  /** A ZIP code, from which the state is read if `states` names none. */
  zip?: unknown;
}

/**
 * Resolves the place of a row from its states, geography and national flag. A value that is absent is derived from the
 * others. Text that names no state becomes the geography.
 */
export function resolvePlace(values: PlaceValues, mode: PlaceReadingMode = "guess"): Place {
  const { states, geography, is_national: isNational } = values;
  const texts = toTexts(states);
  const country = parseCountry(values.country);
  const isAbroad = country?.kind === "abroad" || (country?.kind === "unlisted" && !areStates(texts));
  const found = isAbroad ? noStates : findStates(texts, values, country, mode);
  const is_national = isAbroad ? false : (isNational ?? found.isNational);
  const codes = is_national ? [] : found.states;
  const words = texts.map((text) => toLine(joinLines(text))).join("; ");
  return {
    states: codes,
    is_national,
    geography:
      geography ??
      describeStates(codes, is_national) ??
      (words || (country !== undefined && "name" in country ? country.name : null)),
  };
}

interface StateReading {
  states: StateCode[];
  isNational: boolean;
}

const noStates: StateReading = { states: [], isNational: false };

/** Finds the states in the columns, or in the geography if the columns are blank; if none is named there, the ZIP code's. */
function findStates(
  texts: string[],
  { geography, zip }: PlaceValues,
  country: Country | undefined,
  mode: PlaceReadingMode,
): StateReading {
  if (country?.kind === "territory") return { states: [country.state], isNational: false };
  const zipState = isBlank(zip) ? undefined : stateOfZip(readZip(toLine(zip)) ?? "");
  const read = mode === "exact" ? readStateList : readPlace;
  const given = texts.length > 0 || geography === null || mode === "exact" ? texts : [geography];
  const readings = given.map((text) => read(startOf(text)));
  const states = [...new Set(readings.flatMap((reading) => reading.states))].sort();
  if (zipState === undefined) {
    const isNational =
      readings.some(({ kind }) => kind === "national") && (states.length === 0 || isNationInList(given));
    return isNational ? { states: [], isNational } : { states, isNational };
  }
  if (states.length === 0) return readings.some(({ kind }) => kind === "abroad") ? noStates : onlyState(zipState);
  // "Washington" with a ZIP code of the District is the city.
  if (states.join() === "WA" && zipState === "DC") return onlyState("DC");
  // A column of states wins over the ZIP code. Text that the ZIP code contradicts is not trusted.
  return areStates(texts) || states.includes(zipState) ? { states, isNational: false } : noStates;
}

/** Whether all texts are states' codes and names, and there is one. */
function areStates(texts: string[]): boolean {
  return texts.length > 0 && texts.every((text) => readStateList(text).kind === "states");
}

/** Whether texts that are states each have the nation among them: "All 50 states" before "Puerto Rico". */
function isNationInList(texts: string[]): boolean {
  return texts.some(isWholeNation) && texts.every((text) => ["states", "national"].includes(readStateList(text).kind));
}

/** Characters of a text in which states are looked for: `readPlace` compares each state with all other phrases. */
const longestPlace = 10_000;

/** The start of a text, up to a place's end: half of "Kansas City" would be a state. */
function startOf(text: string): string {
  if (text.length <= longestPlace) return text;
  const ends = [";", "|", "\n", ","].map((mark) => text.lastIndexOf(mark, longestPlace - 1));
  const end = Math.max(...ends);
  return text.slice(0, end > 0 ? end : longestPlace);
}

function onlyState(state: StateCode): StateReading {
  return { states: [state], isNational: false };
}

/**
 * Checks that the values of the states' columns are texts or lists of texts. {@link resolvePlace} reads them, together
 * with the other fields of the place.
 *
 * @throws {ValueError} when one is an object.
 */
export function parseStateTexts(values: readonly unknown[]): readonly unknown[] {
  const object = values.flatMap(toItems).find((item) => typeof item === "object" && item !== null);
  if (object !== undefined) throw new ValueError(`${quoteValue(object)} is an object, not text`);
  return values;
}

/** Texts of the states' columns, without HTML, deduplicated. Line breaks stay. */
function toTexts(values: readonly unknown[]): string[] {
  const texts = values.flatMap(toItems).map((item) => htmlToText(toText(item)));
  return [...new Map(texts.filter((text) => !isBlank(text)).map((text) => [text.toLowerCase(), text])).values()];
}

/** Reads a place as one line without HTML. The lines of an address are joined with commas, items of a list with semicolons. */
export function parsePlaceLine(value: unknown): string {
  return toLine(joinLines(htmlToText(toText(toItems(value)))));
}

function joinLines(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isAddress = lines.every((line) => line.length <= 60 && !/[.:;]$/.test(line));
  return isAddress ? lines.map((line) => line.replace(/,$/, "")).join(", ") : lines.join(" ");
}

function describeStates(states: StateCode[], isNational: boolean): string | undefined {
  if (isNational) return "National";
  return states.length > 0 ? states.map((code) => stateNames[code]).join("; ") : undefined;
}
