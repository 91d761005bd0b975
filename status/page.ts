import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { escapeHtml } from "../shared/http/escape-html.ts";
import { dayWords, responseTimeChart, uptimeChart } from "./chart.ts";
import { type History, slotMinutes } from "./history.ts";
import { type Summary, summarize } from "./summary.ts";
import {
  formatCount,
  formatDay,
  formatDuration,
  formatMoment,
  formatQuantile,
  formatShare,
  formatSpan,
  kindName,
} from "./words.ts";

/** Outages that are listed; the table of days has all. */
const maximumOutages = 20;

/** Page of a history: one file that needs no script, no other file and no service to be read. */
export async function statusPage(history: History): Promise<string> {
  const summary = summarize(history);
  const styles = await readStyles();
  const hash = createHash("sha256").update(styles).digest("base64");
  const { host } = new URL(history.base_url);
  const { title, isWell } = stateWords(history);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Whether the Funding Opportunities Data API is up, how fast it answers, how fresh its data is, and the last 90 days.">
<title>${escapeHtml(title)} · Status of the Funding Opportunities Data API</title>
<style>${styles}</style>
</head>
<body>
<main>
<header><p class="brand">Funding Opportunities <span>Data API</span></p><h1>Status</h1></header>
<section class="state ${isWell ? "well" : "failing"}" aria-labelledby="state">
${stateSection(history, title, host)}
${figures(history, summary)}
</section>
<section aria-labelledby="days">
${daysSection(summary)}
</section>
<section aria-labelledby="times">
${responseTimesSection(history, summary)}
</section>
<section aria-labelledby="data">
${dataSection(history)}
</section>
<footer><p>Checks are made from outside the service, and this page is kept elsewhere: it can be read while the service is down. All
times are UTC.</p></footer>
</main>
</body>
</html>
`;
}

async function readStyles(): Promise<string> {
  const files = ["../dashboard/src/styles/tokens.css", "page.css"];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), "utf8")));
  return `\n${texts.join("\n")}`;
}

function stateWords({ latest }: History): { title: string; isWell: boolean } {
  switch (latest.outcome) {
    case "ready":
      return { title: "The API is up", isWell: true };
    case "not-ready":
      return { title: "The API is not ready", isWell: false };
    case "unreachable":
      return { title: "The API cannot be reached", isWell: false };
  }
}

function stateSection({ latest }: History, title: string, host: string): string {
  const mark = latest.outcome === "ready" ? "✓" : "✕";
  const took = latest.response_ms === null ? "" : ` It answered in ${formatCount(latest.response_ms)} ms.`;
  const detail = latest.detail === null ? "" : `<p class="detail">${escapeHtml(latest.detail)}</p>`;
  return `<h2 id="state"><span class="mark" aria-hidden="true">${mark}</span> ${title}</h2>
${detail}
<p><strong>${escapeHtml(host)}</strong> was checked on ${time(latest.at)}.${took}</p>
<p class="muted">A check is due every ${slotMinutes} minutes, and writes this page anew: reload it. If that moment is long past, the checks have stopped, and
nothing is known since.</p>`;
}

/** The figures that most readers come for. */
function figures({ metrics }: History, { known, ready, firstDay, allResponseTimes: { hour, day } }: Summary): string {
  const measured: [name: string, value: string, note: string][] = [
    ["Ready", formatShare(ready, known), `of the checked time since ${formatDay(firstDay)}`],
  ];
  if (metrics.read_at !== null) {
    measured.push(
      ["p95, last hour", formatQuantile(hour), "all requests"],
      ["p95, today", formatQuantile(day), "since midnight UTC"],
    );
  }
  const items = measured.map(
    ([name, value, note]) =>
      `<div><dt>${name}</dt><dd><strong>${value}</strong></dd><dd class="muted">${note}</dd></div>`,
  );
  return `<dl class="figures">${items.join("")}</dl>`;
}

function daysSection(summary: Summary): string {
  const { days, known, ready, elapsed, firstDay, outages } = summary;
  const share = formatShare(ready, known);
  const unknown = elapsed - known;
  const label = `One bar for each of the last ${days.length} days. ${share} of the checked time ready. The table below has every day.`;
  const oldest = days[0]?.date ?? firstDay;
  return `<h2 id="days">The last ${days.length} days</h2>
<p class="muted">${formatCount(ready)} of ${formatCount(known)} slots of ${slotMinutes} minutes with a check, in which every check found the API ready.
${
  unknown === 0
    ? `Since ${formatDay(firstDay)}, every slot was checked.`
    : `Since ${formatDay(firstDay)}, ${formatShare(unknown, elapsed)} of the slots had no check. Of them nothing is known: the API may have been up or down.`
}</p>
${uptimeChart(days, label)}
<p class="ends"><span>${formatDay(oldest)}</span><span>today</span></p>
<ul class="legend">
<li>${swatch("ready")} Full bar: every check was well</li>
<li>${swatch("failed")} Striped from above: checks failed</li>
<li>${swatch("unknown")} Stub: no data</li>
</ul>
<h3>Outages</h3>
${outageList(outages)}
<details><summary>Every day in words</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Every day in words"><table><thead><tr><th scope="col">Day</th><th scope="col">Ready</th><th scope="col">p95</th></tr></thead><tbody>
${days
  .toReversed()
  .map((day) => {
    const [date = "", words = ""] = dayWords(day).split(": ");
    return `<tr><th scope="row">${date}</th><td>${words}</td><td>${day.p95 === undefined ? "not known" : formatQuantile(day.p95)}</td></tr>`;
  })
  .join("\n")}
</tbody></table></div></details>`;
}

function outageList(outages: Summary["outages"]): string {
  if (outages.length === 0) return "<p>No check failed.</p>";
  const items = outages.slice(0, maximumOutages).map(({ from, to, isOngoing, minutes, isUnreachable }) => {
    const what = isUnreachable ? "cannot be reached" : "is not ready";
    if (isOngoing) return `<li><strong>Since ${formatMoment(from)}</strong>: the API ${what}</li>`;
    const was = isUnreachable ? "could not be reached" : "was not ready";
    return `<li><strong>${formatSpan(from, to)}</strong>, about ${formatDuration(minutes)}: the API ${was}</li>`;
  });
  const more =
    outages.length > maximumOutages
      ? `<p>${outages.length - maximumOutages} earlier ones are in the table below.</p>`
      : "";
  return `<ul class="outages">${items.join("\n")}</ul>${more}`;
}

function responseTimesSection({ metrics }: History, { responseTimes, days }: Summary): string {
  const head = `<h2 id="times">Response times</h2>`;
  if (metrics.read_at === null) return `${head}\n<p>Response times are not measured here.</p>`;
  const note =
    metrics.problem === null
      ? ""
      : `<p class="detail">Last read on ${time(metrics.read_at)}. ${escapeHtml(metrics.problem)}</p>`;
  const rows = responseTimes.map(
    ({ endpoint, hour, day }) =>
      `<tr><th scope="row">${escapeHtml(kindName(endpoint))}</th><td>${formatQuantile(hour)}</td><td>${formatQuantile(day)}</td></tr>`,
  );
  const chart = days.some(({ p95 }) => p95 !== undefined)
    ? `<h3>p95 of each day, all requests together</h3>
${responseTimeChart(days, "One bar for each day, as high as its p95. The table of days has the numbers.")}
<p class="ends"><span>${formatDay(days[0]?.date ?? new Date(metrics.read_at))}</span><span>today</span></p>`
    : "";
  return `${head}
<p class="muted">p95: 19 of 20 requests were answered within this time, measured in the service.</p>
${note}
${
  rows.length === 0
    ? "<p>No requests were counted today.</p>"
    : `<table><thead><tr><th scope="col">Requests</th><th scope="col">Last hour</th><th scope="col">Today (UTC)</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`
}
${chart}`;
}

function dataSection({ metrics, latest }: History): string {
  const head = `<h2 id="data">Data</h2>`;
  if (metrics.data_as_of.length === 0)
    return `${head}\n<p>How fresh the data is, is not measured here: each answer has it in <code>meta.data_as_of</code>.</p>`;
  const rows = metrics.data_as_of.map(({ dataset, at }) => {
    const minutes = Math.max(0, (Date.parse(latest.at) - Date.parse(at)) / 60_000);
    return `<tr><th scope="row">${escapeHtml(kindName(dataset))}</th><td>${time(at)}</td><td>${formatDuration(minutes)}</td></tr>`;
  });
  return `${head}
<p class="muted">When the newest file of the publishers was written whose records are in, as <code>meta.data_as_of</code> of the answers.</p>
<table><thead><tr><th scope="col">Dataset</th><th scope="col">As of</th><th scope="col">Age at the last check</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;
}

function time(moment: string): string {
  return `<time datetime="${moment}">${formatMoment(new Date(moment))}</time>`;
}

function swatch(kind: string): string {
  const base = kind === "failed" ? `<rect class="failed-base" width="12" height="12"/>` : "";
  const bar =
    kind === "unknown"
      ? `<rect class="unknown" y="9" width="12" height="3"/>`
      : `<rect class="${kind}" width="12" height="12"/>`;
  return `<svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">${base}${bar}</svg>`;
}
