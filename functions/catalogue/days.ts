import { publisherDay, publisherTimeZone } from "../../shared/publisher-day.ts";

const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** A day in words; as it is written where it is none. */
export function dayName(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? day : dayFormat.format(date);
}

/** The day of a moment, where publishers are. Midnight in UTC stands for a day without an hour. */
export function momentDay(moment: string): string {
  const [, day] = /^(\d{4}-\d\d-\d\d)T00:00:00(?:\.0+)?Z$/.exec(moment) ?? [];
  return dayName(day ?? publisherDay(new Date(moment)));
}

/** Days from today, where publishers are, to a day. */
export function daysUntil(day: string, now: Date): number {
  return Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${publisherDay(now)}T00:00:00Z`)) / 86_400_000);
}

/** `closes today`, `12 days left`; undefined where the day has passed. */
export function daysLeft(day: string, now: Date): string | undefined {
  const days = daysUntil(day, now);
  if (days < 0) return undefined;
  if (days === 0) return "closes today";
  return days === 1 ? "1 day left" : `${days} days left`;
}

/** Whether a deadline is near: within ten days. */
export function isSoon(day: string, now: Date): boolean {
  const days = daysUntil(day, now);
  return days >= 0 && days <= 10;
}

/** Hour of a deadline where its publisher is: by the offset that its source gives. */
export function hourOf(moment: string): string | undefined {
  const [, hours, minutes, offset] = /T(\d\d):(\d\d)[^Z+-]*(Z|[+-]\d\d:\d\d)$/.exec(moment) ?? [];
  if (hours === undefined || minutes === undefined || offset === undefined) return undefined;
  const hour = Number(hours);
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${minutes} ${hour < 12 ? "a.m." : "p.m."}`;
  return `${clock} ${zoneName(new Date(moment), offset)}`;
}

/** `Eastern time` for an offset that the publishers' zone has at the moment, else the offset. */
function zoneName(moment: Date, offset: string): string {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: publisherTimeZone, timeZoneName: "longOffset" });
  const eastern = parts.formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value;
  if (eastern === `GMT${offset}`) return "Eastern time";
  return offset === "Z" || offset === "+00:00" ? "UTC" : `UTC${offset.replace("-", "−")}`;
}
