import type { PublicStatus } from "../../../status/public.ts";
import { formatDay } from "../format/dates.ts";
import { formatCount, formatLatency } from "../format/numbers.ts";

export type StatusDay = PublicStatus["days"][number];

/** "99.95%", rounded down: only all is 100%. A dash where nothing is known. */
export function formatUptime(ready: number, known: number): string {
  if (known === 0) return "–";
  return `${Math.floor((10_000 * ready) / known) / 100}%`;
}

/** "Nov 26: up in 99.65% of 288 checks, p95 25 ms"; "Nov 25: no data". */
export function dayWords({ day, known, ready, p95_ms }: StatusDay): string {
  if (known === 0) return `${formatDay(day)}: no data`;
  const checks = `${formatCount(known)} ${known === 1 ? "check" : "checks"}`;
  const up = known === ready ? `up in all of ${checks}` : `up in ${formatUptime(ready, known)} of ${checks}`;
  return `${formatDay(day)}: ${up}${p95_ms === null ? "" : `, p95 ${formatLatency(p95_ms)}`}`;
}
