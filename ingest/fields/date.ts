import { PlaceholderDate, quoteValue, UnreadableDate, ValueError } from "../errors.ts";
import { isBlank, toLine } from "./value.ts";

/**
 * Order of the numbers in a date: the year first (`iso`), the day first (`dmy`) or the month first (`mdy`). Dates with
 * the year first, or with the month as a word, are read the same in every order.
 */
export type DateOrder = "iso" | "dmy" | "mdy";

export const dateOrders: readonly DateOrder[] = ["iso", "dmy", "mdy"];

/** A date as its column writes it, with the order in which to read it, or the reason why it cannot be read. */
export class ColumnDate {
  constructor(
    readonly text: unknown,
    readonly order: DateOrder | { refusal: string },
  ) {}
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Words of sources for a date that is not known yet, or never will be. */
const openEnded =
  /^(?:rolling|ongoing|open|continuous|tbd|tba|to be (?:determined|announced)|varies|various|unknown|until )/i;

/** Open-ended words of a text that may name the day on which it ends all the same. "TBD" is followed by an estimate at most. */
const openWord = "(?:rolling|ongoing|open|continuous)";

/**
 * Words before the day on which an opportunity ends: "Open until", "Ongoing through", "Open; closes", "Ongoing; next deadline",
 * "Rolling -". Behind "Open" alone, a day may be the first. A "priority deadline" and "first review by" are not the end.
 */
const untilWords = [
  String.raw`^(?:${openWord}\b\D*\W)?(?:until|till|through|thru|to|clos(?:es?|ing)(?: date)?|not? later than)\b(?: on\b)?\W*`,
  String.raw`^${openWord}\b\D*\W(?:(?:apply|submit|submitted|received|due) by|(?:applications|proposals) due(?: by)?)\b\W*`,
  String.raw`^${openWord}\b\D*(?:[;:,.(\u2013\u2014-] ?|next |final |current |application |submission )deadline\b(?: is\b)?(?: on\b)?\W*`,
  String.raw`^(?:rolling|ongoing|continuous)\W+`,
].map((pattern) => new RegExp(pattern, "i"));

/** A day of the week before a date: "Thursday, May 28, 2026". */
const weekday = /^(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:r|rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[., ]+/i;

const monthWord =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";

/** A further date in a text, whole or in part: "6/30/2026", "20260630", "June 30", "30 June", "to 6/30". */
const furtherDate = [
  String.raw`(?<!\w)\d{1,4}(?<divider>[-/.])\d{1,2}\k<divider>\d{1,4}(?!\d)`,
  String.raw`(?<![\d.])\d{8}(?!\d)`,
  String.raw`\b${monthWord}\b\.? ?\d`,
  String.raw`\d(?:st|nd|rd|th)?[ -]?${monthWord}\b`,
  String.raw`(?:[-\u2013\u2014]|\b(?:to|through|thru|until|and)) ?\d{1,2}/\d{1,2}(?!\d)`,
].join("|");

/** A time that may follow a date, with or without a zone, in any spelling: "17:00", "at 5 PM ET". With a further date, it is a range. */
const time = String.raw`(?:[T ,]+(?:at )?\d{1,2}(?::\d{2}| ?[ap]\.?m\b)(?!.*(?:${furtherDate})).*)?`;

/** Unambiguous spellings: the year is first, or the month is a word. */
const spellings = [
  String.raw`^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?:Z|[+-]\d{2}:\d{2}|${time})$`,
  // YYYYMMDD. Read as MMDDYYYY or DDMMYYYY, its year would be before 1232.
  String.raw`^(?<year>(?:19|20)\d{2})(?<month>0[1-9]|1[0-2])(?<day>\d{2})$`,
  String.raw`^(?<month>[a-z]{3})[a-z]*\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})${time}$`,
  String.raw`^(?<day>\d{1,2})(?:st|nd|rd|th)?[ /-](?<month>[a-z]{3})[a-z]*\.?,?[ /-](?<year>\d{4})${time}$`,
].map((pattern) => new RegExp(pattern, "i"));

/** Ambiguous spellings, with the day or the month first. Grants.gov's extract has MMDDYYYY. */
const numericSpellings = [
  String.raw`^(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4})${time}$`,
  String.raw`^(?<first>\d{2})(?<second>\d{2})(?<year>\d{4})$`,
].map((pattern) => new RegExp(pattern, "i"));

const shortYear = new RegExp(String.raw`^\d{1,2}([-/.])\d{1,2}\1\d{2}${time}$`, "i");

/**
 * Days that programs write where they have none: MySQL's and .NET's zeros, the first days of SQL Server, spreadsheets and Unix, and the
 * last day that they know.
 */
const placeholders = new Set([
  "0000-00-00",
  "0001-01-01",
  "1753-01-01",
  "1899-12-30",
  "1899-12-31",
  "1900-01-00",
  "1900-01-01",
  "1970-01-01",
  "9999-12-31",
]);

/** Numbers, as written, of a date with the day or the month first. */
export interface NumericDate {
  first: string;
  second: string;
  year: string;
}

/** Splits a date that has the day or the month first into its numbers. Undefined for every other value. */
export function splitNumericDate(value: unknown): NumericDate | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = toDateText(value);
  if (spellings.some((spelling) => spelling.test(text))) return undefined;
  for (const spelling of numericSpellings) {
    const { first = "", second = "", year = "" } = spelling.exec(text)?.groups ?? {};
    if (year !== "") return { first, second, year };
  }
  return undefined;
}

/** The text of a date, without "Open until" and the like before it, and without the day of the week. */
function toDateText(value: unknown): string {
  const text = toLine(value);
  return (openEnded.test(text) ? endOf(text) : text).replace(weekday, "");
}

/** What stands behind the words for an end, such as "Open until"; the whole text where there are none. */
function endOf(text: string): string {
  const words = untilWords.find((pattern) => pattern.test(text));
  return words === undefined ? text : text.replace(words, "").replace(/[).\s]{1,3}$/, "");
}

