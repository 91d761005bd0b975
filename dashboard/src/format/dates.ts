const date = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" });
const dateTime = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });
const utcDay = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const utcHour = new Intl.DateTimeFormat("en-US", {
  ...{ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
  hourCycle: "h23",
  timeZone: "UTC",
});
const time = new Intl.DateTimeFormat("en-US", { timeStyle: "short" });
const exactTime = new Intl.DateTimeFormat("en-US", {
  ...{ hour: "numeric", minute: "2-digit", second: "2-digit" },
  fractionalSecondDigits: 3,
});
const relative = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

/** Nov 20, 2026, in the reader's time zone. */
export function formatDate(moment: string): string {
  return date.format(new Date(moment));
}

/** Nov 20, 2026, 3:05 PM, in the reader's time zone. */
export function formatDateTime(moment: string): string {
  return dateTime.format(new Date(moment));
}

/** 3:05 PM, in the reader's time zone. */
export function formatTime(moment: number): string {
  return time.format(moment);
}

/** 3:05:07.123 PM, in the reader's time zone. */
export function formatExactTime(moment: string): string {
  return exactTime.format(new Date(moment));
}

/** "midnight UTC (7:00 PM your time)": the end of a quota's day. */
export function formatMidnight(moment: string): string {
  const local = new Date(moment);
  return local.getTimezoneOffset() === 0 ? "midnight UTC" : `midnight UTC (${time.format(local)} your time)`;
}

/** Nov 20: a day in UTC. */
export function formatDay(day: string): string {
  return utcDay.format(new Date(`${day}T00:00:00Z`));
}

/** Nov 20, 14:00: an hour in UTC. */
export function formatHour(moment: string): string {
  return utcHour.format(new Date(moment));
}

/** "due now", "in 5 minutes": a time that is still to come. */
export function formatWait(seconds: number, now = Date.now()): string {
  return seconds <= 0 ? "due now" : formatRelative(new Date(now + seconds * 1000).toISOString(), now);
}

/** "today", "tomorrow", "in 9 days". */
export function formatDaysLeft(days: number): string {
  return relative.format(days, "day");
}

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** "5 minutes ago", "in 3 days". */
export function formatRelative(moment: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(moment) - now) / 1000);
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? "in less than a minute" : "just now";
}
