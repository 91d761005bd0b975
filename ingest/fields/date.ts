import { NoDay, PlaceholderDate, quoteValue, UnreadableDate, ValueError } from "../errors.ts";
import { type DateInText, findDates, hasPartOfDate, monthName } from "./date-spellings.ts";
import { type DateRole, endOf, isExplanation, isLabel, isOpenEnded, saysMore } from "./date-words.ts";
import { blankOut, findTimes, momentOn } from "./time-spellings.ts";
import { isBlank, type NoteValue, toLine } from "./value.ts";

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

/**
 * Days that programs write where they have none: MySQL's and .NET's zeros, the first days of SQL Server, spreadsheets and Unix, and the last days that
 * they know.
 */
const placeholders = new Set([
  ...["0000-00-00", "0001-01-01", "1753-01-01", "1899-12-30", "1899-12-31", "1900-01-00", "1900-01-01", "1970-01-01"],
  ...["2099-12-31", "2100-01-01", "2999-12-31", "9999-12-31"],
]);

/** First year whose days are no deadlines: publishers write one where an opportunity stays open. (An award may be said to end in 2108.) */
const farthestYear = 2099;

/** Longest text in which a date is looked for, in characters. */
const longestText = 500;

/** Numbers of a date with the day or the month first, as written, and its year in four digits. */
export interface NumericDate {
  first: string;
  second: string;
  year: string;
}

