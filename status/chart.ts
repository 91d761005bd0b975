import { escapeHtml } from "../shared/http/escape-html.ts";
import type { DaySummary } from "./summary.ts";
import { formatDay, formatQuantile, formatShare } from "./words.ts";

/** Width of a day and height of the charts, in units of the drawing, which is stretched to the page's width. */
const dayWidth = 8;
const barWidth = 6;
const height = 40;
/** Least height of a mark that must be seen: a failure of one check in 288. */
const leastHeight = 6;

/** Pattern of failures. Its stripes lie flat, and so are the same however wide the drawing is. */
const stripes = `<defs><pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse"><rect class="stripe" width="4" height="2.5"/></pattern></defs>`;

/** Bar for each day: full where every check was well, striped from above where some failed, a stub where nothing is known. */
export function uptimeChart(days: readonly DaySummary[], label: string): string {
  const bars = days.map((day, index) => titled(dayWords(day), uptimeBar(day, index * dayWidth)));
  return drawing(label, [stripes, ...bars], days.length);
}

function uptimeBar({ known, ready }: DaySummary, x: number): string {
  if (known === 0) return rectangle("unknown", x, height - 3, 3);
  if (known === ready) return rectangle("ready", x, 0, height);
  const failed = Math.min(height, Math.max(leastHeight, ((known - ready) / known) * height));
  return `${rectangle("failed-base", x, 0, failed)}${rectangle("failed", x, 0, failed)}${failed < height ? rectangle("ready", x, failed + 1, height - failed - 1) : ""}`;
}

/** Bar for each day, as high as its p95 beside the highest. */
export function responseTimeChart(days: readonly DaySummary[], label: string): string {
  const highest = Math.max(1, ...days.map(({ p95 }) => p95?.ms ?? 0));
  const bars = days.map(({ date, p95 }, index) => {
    const x = index * dayWidth;
    if (p95 === undefined) return titled(`${formatDay(date)}: no data`, rectangle("unknown", x, height - 3, 3));
    const high = Math.max(leastHeight, (p95.ms / highest) * height);
    return titled(`${formatDay(date)}: ${formatQuantile(p95)}`, rectangle("p95", x, height - high, high));
  });
  return drawing(label, bars, days.length);
}

/** "26 Nov 2026: 99.7 % of 288 checks", in words for days of which nothing is known. */
export function dayWords({ date, known, ready }: DaySummary): string {
  if (known === 0) return `${formatDay(date)}: no data`;
  return `${formatDay(date)}: ready in ${formatShare(ready, known)} of ${known} five-minute slots`;
}

function drawing(label: string, content: readonly string[], days: number): string {
  return `<svg class="days" role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${days * dayWidth} ${height}" preserveAspectRatio="none">${content.join("")}</svg>`;
}

function titled(title: string, content: string): string {
  return `<g><title>${escapeHtml(title)}</title>${content}</g>`;
}

function rectangle(kind: string, x: number, y: number, high: number): string {
  const round = (value: number) => Number(value.toFixed(2));
  return `<rect class="${kind}" x="${x + 1}" y="${round(y)}" width="${barWidth}" height="${round(high)}"/>`;
}
