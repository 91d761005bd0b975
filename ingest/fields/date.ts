import { shown, ValueError } from "../errors.ts";
import { isBlank, lineOf } from "./value.ts";

/**
 * What comes first in dates that are written in numbers: the year (`iso`), the day (`dmy`) or the month (`mdy`).
 * Dates with the year first, or with the month as a word, read the same in every order.
 */
export type DateOrder = "iso" | "dmy" | "mdy";

export const dateOrders: readonly DateOrder[] = ["iso", "dmy", "mdy"];

/** A date as its column writes it, with the order in which it is to be read, or the reason why it cannot be. */
export class ColumnDate {
  constructor(
    readonly text: unknown,
    readonly order: DateOrder | { refusal: string },
  ) {}
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** What sources write for a date that does not exist yet, or never will. */
const openEnded =
  /^(rolling|ongoing|open|continuous|tbd|tba|to be (determined|announced)|varies|various|unknown|until )/i;

/** What may follow a date: a time, with or without a zone, in any of its spellings. */
const time = String.raw`(?:[T ,]+\d{1,2}:\d{2}.*)?`;

/** Spellings that say by themselves what is the day and what the month. */
const spellings = [
  String.raw`^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})${time}$`,
  // YYYYMMDD. As MMDDYYYY or DDMMYYYY it would be of a year before 1232.
  String.raw`^(?<year>(?:19|20)\d{2})(?<month>0[1-9]|1[0-2])(?<day>\d{2})$`,
  String.raw`^(?<month>[a-z]{3})[a-z]*\.? (?<day>\d{1,2}),? (?<year>\d{4})${time}$`,
  String.raw`^(?<day>\d{1,2})[ /-](?<month>[a-z]{3})[a-z]*\.?,?[ /-](?<year>\d{4})${time}$`,
].map((pattern) => new RegExp(pattern, "i"));

/** Spellings that have the day or the month first. Grants.gov's extract has MMDDYYYY. */
const numericSpellings = [
  String.raw`^(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4})${time}$`,
  String.raw`^(?<first>\d{2})(?<second>\d{2})(?<year>\d{4})$`,
].map((pattern) => new RegExp(pattern, "i"));

const shortYear = /^\d{1,2}([-/.])\d{1,2}\1\d{2}(?:[T ,]+\d{1,2}:\d{2}.*)?$/;

/** The numbers of a date that has the day or the month first, as written. */
export interface NumericDate {
  first: string;
  second: string;
  year: string;
}

/** The numbers of a date that has the day or the month first; undefined for every other value. */
export function numericDate(value: unknown): NumericDate | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = lineOf(value);
  if (spellings.some((spelling) => spelling.test(text))) return undefined;
  for (const spelling of numericSpellings) {
    const { first = "", second = "", year = "" } = spelling.exec(text)?.groups ?? {};
    if (year !== "") return { first, second, year };
  }
  return undefined;
}

/** Whether the date exists when its numbers are read in this order. */
export function existsIn({ first, second, year }: NumericDate, order: "dmy" | "mdy"): boolean {
  const [day, month] = order === "dmy" ? [first, second] : [second, first];
  return exists(Number(year), Number(month), Number(day));
}

/**
 * A day as `YYYY-MM-DD`, from any of: 2026-05-28, 2026/05/28, 2026-05-28T17:00..., 20260528, May 28, 2026,
 * 28 May 2026, 28-May-2026; and, with the month or the day first as the order says, 05/28/2026, 5-28-2026,
 * 5.28.2026, 05282026. Of a moment, the day that is written counts, whatever its zone. "Rolling", "TBD" and the
 * like are null.
 *
 * @param order of the numbers; that of a {@link ColumnDate} goes before it. Default: `mdy`, as US publishers write.
 * @throws {ValueError} for everything else, years of two digits included: they do not tell the year from the day.
 */
export function dayOf(value: unknown, order: DateOrder = "mdy"): string | null {
  if (value instanceof ColumnDate) {
    if (typeof value.order === "string") return dayOf(value.text, value.order);
    if (numericDate(value.text) !== undefined) throw new ValueError(`${shown(value.text)} ${value.order.refusal}`);
    return dayOf(value.text, "iso");
  }
  const text = lineOf(value);
  if (openEnded.test(text)) return null;
  for (const spelling of spellings) {
    const { year = "", month = "", day = "" } = spelling.exec(text)?.groups ?? {};
    if (year === "") continue;
    const monthNumber = monthNumberOf(month);
    if (!exists(Number(year), monthNumber, Number(day)))
      throw new ValueError(`${shown(value)} is not a date that exists`);
    return dayText(year, monthNumber, Number(day));
  }
  const numeric = numericDate(value);
  if (numeric !== undefined) return numericDay(value, numeric, order);
  const reason = shortYear.test(text) ? ": its year needs four digits" : "";
  throw new ValueError(`${shown(value)} is not a date (for example 2026-05-28 or 05/28/2026)${reason}`);
}

function numericDay(value: unknown, numeric: NumericDate, order: DateOrder): string {
  if (order === "iso") throw new ValueError(`${shown(value)} does not have its year first, as --dates iso says`);
  if (!existsIn(numeric, order)) {
    throw new ValueError(
      `${shown(value)} is not a date that exists, with the ${order === "dmy" ? "day" : "month"} first`,
    );
  }
  const { first, second, year } = numeric;
  return order === "dmy" ? dayText(year, Number(second), Number(first)) : dayText(year, Number(first), Number(second));
}

function dayText(year: string, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** The day, or null for what is blank or none: for comparing days, where the field itself is read elsewhere. */
export function knownDay(value: unknown, order: DateOrder): string | null {
  if (isBlank(value)) return null;
  try {
    return dayOf(value, order);
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

const isoMoment =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s*(?:(Z|UTC|GMT)|([+-]\d{2})(?::?(\d{2}))?)?$/i;

/**
 * A moment as RFC 3339 in UTC. A day alone means its first moment in UTC, and so does a time in any
 * spelling but ISO 8601's; a time without a zone is taken to be in UTC.
 *
 * @param order of the numbers in a date, as for {@link dayOf}.
 */
export function momentOf(value: unknown, order: DateOrder = "mdy"): string | null {
  const match = isoMoment.exec(lineOf(value instanceof ColumnDate ? value.text : value));
  if (match === null) {
    const day = dayOf(value, order);
    return day === null ? null : `${day}T00:00:00.000Z`;
  }
  const [text, day = "", time = "", seconds = ":00", , hours, minutes = "00"] = match;
  const moment = Date.parse(`${dayOf(day)}T${time}${seconds}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
  if (Number.isNaN(moment)) throw new ValueError(`${shown(text)} is not a moment that exists`);
  return new Date(moment).toISOString();
}

function monthNumberOf(month: string): number {
  return /\d/.test(month) ? Number(month) : months.indexOf(month.toLowerCase()) + 1;
}

function exists(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC takes the years 0 to 99 for 1900 to 1999, and so refuses them here.
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
