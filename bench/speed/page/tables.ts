import { type Figures, FiguresError, type PageGoal, type PageRow } from "./figures.ts";

/** Tables of docs/performance.md, as Markdown, by the names of their markers. */
export function renderTables(figures: Figures): Record<string, string> {
  const { rows } = figures;
  const find = (name: string, side: string, size?: number) =>
    rows.find((row) => row.case === name && row.side === side && (size === undefined || row.rows === size));
  return {
    run: describeRun(figures),
    goals: table(
      ["what", "goal", "measured"],
      figures.goals.map((goal) => [
        goal.what,
        goal.goal.replace("at least ", "≥").replace("at most ", "≤"),
        `${range(goal)}${goal.isMet ? "" : ": **missed**"}`,
      ]),
    ),
    lists: table(
      ["", "requests/s", "p50/p95 ms", "CPU ms: function/PostgREST/Postgres"],
      listLines.map(([label, name, side]) => {
        const row = find(name, side);
        return [label, count(row?.requests_per_second), times(row), cpu(row)];
      }),
    ),
    search: [
      table(
        ["p50/p95 ms, new", "whole API", "SQL alone"],
        [...modes, "repeated"].map((mode) => {
          const side = mode === "repeated" ? mode : `new ${mode}`;
          return [mode, times(find("modes", side)), times(find("floor", `${side}, sql alone`))];
        }),
      ),
      table(
        ["p50/p95 ms", "ours", "LanceDB"],
        ["keyword", "vector", "hybrid"].map((mode) => [
          mode,
          times(find("libraries", `ours, ${mode}`)),
          times(find("libraries", `lancedb, ${mode}`)),
        ]),
      ),
    ].join("\n\n"),
    growth: table(
      ["grants", ...modes],
      sizes(rows).map((size) => [count(size), ...modes.map((mode) => times(find("growth", `new ${mode}`, size)))]),
    ),
    changes: table(
      ["records", "lists and searches", "totals"],
      [...new Set(rows.filter((row) => row.case === "churn").map(({ side }) => side))].map((side) => [
        side.replace(/^\d+/, (digits) => count(Number(digits))),
        `${find("churn", side)?.ratio ?? "-"}`,
        `${find("churn_totals", side)?.ratio ?? "-"}`,
      ]),
    ),
    embedded: [
      table(
        [...embeddedModes, "repeated"],
        [[...embeddedModes.map((mode) => times(find("embedded", `new ${mode}`))), times(find("embedded", "repeated"))]],
      ),
      describeStart(
        find("embedded", "start")?.p50_ms,
        find("embedded_memory", "after the start")?.value,
        find("embedded_memory", "at most")?.value,
      ),
    ].join("\n\n"),
  };
}

const modes = ["list", "keyword list", "keyword by relevance", "semantic", "hybrid"];

const embeddedModes = modes.filter((mode) => mode !== "keyword by relevance");

const listLines = [
  ["repeated", "list", "api"],
  ["repeated, with a quota", "list", "api, with a quota"],
  ["new", "list", "api, new lists"],
  ["raw PostgREST, repeated", "list", "postgrest"],
  ["raw PostgREST, `count=exact`", "list_counted", "postgrest, count=exact"],
] as const;

function sizes(rows: readonly PageRow[]): number[] {
  const all = rows.filter((row) => row.case === "growth").map(({ rows: size }) => size);
  return [...new Set(all)].sort((one, other) => one - other);
}

function describeRun({ version, isReleased, at, grants }: Figures): string {
  const day = new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  return `Measured on ${day}: ${isReleased ? "" : "the code after "}${version}, ${count(grants)} generated grants.`;
}

function describeStart(startMs: number | undefined, memory: number | undefined, most: number | undefined): string {
  const seconds = startMs === undefined ? "-" : (startMs / 1000).toFixed(1);
  return `It starts in ${seconds} s with ${count(memory)} MiB, and takes ${count(most)} at most.`;
}

/** "19 to 23", or the one figure. */
function range({ worst, best = worst }: PageGoal): string {
  return worst === best ? `${worst}` : `${Math.min(worst, best)} to ${Math.max(worst, best)}`;
}

/** "-" where nothing was measured. */
function count(value: number | undefined): string {
  return value === undefined ? "-" : Math.round(value).toLocaleString("en-US");
}

function times(row: PageRow | undefined): string {
  if (row?.p50_ms === undefined || row.p95_ms === undefined) return "-";
  return `${ms(row.p50_ms)}/${ms(row.p95_ms)}`;
}

function ms(value: number): string {
  return value < 9.95 ? value.toFixed(1) : count(value);
}

function cpu(row: PageRow | undefined): string {
  return ["function", "postgrest", "postgres"]
    .map((process) => {
      const used = row?.cpu_ms?.[process];
      if (used === undefined || used === 0) return "-";
      return used < 0.995 ? used.toFixed(2) : used < 9.95 ? used.toFixed(1) : count(used);
    })
    .join("/");
}

function table(head: readonly string[], lines: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...lines.map(line)].join("\n");
}

/**
 * Replaces what is between the markers of a page, which are comments: `<!--figures:NAME-->` and `<!--/figures-->`.
 *
 * @throws {FiguresError} when the page has not each of the tables once, and no others.
 */
export function writeTables(page: string, tables: Readonly<Record<string, string>>): string {
  const found: string[] = [];
  const written = page.replace(
    /(<!--figures:([a-z-]+)-->\n)[\s\S]*?(<!--\/figures-->)/g,
    (_, start: string, name: string, end: string) => {
      found.push(name);
      return `${start}\n${tables[name]}\n\n${end}`;
    },
  );
  const wanted = Object.keys(tables);
  if (found.toSorted().join() !== wanted.toSorted().join()) {
    throw new FiguresError(`The page has the tables ${found.join(", ")}; expected ${wanted.join(", ")}.`);
  }
  return written;
}
