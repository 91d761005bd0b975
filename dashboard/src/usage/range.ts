/** Limit of days in one usage request. */
export const maximumDays = 90;
/** Limit of days in a usage request with hours. */
export const maximumHourlyDays = 7;

const millisecondsInDay = 86_400_000;

/** Ranges that end today, in days. */
export const recentRanges = [7, 30, 90] as const;
const defaultDays = 30;

/** Days of a usage page, both included, in UTC. */
export interface UsageRange {
  from: string;
  to: string;
  days: number;
  /** Chosen by its days, rather than one of `recentRanges`. */
  isCustom: boolean;
  /** Why the days in the address could not be taken: the last 30 days stand in. */
  error?: string;
}

/** The range that an address has: `?range=7`, or `?from=2026-11-01&to=2026-11-20`. Default: the last 30 days. */
export function rangeOf(search: URLSearchParams, now = Date.now()): UsageRange {
  const today = dayOf(now);
  const [from, to] = [search.get("from"), search.get("to")];
  if (from === null && to === null) {
    const days = recentRanges.find((days) => String(days) === search.get("range")) ?? defaultDays;
    return { from: shiftDay(today, 1 - days), to: today, days, isCustom: false };
  }
  const last = to ?? today;
  const first = from ?? shiftDay(isDay(last) ? last : today, 1 - defaultDays);
  const days = daysBetween(first, last);
  const error = faultOf(first, last, days, today);
  if (error === undefined) return { from: first, to: last, days, isCustom: true };
  return { from: shiftDay(today, 1 - defaultDays), to: today, days: defaultDays, isCustom: true, error };
}

function faultOf(from: string, to: string, days: number, today: string): string | undefined {
  if (!isDay(from) || !isDay(to)) return "Choose both days. The last 30 days are shown.";
  if (days < 1) return "The first day is after the last. The last 30 days are shown.";
  if (to > today) return "The last day is still to come. The last 30 days are shown.";
  if (days > maximumDays) return `At most ${maximumDays} days at a time. The last 30 days are shown.`;
  return undefined;
}

/** The days before a range, as many as it has. */
export function rangeBefore({ from, days }: Pick<UsageRange, "from" | "days">): { from: string; to: string } {
  return { from: shiftDay(from, -days), to: shiftDay(from, -1) };
}

/**
 * A count beside that of an earlier time, in words: "12% more than the 7 days before". Nothing where both are 0.
 *
 * @param ago the earlier time: "the 7 days before"
 */
export function compareCounts(now: number, before: number, ago: string): string | undefined {
  if (now === before) return now === 0 ? undefined : `as many as ${ago}`;
  if (before === 0) return `none ${ago}`;
  const share = Math.round((100 * Math.abs(now - before)) / before);
  const amount = share === 0 ? "less than 1%" : `${share.toLocaleString("en-US")}%`;
  return `${amount} ${now > before ? "more" : "fewer"} than ${ago}`;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / millisecondsInDay + 1;
}

/** A day so many days later, or earlier. */
export function shiftDay(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * millisecondsInDay);
}

/** The UTC day of a moment. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
