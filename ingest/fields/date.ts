import { shown, ValueError } from "../errors.ts";
import { lineOf } from "./value.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** What sources write for a date that does not exist yet, or never will. */
const openEnded =
  /^(rolling|ongoing|open|continuous|tbd|tba|to be (determined|announced)|varies|various|unknown|until )/i;

/** What may follow a date: a time, with or without a zone, in any of its spellings. */
const time = String.raw`(?:[T ,]+\d{1,2}:\d{2}.*)?`;

const spellings = [
  String.raw`^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})${time}$`,
  String.raw`^(?<month>\d{1,2})/(?<day>\d{1,2})/(?<year>\d{4})${time}$`,
  // Grants.gov's extract has MMDDYYYY. No month begins with 19 or 20, so YYYYMMDD cannot be taken for it.
  String.raw`^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})$`,
  String.raw`^(?<month>\d{2})(?<day>\d{2})(?<year>\d{4})$`,
  String.raw`^(?<month>[a-z]{3})[a-z]*\.? (?<day>\d{1,2}),? (?<year>\d{4})${time}$`,
  String.raw`^(?<day>\d{1,2}) (?<month>[a-z]{3})[a-z]*\.?,? (?<year>\d{4})${time}$`,
].map((pattern) => new RegExp(pattern, "i"));

/**
 * A day as `YYYY-MM-DD`, from any of: 2026-05-28, 2026-05-28T17:00..., 05/28/2026 (month first),
 * 05282026, 20260528, May 28, 2026, 28 May 2026. Of a moment, the day that is written counts,
 * whatever its zone. "Rolling", "TBD" and the like are null.
 */
export function dayOf(value: unknown): string | null {
  const text = lineOf(value);
  if (openEnded.test(text)) return null;
  for (const spelling of spellings) {
    const { year = "", month = "", day = "" } = spelling.exec(text)?.groups ?? {};
    if (year === "") continue;
    const monthNumber = monthNumberOf(month);
    if (!exists(Number(year), monthNumber, Number(day)))
      throw new ValueError(`${shown(value)} is not a date that exists`);
    return `${year}-${String(monthNumber).padStart(2, "0")}-${day.padStart(2, "0")}`;
  }
  throw new ValueError(`${shown(value)} is not a date (for example 2026-05-28 or 05/28/2026)`);
}

const isoMoment =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s*(?:(Z|UTC|GMT)|([+-]\d{2})(?::?(\d{2}))?)?$/i;

/**
 * A moment as RFC 3339 in UTC. A day alone means its first moment in UTC, and so does a time in any
 * spelling but ISO 8601's; a time without a zone is taken to be in UTC.
 */
export function momentOf(value: unknown): string | null {
  const text = lineOf(value);
  const match = isoMoment.exec(text);
  if (match === null) {
    const day = dayOf(text);
    return day === null ? null : `${day}T00:00:00.000Z`;
  }
  const [, day = "", time = "", seconds = ":00", , hours, minutes = "00"] = match;
  const moment = Date.parse(`${dayOf(day)}T${time}${seconds}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
  if (Number.isNaN(moment)) throw new ValueError(`${shown(value)} is not a moment that exists`);
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
