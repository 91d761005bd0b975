/**
 * Draws the way of a request for the README: docs/images/request-light.svg and request-dark.svg. Fails when a file that the drawing
 * names does not exist.
 *
 * usage: node local/deno.mjs scripts/readme-drawing.ts [--check]
 *
 * With --check it writes nothing, and fails when a drawing is stale.
 */

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { printError } from "../local/print.ts";

/** A step of the way: its file, and what happens there. */
type Step = [file: string, what: string];

const edge: Step[] = [
  ["functions/grants-api/index.ts", "one function an endpoint"],
  ["shared/endpoint/handler.ts", "the route, or 404 and 405"],
  ["shared/auth/credential.ts", "the key's form, or 401"],
  ["shared/validation/list.ts", "every mistake at once: 400"],
  ["shared/overload/concurrency-limit.ts", "a fair share, or 503"],
  ["shared/endpoint/respond.ts", "JSON or CSV, tags, headers"],
  ["shared/usage/recorder.ts", "afterwards: usage, request log"],
];
const database: Step[] = [
  ["supabase/schemas/accounts/admission.sql", "key and tier: 401, 403"],
  ["supabase/schemas/index/bitmaps/bitmap_filters.sql", "filters, exact total"],
  ["supabase/schemas/search/fusion/ranking.sql", "words and meaning, fused"],
  ["supabase/schemas/accounts/admission.sql", "the day's count: 429"],
];
/** The step from which the RPC is called. */
const caller = 4;

/** Colours of dashboard/src/styles/tokens.css. */
const themes = {
  light: { text: "#1a1d1b", muted: "#5b605c", line: "#8b8d86", box: "#ffffff", frame: "#cdcdc6", accent: "#0b6b50" },
  dark: { text: "#eceeec", muted: "#a3aaa5", line: "#6e756f", box: "#181b19", frame: "#3c423e", accent: "#5fd3a9" },
};
type Theme = (typeof themes)["light"];

const width = 860;
const rowHeight = 54;
const boxHeight = 38;
const top = 44;
const left = { x: 10, width: 370 };
const right = { x: 430, width: 420 };
const height = top + edge.length * rowHeight + 6;

const yOf = (row: number) => top + row * rowHeight;

function drawStep([file, what]: Step, x: number, y: number, boxWidth: number, theme: Theme): string[] {
  return [
    `<rect x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6" fill="${theme.box}" stroke="${theme.frame}"/>`,
    `<text x="${x + 12}" y="${y + 16}" class="file" fill="${theme.text}">${file}</text>`,
    `<text x="${x + 12}" y="${y + 31}" fill="${theme.muted}">${what}</text>`,
  ];
}

function arrow(path: string, theme: Theme, isDashed = false): string {
  return `<path d="${path}" fill="none" stroke="${theme.line}" stroke-width="1.5" marker-end="url(#head)"${isDashed ? ' stroke-dasharray="4 3"' : ""}/>`;
}

function draw(theme: Theme): string {
  const middle = left.x + left.width / 2;
  const isAfterwards = (row: number) => row === edge.length - 2;
  const firstRow = 2;
  const frame = { y: yOf(firstRow) - 26, height: database.length * rowHeight + 26 };
  const down = edge.slice(1).map((_, row) => {
    const y = yOf(row) + boxHeight;
    return arrow(`M${middle} ${y}V${y + rowHeight - boxHeight - 2}`, theme, isAfterwards(row));
  });
  const callY = yOf(caller) + 12;
  const answerY = yOf(caller + 1) + 20;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The way of a request">`,
    "<style>text{font:12px system-ui,sans-serif}.file{font:12px ui-monospace,Menlo,Consolas,monospace}.lane{font-weight:600}</style>",
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="${theme.line}"/></marker></defs>`,
    `<text x="${left.x}" y="16" class="file" fill="${theme.accent}">GET /functions/v1/grants-api?search=...</text>`,
    arrow(`M${middle} 22V${top - 2}`, theme),
    `<text x="${right.x}" y="16" fill="${theme.muted}">by Supabase's gateway, a Cloudflare Worker or npm start</text>`,
    ...edge.flatMap((step, row) => drawStep(step, left.x, yOf(row), left.width, theme)),
    ...down,
    `<rect x="${right.x}" y="${frame.y}" width="${right.width}" height="${frame.height}" rx="8" fill="none" stroke="${theme.accent}"/>`,
    `<text x="${right.x + 12}" y="${frame.y + 17}" class="lane" fill="${theme.accent}">Postgres: one RPC, one transaction</text>`,
    ...database.flatMap((step, row) => drawStep(step, right.x + 10, yOf(firstRow + row), right.width - 20, theme)),
    arrow(`M${left.x + left.width} ${callY}H${right.x - 2}`, theme),
    arrow(`M${right.x} ${answerY}H${left.x + left.width + 2}`, theme),
    "</svg>",
    "",
  ].join("\n");
}

const root = fileURLToPath(new URL("..", import.meta.url));
const missing = [...edge, ...database].map(([file]) => file).filter((file) => !existsSync(`${root}${file}`));
if (missing.length > 0) {
  printError(`scripts/readme-drawing.ts names files that do not exist: ${missing.join(", ")}`);
  process.exitCode = 1;
}
await mkdir(`${root}docs/images`, { recursive: true });
for (const [name, theme] of Object.entries(themes)) {
  const path = `${root}docs/images/request-${name}.svg`;
  const text = draw(theme);
  if (!process.argv.includes("--check")) await writeFile(path, text);
  else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
    printError(`${path} is stale: run npm run readme:drawing`);
    process.exitCode = 1;
  }
}
