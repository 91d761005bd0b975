import { round } from "../../statistics.ts";
import type { SpeedRow } from "../row.ts";
import type { Findings } from "../speed-case.ts";
import { summarize } from "../summary.ts";
import { FiguresError, type PageGoal, type PageRow } from "./figures.ts";

/** Rows that tables of docs/performance.md show as they are. */
const shown: readonly { case: string; side: RegExp }[] = [
  { case: "list", side: /^(api(, with a quota|, new lists)?|postgrest)$/ },
  { case: "list_counted", side: /^postgrest, count=exact$/ },
  { case: "modes", side: /^new / },
  { case: "floor", side: /^new .*, sql alone$/ },
  { case: "libraries", side: /^(ours|lancedb), / },
  { case: "growth", side: /^new / },
  { case: "embedded", side: /^(start|new (list|keyword list|semantic|hybrid))$/ },
];

/** Rows of repeated requests, of which a table shows the slowest. */
const repeated: readonly { case: string; side: RegExp; as: string; of: string }[] = [
  { case: "modes_again", side: /./, as: "repeated", of: "modes" },
  { case: "floor", side: /^(?!new ).*, sql alone$/, as: "repeated, sql alone", of: "floor" },
  { case: "embedded", side: /^(?!new |start$)/, as: "repeated", of: "embedded" },
];

/**
 * Selects what docs/performance.md shows of a summary.
 *
 * @throws {FiguresError} when a table or a goal was not measured, so that no page has figures of two runs.
 */
export function selectFigures(found: readonly Findings[]): { goals: PageGoal[]; rows: PageRow[] } {
  const measured = found.flatMap(({ rows }) => rows);
  const figures = found.flatMap(({ figures = [] }) => figures);
  const select = (wanted: { case: string; side: RegExp }) => {
    const rows = measured.filter((row) => row.case === wanted.case && wanted.side.test(row.side));
    if (rows.length === 0) throw new FiguresError(`${wanted.case} was not measured: nothing was written.`);
    return rows;
  };
  const cpuOf = (side: string) =>
    figures.filter((figure) => figure.case.startsWith("cpu_") && figure.side === side).map(cpuEntry);
  const rows = [
    ...shown.flatMap(select).map((row) => pageRow(row, Object.fromEntries(cpuOf(row.side)))),
    ...repeated.map((wanted) => slowest(select(wanted), wanted.of, wanted.as)),
    ...changes(select({ case: "churn", side: /./ })),
    ...figures
      .filter((figure) => figure.case === "embedded_memory")
      .map((figure) => ({ ...figure, rows: select({ case: "embedded", side: /^start$/ })[0]?.rows ?? 0 })),
  ];
  return { goals: summarize(found).map(goalOf), rows };
}

const cpuEntry = (figure: { case: string; value: number }) => [figure.case.slice("cpu_".length), figure.value];

function pageRow({ ratio, ...row }: SpeedRow, cpu: Record<string, number>): PageRow {
  return { ...row, ...(ratio === null ? {} : { ratio }), ...(row.case.startsWith("list") ? { cpu_ms: cpu } : {}) };
}

function slowest(rows: readonly SpeedRow[], name: string, side: string): PageRow {
  const most = (figure: "p50_ms" | "p95_ms") => Math.max(...rows.map((row) => row[figure]));
  return { case: name, side, rows: rows[0]?.rows ?? 0, p50_ms: most("p50_ms"), p95_ms: most("p95_ms") };
}

/** Numbers of changes that the page shows. */
const shownChanges = /^(10000|40000) changed$|written a second$/;

/** The worst ratio after each number of changes: of lists and searches, and of totals. */
function changes(rows: readonly SpeedRow[]): PageRow[] {
  const parts = rows.map((row) => ({ row, ...splitSide(row.side) }));
  const labels = [...new Set(parts.map(({ label }) => label))].filter((label) => shownChanges.test(label));
  return labels.flatMap((label) =>
    (["churn", "churn_totals"] as const).map((name) => {
      const ratios = parts
        .filter((part) => part.label === label && (part.mode === "new total") === (name === "churn_totals"))
        .map(({ row }) => row.ratio ?? 0);
      return { case: name, side: label, rows: rows[0]?.rows ?? 0, ratio: Math.max(...ratios) };
    }),
  );
}

function splitSide(side: string): { mode: string; label: string } {
  const [mode = "", label = ""] = side.split(", ");
  return { mode, label };
}

function goalOf({ what, measured, best, goal, met }: ReturnType<typeof summarize>[number]): PageGoal {
  if (measured === null) throw new FiguresError(`"${what}" was not measured: nothing was written.`);
  return { what, goal, isMet: met === "yes", worst: round(measured, 2), best: round(best ?? measured, 2) };
}