/** Part of a date: "6/30/2026", "June 30", "6/30", "June 2026". */
const partOfDate = new RegExp(`${furtherDate}|(?<![\\d/])(?!24/7\\b)\\d{1,2}/\\d{1,2}(?!\\d)`, "i");

/** Whether the date exists when its numbers are read in this order. */
export function existsIn({ first, second, year }: NumericDate, order: "dmy" | "mdy"): boolean {
  const [day, month] = order === "dmy" ? [first, second] : [second, first];
  return exists(Number(year), Number(month), Number(day));
}

/**
 * Reads a day as `YYYY-MM-DD`, from any of: 2026-05-28, 2026/05/28, 2026-05-28T17:00..., 20260528, May 28, 2026,
 * 28 May 2026, 28-May-2026, Thursday, May 28th, 2026; and, with the month or the day first as the order says, 05/28/2026, 5-28-2026,
 * 5.28.2026, 05282026. A moment becomes the day that is written in it, in whatever zone. "Rolling", "TBD" and similar
 * words become null where there is no part of a date beside them; "Open until 06/30/2026" and "Open; closes June 30, 2026" are the day. A range
 * is no day.
 *
 * @param order of the numbers. A {@link ColumnDate} has its own. Default: `mdy`, the order of US publishers.
 * @throws {PlaceholderDate} for a day that programs write where they have none.
 * @throws {UnreadableDate} for every other text.
 * @throws {ValueError} for a day that does not exist, and for years of two digits, which could be the year or the day.
 */
export function parseDay(value: unknown, order: DateOrder = "mdy"): string | null {
  if (value instanceof ColumnDate) {
    if (typeof value.order === "string") return parseDay(value.text, value.order);
    if (splitNumericDate(value.text) !== undefined)
      throw new ValueError(`${quoteValue(value.text)} ${value.order.refusal}`);
    return parseDay(value.text, "iso");
  }
  const text = toDateText(value);
  for (const spelling of spellings) {
    const { year = "", month = "", day = "" } = spelling.exec(text)?.groups ?? {};
    if (year === "") continue;
    const monthNumber = parseMonth(month);
    refusePlaceholder(value, dayText(year, monthNumber, Number(day)));
    if (!exists(Number(year), monthNumber, Number(day)))
      throw new ValueError(`${quoteValue(value)} is not a date that exists`);
    return dayText(year, monthNumber, Number(day));
  }
  const numeric = splitNumericDate(value);
  if (numeric !== undefined) return numericDay(value, numeric, order);
  const isShort = shortYear.test(text);
  if (openEnded.test(toLine(value)) && !partOfDate.test(toLine(value))) return null;
  const message = `${quoteValue(value)} is not a date (for example 2026-05-28 or 05/28/2026)`;
  throw isShort ? new ValueError(`${message}: its year needs four digits`) : new UnreadableDate(message);
}

function numericDay(value: unknown, numeric: NumericDate, order: DateOrder): string {
  if (order === "iso") throw new ValueError(`${quoteValue(value)} does not have its year first, as --dates iso says`);
  const { first, second, year } = numeric;
  const day =
    order === "dmy" ? dayText(year, Number(second), Number(first)) : dayText(year, Number(first), Number(second));
  refusePlaceholder(value, day);
  if (!existsIn(numeric, order)) {
    throw new ValueError(
      `${quoteValue(value)} is not a date that exists, with the ${order === "dmy" ? "day" : "month"} first`,
    );
  }
  return day;
}

/** @throws {PlaceholderDate} */
function refusePlaceholder(value: unknown, day: string): void {
  if (placeholders.has(day)) throw new PlaceholderDate(`${quoteValue(value)} stands for no date`);
}

function dayText(year: string, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Reads a day that is only compared with others. A value that is blank or no date becomes null. */
export function parseDayOrNull(value: unknown, order: DateOrder): string | null {
  if (isBlank(value)) return null;
  try {
    return parseDay(value, order);
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

const isoMoment =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s*(?:(Z|UTC|GMT)|([+-]\d{2})(?::?(\d{2}))?)?$/i;

/**
 * Reads a moment as RFC 3339 in UTC. A day alone means its first moment in UTC. So does a day with a time that is not
 * written as in ISO 8601. A time without a zone is in UTC.
 *
 * @param order of the numbers in a date, as for {@link parseDay}.
 */
export function parseMoment(value: unknown, order: DateOrder = "mdy"): string | null {
  const match = isoMoment.exec(toLine(value instanceof ColumnDate ? value.text : value));
  if (match === null) {
    const day = parseDay(value, order);
    return day === null ? null : `${day}T00:00:00.000Z`;
  }
  const [text, day = "", time = "", seconds = ":00", , hours, minutes = "00"] = match;
  const moment = Date.parse(`${parseDay(day)}T${time}${seconds}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
  if (Number.isNaN(moment)) throw new ValueError(`${quoteValue(text)} is not a moment that exists`);
  return new Date(moment).toISOString();
}

function parseMonth(month: string): number {
  return /\d/.test(month) ? Number(month) : months.indexOf(month.toLowerCase()) + 1;
}

function exists(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC maps the years 0 to 99 to 1900 to 1999, so the comparison below rejects them.
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
