import type { CaseName } from "./index.ts";
import type { Findings } from "./speed-case.ts";
import { isMet, type Target, targets, targetText } from "./targets.ts";

/** A line of the summary: a goal, and how far the worst of its figures is from it. */
export interface SummaryLine {
  what: string;
  /** The worst figure; null where its case was not run. */
  measured: number | null;
  /** The best figure. */
  best: number | null;
  goal: string;
  met: "yes" | "NO" | "";
}

/** Cases that have goals. Growth has a tenth, all and ten times the rows. */
export const summaryCases: readonly CaseName[] = [
  "list",
  "hybrid",
  "modes",
  "quota",
  "libraries",
  "churn",
  "growth",
  "embedded",
  "pages",
];

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
      const [least, most] = values.length === 0 ? [null, null] : [Math.min(...values), Math.max(...values)];
      const [measured, best] = target.minimum === undefined ? [most, least] : [least, most];
      return {
        what: target.what,
        measured,
        best,
        goal: targetText(target),
        met: measured === null ? "" : isMet(target, measured) ? "yes" : "NO",
      };
    });
}
