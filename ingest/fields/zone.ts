/** Zones of times, as publishers in the United States name them. */

/** Zones by name, with an IANA name, or with their offset in minutes where the name tells it. */
const zones: readonly [RegExp, string | number][] = [
  [/^(?:z|utc|gmt)$/, 0],
  [/^est$|^eastern standard/, -300],
  [/^edt$|^eastern daylight/, -240],
  [/^cst$|^central standard/, -360],
  [/^cdt$|^central daylight/, -300],
  [/^mst$|^mountain standard/, -420],
  [/^mdt$|^mountain daylight/, -360],
  [/^pst$|^pacific standard/, -480],
  [/^pdt$|^pacific daylight/, -420],
  [/^akst$|^alaska standard/, -540],
  [/^akdt$|^alaska daylight/, -480],
  [/^hst$|^hawaii/, -600],
  [/^et$|^eastern/, "America/New_York"],
  [/^ct$|^central/, "America/Chicago"],
  [/^mt$|^mountain/, "America/Denver"],
  [/^pt$|^pacific/, "America/Los_Angeles"],
  [/^akt$|^alaska/, "America/Anchorage"],
];

/** Zones with a summer time, by the offsets of their names for one half of the year. */
const zoneOfOffsetName: Readonly<Record<string, string>> = {
  e: "America/New_York",
  c: "America/Chicago",
  m: "America/Denver",
  p: "America/Los_Angeles",
  a: "America/Anchorage",
};

/** A zone's name in a text, behind a time: "ET", "Eastern Daylight Time", "UTC-05:00". */
export const zoneName = String.raw`(?:U\.?S\.? )?(?<zone>(?:UTC|GMT)? ?[+-]\d{1,2}(?::?\d{2})?|Z|UTC|GMT|(?:E|C|M|P|AK)[SD]?T|HST|(?:Eastern|Central|Mountain|Pacific|Alaska|Hawaii)(?: (?:Standard|Daylight))?)(?![\w:])(?: Time\b)?`;

/**
 * Offset from UTC, in minutes, of a zone on a day. Undefined where it is not known.
 *
 * @param isStrict whether a name of the other half of the year, "EST" in July, is not known: people write it for both.
 */
export function offsetOn(day: string, time: string, name: string, isStrict: boolean): number | undefined {
  const key = name.toLowerCase();
  const written = /([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(key);
  if (written !== null) {
    const minutes = Number(written[2]) * 60 + Number(written[3] ?? 0);
    return minutes > 14 * 60 ? undefined : written[1] === "-" ? -minutes : minutes;
  }
  const found = zones.find(([pattern]) => pattern.test(key))?.[1];
  if (found === undefined) return undefined;
  if (typeof found === "string") return offsetOfPlace(day, time, found);
  const place = zoneOfOffsetName[key.charAt(0)];
  const hasSummerTime = isStrict && found < 0 && place !== undefined;
  return hasSummerTime && offsetOfPlace(day, time, place) !== found ? undefined : found;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetOfPlace(day: string, time: string, zone: string): number | undefined {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, format);
  const local = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(local)) return undefined;
  const offsetAt = (ms: number) => {
    const name = format.formatToParts(new Date(ms)).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  };
  // The second look is for times near a change of the clocks.
  return offsetAt(local - offsetAt(local) * 60_000);
}

/** Writes an offset as RFC 3339: "-05:00". */
export function formatOffset(minutes: number): string {
  const absolute = Math.abs(minutes);
  const parts = [Math.floor(absolute / 60), absolute % 60].map((part) => String(part).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${parts.join(":")}`;
}
