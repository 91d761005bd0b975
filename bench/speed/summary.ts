import type { CaseName, SpeedOptions } from "./index.ts";
import type { Findings } from "./speed-case.ts";
import { isMet, type Target, targets, targetText } from "./targets.ts";

/** A line of the summary: a goal, and how far the worst of its figures is from it. */
export interface SummaryLine {
  what: string;
  /** The worst figure; null where its case was not run. */
  measured: number | null;
  goal: string;
  met: "yes" | "NO" | "";
}

/** Cases on a server that have goals. */
export const summaryCases: readonly CaseName[] = ["list", "hybrid", "quota", "libraries", "churn", "growth"];

/**
 * Runs of the summary: each case that has a goal, on a server with a tenth, all and ten times the rows, and
 * the stack of `npm start` with a tenth, since its folder is made anew for each version of the schema.
 */
export function summaryRuns(options: SpeedOptions): SpeedOptions[] {
  const rows = Math.max(1_000, Math.round(options.rows / 10));
  return [
    { ...options, cases: summaryCases, tenfold: true },
    { ...options, cases: ["embedded"], rows },
  ];
}

/** The goals with what was found, in the order of the targets. */
export function summarize(found: readonly Findings[]): SummaryLine[] {
  const figures = found.flatMap(({ rows, figures = [] }) => [
    ...rows.map(({ case: name, side, ratio }) => ({ case: name, side, value: ratio })),
    ...figures,
  ]);
  return targets
    .filter((target): target is Target & { what: string } => target.what !== undefined)
    .map((target) => {
      const values = figures
        .filter((figure) => figure.case === target.case && target.side.test(figure.side))
        .flatMap(({ value }) => value ?? []);
      const worst = target.minimum === undefined ? Math.max(...values) : Math.min(...values);
      const measured = values.length === 0 ? null : worst;
      return {
        what: target.what,
        measured,
        goal: targetText(target),
        met: measured === null ? "" : isMet(target, measured) ? "yes" : "NO",
      };
    });
}