/** Splits a date that has the day or the month first into its numbers. Undefined for every other value. */
export function splitNumericDate(value: unknown): NumericDate | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  if (typeof value === "string" && !/\d/.test(value)) return undefined;
  try {
    const text = toLine(value);
    const [date, ...others] = isPlainDay(text) || text.length > longestText ? [] : findDates(text);
    if (date?.kind !== "numeric" || others.length > 0 || !isExplanation(text.slice(date.end))) return undefined;
    return { first: date.first, second: date.second, year: String(date.year).padStart(4, "0") };
  } catch (error) {
    // A formula, which its field refuses.
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

/** Whether the date exists when its numbers are read in this order. */
export function existsIn({ first, second, year }: NumericDate, order: "dmy" | "mdy"): boolean {
  const [day, month] = order === "dmy" ? [first, second] : [second, first];
  return exists(Number(year), Number(month), Number(day));
}

const isPlainDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Reading of a date's text: a day, a month, or no date. */
type Reading = { kind: "day"; day: string } | { kind: "month"; month: string } | { kind: "none" };

/**
 * Reads a day as `YYYY-MM-DD`. It may be written 2026-05-28, 2026/05/28, 2026-05-28T17:00..., 20260528, May 28, 2026, 28 May 2026,
 * 28-MAY-26, May-28-2026, and, with the month or the day first as the order says, 05/28/2026, 5-28-26, 5.28.2026, 05282026; with its time, its day
 * of the week, and the words of its field ("Applications due by 5 PM ET on January 15, 2027"). A moment becomes the day that is written
 * in it, in whatever zone. "Rolling", "TBD" and similar words become null where there is no part of a date beside them. Two days, or a
 * range, are no day.
 *
 * @param order of the numbers. A {@link ColumnDate} has its own. Default: `mdy`, the order of US publishers.
 * @param role what the field's date is. A month alone is its first day where something was posted then, and its last where something ends.
 *   A deadline is no month: any day of it may be the last.
 * @param note is told where a month's day was taken.
 * @throws {PlaceholderDate} for a day that programs write where they have none.
 * @throws {NoDay} for a text that names no day: other words, a year, a month as a deadline.
 * @throws {UnreadableDate} for a text that names several days, part of one, or perhaps another than the field's.
 * @throws {ValueError} for a day that does not exist.
 */
export function parseDay(
  value: unknown,
  order: DateOrder = "mdy",
  role: DateRole = "deadline",
  note?: NoteValue,
): string | null {
  const reading = readDate(value, order, role);
  if (reading.kind === "none") return null;
  if (reading.kind === "day") return reading.day;
  if (role === "deadline") throw new NoDay(`${quoteValue(textOf(value))} is a month, and names no day`);
  const [year = 0, month = 0] = reading.month.split("-").map(Number);
  const isFirst = role === "posted";
  note?.(textOf(value), `is a month: its ${isFirst ? "first" : "last"} day was taken`);
  return isFirst ? `${reading.month}-01` : new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function textOf(value: unknown): unknown {
  return value instanceof ColumnDate ? value.text : value;
}

function readDate(value: unknown, order: DateOrder, role: DateRole): Reading {
  if (value instanceof ColumnDate) {
    if (typeof value.order === "string") return readDate(value.text, value.order, role);
    if (splitNumericDate(value.text) !== undefined)
      throw new ValueError(`${quoteValue(value.text)} ${value.order.refusal}`);
    return readDate(value.text, "iso", role);
  }
  const whole = toLine(value);
  if (isPlainDay(whole)) {
    const [year, month, day] = whole.split("-").map(Number);
    return { kind: "day", day: checkDay(value, role, [year ?? 0, month ?? 0, day ?? 0]) };
  }
  const message = `${quoteValue(value)} is not a date (for example 2026-05-28 or 05/28/2026)`;
  if (whole.length > longestText) throw new NoDay(message);
  const mayBeOpenEnded = isOpenEnded(whole, role);
  const text = mayBeOpenEnded && role !== "posted" ? endOf(whole) : whole;
  const dates = findDates(text);
  const days = dates.filter((date) => date.kind !== "month");
  if (days.length > 0) return { kind: "day", day: readOneDay(value, text, days, order, role) };
  const [month, ...others] = dates;
  if (month?.kind === "month" && others.length === 0 && isOnlyDate(text, month, month, role))
    return { kind: "month", month: dayText(month.year, month.month, 1).slice(0, 7) };
  if (month !== undefined) throw new NoDay(`${message}: it names no day`);
  if (hasPartOfDate(text)) throw new UnreadableDate(message);
  if (mayBeOpenEnded) return { kind: "none" };
  if (/^\d+(?:\.\d+)?$/.test(text) && !/^(?:19|20)\d{2}$/.test(text))
    throw new ValueError(`${message}: it is a number, as spreadsheets count days; export the column as dates`);
  throw new NoDay(`${message}${explainNoDay(text)}`);
}

/** Why a text that looks like a date is none. */
function explainNoDay(text: string): string {
  if (new RegExp(`^${monthName}\\.?[- ]\\d{1,2}$`, "i").test(text)) return ": it may name a day or a year";
  if (/^\d{4}[-/]\d{2}$/.test(text)) return ": it may be a month or two years";
  return /\b(?:19|20)\d{2}\b|\bFY ?\d{2}/i.test(text) ? ": it names no day" : "";
}

/** The one day that a text names, also several times. */
function readOneDay(
  value: unknown,
  text: string,
  dates: readonly DateInText[],
  order: DateOrder,
  role: DateRole,
): string {
  const days = new Set(dates.map((date) => dayOf(value, date, order, role)));
  const [day = ""] = days;
  const [first, last] = [dates[0], dates.at(-1)];
  if (days.size > 1) throw new UnreadableDate(`${quoteValue(value)} is not a date: it names several days`);
  if (first === undefined || last === undefined || !isOnlyDate(text, first, last, role))
    throw new UnreadableDate(`${quoteValue(value)} is not a date of this field: it may be another day`);
  return day;
}

/** Whether the text around a date leaves it the field's, and the only one. */
function isOnlyDate(text: string, first: DateInText, last: DateInText, role: DateRole): boolean {
  return isLabel(text.slice(0, first.start), role) && isExplanation(text.slice(last.end));
}

function dayOf(value: unknown, date: DateInText, order: DateOrder, role: DateRole): string {
  if (date.kind === "month") throw new NoDay(`${quoteValue(value)} names no day`);
  if (date.kind === "day") return checkDay(value, role, [date.year, date.month, date.day]);
  if (order === "iso") throw new ValueError(`${quoteValue(value)} does not have its year first, as --dates iso says`);
  const [day, month] = order === "dmy" ? [date.first, date.second] : [date.second, date.first];
  const inOrder = `, with the ${order === "dmy" ? "day" : "month"} first`;
  return checkDay(value, role, [date.year, Number(month), Number(day)], inOrder);
}

/** @throws {ValueError} for a placeholder, and for a day that does not exist. */
function checkDay(
  value: unknown,
  role: DateRole,
  [year, month, day]: readonly [year: number, month: number, day: number],
  order = "",
): string {
  const text = dayText(year, month, day);
  if (placeholders.has(text)) throw new PlaceholderDate(`${quoteValue(value)} stands for no date`);
  if (!exists(year, month, day)) throw new ValueError(`${quoteValue(value)} is not a date that exists${order}`);
  if (role === "deadline" && year >= farthestYear) throw new PlaceholderDate(`${quoteValue(value)} stands for no date`);
  return text;
}

function dayText(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
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
 * Reads a moment as RFC 3339 in UTC. A day alone means its first moment in UTC. So does a day with a time that is not written as in ISO 8601
 * and has no zone, and one at midnight, which programs write for a day alone. "EST" is five hours behind UTC also in July. A time of ISO
 * 8601 without a zone is in UTC.
 *
 * @param order of the numbers in a date, as for {@link parseDay}.
 */
export function parseMoment(
  value: unknown,
  order: DateOrder = "mdy",
  role: DateRole = "posted",
  note?: NoteValue,
): string | null {
  const line = toLine(textOf(value));
  const match = isoMoment.exec(line);
  if (match === null) {
    const day = parseDay(value, order, role, note);
    if (day === null) return null;
    const written = toldMoment(line, day, false);
    return written === undefined || isMidnight(written) ? `${day}T00:00:00.000Z` : new Date(written).toISOString();
  }
  const [text, day = "", time = "", seconds = ":00", , hours, minutes = "00"] = match;
  const moment = Date.parse(
    `${parseDay(day, "iso", role)}T${time}${seconds}${hours === undefined ? "Z" : `${hours}:${minutes}`}`,
  );
  if (Number.isNaN(moment)) throw new ValueError(`${quoteValue(text)} is not a moment that exists`);
  return new Date(moment).toISOString();
}

/** The moment that a text tells on its day, with the offset of its zone. */
function toldMoment(text: string, day: string, isStrict: boolean): string | undefined {
  return text.length > longestText ? undefined : momentOn(day, findTimes(blankOut(text, findDates(text))), isStrict);
}

function isMidnight(moment: string): boolean {
  return moment.includes("T00:00:00");
}

/**
 * The moment at which a deadline in words ends, as RFC 3339 with its offset: "January 15, 2027 (5:00 p.m. ET)". Null where the text has no hour or
 * no zone, or one of the other half of the year ("EST" in July). Midnight is none: it may be the day's beginning or its end.
 */
export function parseDeadlineText(value: unknown): string | null {
  const text = toLine(textOf(value));
  const order = value instanceof ColumnDate && typeof value.order === "string" ? value.order : "mdy";
  const day = parseDayOrNull(value, order);
  const moment = day === null ? undefined : toldMoment(text, day, true);
  return moment === undefined || isMidnight(moment) ? null : moment;
}

/**
 * The text of a deadline, where it says more than its day: an hour without a zone, words, or words alone ("Rolling"). Null where it does not.
 *
 * @param day the deadline that was read in it; null where there is none.
 */
export function deadlineNote(value: unknown, day: string | null): string | null {
  const text = toLine(textOf(value));
  if (day === null) return isPlaceholder(value) ? null : text;
  if (isPlainDay(text) || text.length > longestText) return null;
  const dates = findDates(text);
  const times = findTimes(blankOut(text, dates));
  const isTold = momentOn(day, times, true) !== undefined;
  const isWholeDay = times.every(({ time }) => /^(?:00:00|23:59)/.test(time));
  if (isMoment.test(text) || (!isTold && !isWholeDay)) return isMoment.test(text) ? null : text;
  return saysMore(blankOut(text, [...dates, ...times])) ? text : null;
}

function isPlaceholder(value: unknown): boolean {
  try {
    parseDay(value);
    return false;
  } catch (error) {
    if (error instanceof ValueError) return error instanceof PlaceholderDate;
    throw error;
  }
}

const isMoment = /^\d{4}-\d{2}-\d{2}T\d/;

function exists(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC maps the years 0 to 99 to 1900 to 1999, so the comparison below rejects them.
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
