import { printable } from "../shared/log/printable.ts";
import type { Quantile } from "./response-times.ts";

/** Names of endpoints and datasets as customers know them. Others are shown as they are. */
const kinds: ReadonlyMap<string, string> = new Map([
  ["grants-api", "Grants"],
  ["contracts-api", "Contracts"],
  ["funders-api", "Funders"],
  ["semantic-search", "Semantic search"],
  ["suggest", "Suggestions"],
  ["documents", "Documents"],
  ["common-grants", "CommonGrants"],
  ["snapshots", "Snapshots"],
  ["grants", "Grants"],
  ["contracts", "Contracts"],
  ["funders", "Funders"],
]);

export function kindName(name: string): string {
  return kinds.get(name) ?? printable(name);
}

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

/** "26 Nov 2026" */
export function formatDay(moment: Date): string {
  return dayFormat.format(moment);
}

/** "26 Nov 2026, 13:05 UTC" */
export function formatMoment(moment: Date): string {
  return `${formatDay(moment)}, ${timeFormat.format(moment)} UTC`;
}

/** "26 Nov 2026, 23:55 to 00:10 UTC" */
export function formatSpan(from: Date, to: Date): string {
  return `${formatDay(from)}, ${timeFormat.format(from)} to ${timeFormat.format(to)} UTC`;
}

/** "99.95 %". Only all is 100 %, and only none is 0 %. */
export function formatShare(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  if (part === whole) return "100 %";
  if (percent > 99.99) return "99.99 %";
  if (part > 0 && percent < 0.01) return "0.01 %";
  return `${Number(percent.toFixed(2))} %`;
}

/** "85 ms", "1.3 s", "over 10 s" */
export function formatQuantile(quantile: Quantile | undefined): string {
  if (quantile === undefined) return "no requests";
  const { ms, isMore } = quantile;
  const text =
    ms < 10
      ? `${Number(ms.toFixed(1))} ms`
      : ms < 1_000
        ? `${Math.round(ms)} ms`
        : `${Number((ms / 1_000).toFixed(1))} s`;
  return isMore ? `over ${text}` : text;
}

/** "5 minutes", "3 hours", "2 days": rounded down. */
export function formatDuration(minutes: number): string {
  const [value, unit] =
    minutes < 120 ? [minutes, "minute"] : minutes < 2_880 ? [minutes / 60, "hour"] : [minutes / 1_440, "day"];
  const whole = Math.floor(value);
  return `${whole} ${unit}${whole === 1 ? "" : "s"}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
