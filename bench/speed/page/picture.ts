import { escapeHtml } from "../../../shared/http/escape-html.ts";
import { round } from "../../statistics.ts";
import type { SpeedHistory } from "../history.ts";
import { isMet, type Target, targets, targetText } from "../targets.ts";

const columns = 3;
const panel = { width: 320, height: 168 };
/** The chart in a panel: below two lines of title, above the dates and the goal, left of the last value. */
const chart = { left: 18, right: 262, top: 56, bottom: 120 };
const titleCharacters = 46;

interface Point {
  /** ISO date. */
  day: string;
  value: number;
}

/**
 * Draws how each goal of the last run went, as an SVG for light and dark pages: a line of its runs, the goal as a dashed line, the
 * last value, and the days of the first and the last run. All scales begin at zero.
 */
export function drawCourses({ runs }: SpeedHistory): string {
  const panels = (runs.at(-1)?.goals ?? []).flatMap(({ what }) => {
    const target = targets.find((known) => known.what === what);
    const points = runs.flatMap(({ at, goals }) =>
      goals.filter((goal) => goal.what === what).map(({ measured }) => ({ day: at.slice(0, 10), value: measured })),
    );
    return target === undefined ? [] : [{ what, target, points }];
  });
  const width = columns * panel.width;
  const height = Math.ceil(panels.length / columns) * panel.height;
  const described = panels.map(({ what, target, points }) => {
    return `${what}: ${points.at(-1)?.value}, goal: ${targetText(target)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
<title id="title">Goals of speed, run by run</title>
<desc id="description">${escapeHtml(described.join("; "))}.</desc>
<style>
text { font: 11px system-ui, sans-serif; fill: #1f2328 }
.small { font-size: 10px; fill: #59636e }
.last { font-weight: 600 }
.missed { fill: #b42318 }
path { fill: none; stroke: #0969da; stroke-width: 1.5 }
circle { fill: #0969da }
line { stroke: #59636e; stroke-dasharray: 4 3 }
.zero { stroke-dasharray: none; stroke-width: 0.5 }
rect { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .small { fill: #9198a1 }
  .missed { fill: #ff9492 }
  path { stroke: #58a6ff }
  circle { fill: #58a6ff }
  line { stroke: #9198a1 }
  rect { fill: #0d1117 }
}
</style>
<rect width="${width}" height="${height}"/>
${panels.map((drawn, index) => drawPanel(drawn, index)).join("\n")}
</svg>
`;
}

function drawPanel({ what, target, points }: { what: string; target: Target; points: Point[] }, index: number): string {
  const goal = target.minimum ?? target.maximum ?? 0;
  // From zero: the course of a ratio that hardly changes is level.
  const most = Math.max(goal, ...points.map(({ value }) => value)) || 1;
  const x = (number: number) =>
    points.length === 1
      ? chart.right
      : round(chart.left + ((chart.right - chart.left) * number) / (points.length - 1), 1);
  const y = (value: number) => round(chart.bottom - ((chart.bottom - chart.top) * value) / most, 1);
  const last = points.at(-1) ?? { day: "", value: goal };
  const first = points[0] ?? last;
  const isLastMet = isMet(target, last.value);
  const path = points.map(({ value }, number) => `${number === 0 ? "M" : "L"}${x(number)} ${y(value)}`).join("");
  return [
    `<g transform="translate(${(index % columns) * panel.width} ${Math.floor(index / columns) * panel.height})">`,
    ...wrap(what).map((text, number) => `<text x="${chart.left}" y="${26 + 14 * number}">${escapeHtml(text)}</text>`),
    `<line class="zero" x1="${chart.left}" x2="${chart.right}" y1="${chart.bottom}" y2="${chart.bottom}"/>`,
    `<line x1="${chart.left}" x2="${chart.right}" y1="${y(goal)}" y2="${y(goal)}"/>`,
    points.length > 1 ? `<path d="${path}"/>` : "",
    `<circle cx="${x(points.length - 1)}" cy="${y(last.value)}" r="3"/>`,
    `<text class="last${isLastMet ? "" : " missed"}" x="${chart.right + 8}" y="${y(last.value) + 4}">${last.value}</text>`,
    `<text class="small" x="${chart.left}" y="${chart.bottom + 15}">${first.day}</text>`,
    points.length > 1
      ? `<text class="small" x="${chart.right}" y="${chart.bottom + 15}" text-anchor="end">${last.day}</text>`
      : "",
    `<text class="small" x="${chart.left}" y="${chart.bottom + 29}">goal: ${targetText(target)}${isLastMet ? "" : ", missed"}</text>`,
    "</g>",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** Breaks a title into lines between words. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.pop();
    if (line === undefined) lines.push(word);
    else if (line.length + word.length < titleCharacters) lines.push(`${line} ${word}`);
    else lines.push(line, word);
  }
  return lines;
}
