import type { Random } from "./random.ts";

/** Milliseconds in a day. */
const dayMs = 86_400_000;

const inWords = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
const monthInWords = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** Whole days since 1 January 1970, UTC: the generator's unit for dates. */
export type Day = number;

/** The UTC day in which a moment falls. */
export function dayOf(moment: Date): Day {
  return Math.floor(moment.getTime() / dayMs);
}

/** `2026-03-14` */
export function isoDate(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** `March 14, 2026` */
export const longDate = (day: Day) => inWords.format(day * dayMs);

/** `March 2026` */
export const monthAndYear = (day: Day) => monthInWords.format(day * dayMs);

/** The federal fiscal year of a day: it starts in October of the year before. */
export function fiscalYear(day: Day): number {
  const date = new Date(day * dayMs);
  return date.getUTCFullYear() + (date.getUTCMonth() >= 9 ? 1 : 0);
}

/** The same day, or the Friday before it when it falls on a weekend. */
export function weekdayOnOrBefore(day: Day): Day {
  const weekday = (day + 4) % 7;
  if (weekday === 6) return day - 1;
  return weekday === 0 ? day - 2 : day;
}

/** The same day, or the Monday after it when it falls on a weekend. */
export function weekdayOnOrAfter(day: Day): Day {
  const weekday = (day + 4) % 7;
  if (weekday === 6) return day + 2;
  return weekday === 0 ? day + 1 : day;
}

/** A moment of the day as RFC 3339 in UTC, between two hours. */
export function momentIn(day: Day, fromHour: number, toHour: number, random: Random): string {
  const second = random.integer(fromHour * 3600, toHour * 3600 - 1);
  return new Date(day * dayMs + second * 1000).toISOString().replace(".000Z", "Z");
}
