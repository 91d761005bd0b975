import { formatOffset, offsetOn, zoneName } from "./zone.ts";

/** A time of day in a text, with the zone behind it. */
export interface TimeInText {
  start: number;
  end: number;
  /** `HH:MM:SS`. */
  time: string;
  zone: string | undefined;
}

const pattern = new RegExp(
  String.raw`(?<![\d:.])(?:(?:12(?::00)?\s*)?(?<noon>noon)\b|(?<hour>\d{1,2})(?::(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.\d+)?)?)?(?:\s*(?<half>[ap])\.?\s?m\b\.?)?)(?!\d|:\d)(?:[\s,]*\(?${zoneName}\)?)?`,
  "gi",
);

/** Finds the times of a text: 17:00, 5 PM ET, 5:00 p.m. Eastern Time, 11:59:59 PM EST, noon. */
export function findTimes(text: string): TimeInText[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const { noon, hour = "", minute, second = "00", half, zone } = match.groups ?? {};
    // A number alone is no time.
    if (noon === undefined && minute === undefined && half === undefined) return [];
    const hours = noon === undefined ? hourOfDay(Number(hour), half?.toLowerCase()) : 12;
    if (hours === undefined) return [];
    const start = match.index ?? 0;
    const time = `${String(hours).padStart(2, "0")}:${minute ?? "00"}:${second}`;
    return [{ start, end: start + match[0].length, time, zone }];
  });
}

function hourOfDay(hour: number, half: string | undefined): number | undefined {
  if (half === undefined || hour > 12) return hour < 24 ? hour : undefined;
  if (hour === 0) return undefined;
  return (hour % 12) + (half === "p" ? 12 : 0);
}

/**
 * The one moment that the times of a text tell, on a day, as RFC 3339 with the offset of the zone. Undefined where there is no time, one
 * without a zone, or several moments: "8:00 AM - 5:00 PM ET".
 *
 * @param isStrict whether "EST" in July is no zone, because people write it for both halves of the year.
 */
export function momentOn(day: string, times: readonly TimeInText[], isStrict: boolean): string | undefined {
  const moments = times.map(({ time, zone }) => {
    const offset = zone === undefined ? undefined : offsetOn(day, time, zone, isStrict);
    return offset === undefined ? undefined : `${day}T${time}${offset === 0 ? "Z" : formatOffset(offset)}`;
  });
  const [first] = moments;
  const instants = new Set(moments.map((moment) => (moment === undefined ? Number.NaN : Date.parse(moment))));
  return instants.size === 1 && !instants.has(Number.NaN) ? first : undefined;
}

/** The text with blanks in the place of some parts of it. */
export function blankOut(text: string, parts: readonly { start: number; end: number }[]): string {
  return parts.reduce((rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end), text);
}
