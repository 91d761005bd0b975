import { median, round } from "../../statistics.ts";
import type { Figures, PageGoal, PageRow, PageRun } from "./figures.ts";

/** A figure this many times as bad is worse: less is what a run differs from the next. */
const tolerance = 1.1;

/** Cases without an alternative in the same run, whose milliseconds are compared, with how their sides are called. */
const timed: Readonly<Record<string, (row: PageRow) => string>> = {
  modes: ({ side }) => `${side}, whole API`,
  floor: ({ side }) => side,
  growth: ({ side, rows }) => `${side} at ${rows.toLocaleString("en-US")} grants`,
  embedded: ({ side }) => `${side} on npm start`,
};

/**
 * Lists what got worse by more than a tenth: goals by their ratios, and rows without an alternative by their p95, as far as the machine does not
 * explain it: all rows together may take twice as long on another machine. What makes all slower shows in the goals.
 */
export function findWorse(now: PageRun, before: PageRun): Figures["worse"] {
  const goals = now.goals.flatMap((goal) => {
    const earlier = before.goals.find(({ what }) => what === goal.what);
    const times = earlier === undefined ? 1 : timesWorse(goal, earlier);
    return times <= tolerance
      ? []
      : [{ name: goal.what, line: `${goal.what}: ${goal.worst}, not ${earlier?.worst} as in ${before.version}.` }];
  });
  const timedRows = now.rows.flatMap((row) => {
    const nameOf = timed[row.case];
    const earlier = before.rows.find(
      (known) => known.case === row.case && known.side === row.side && known.rows === row.rows,
    );
    if (nameOf === undefined || row.p95_ms === undefined || earlier?.p95_ms === undefined) return [];
    return [{ name: nameOf(row), p95Ms: row.p95_ms, times: row.p95_ms / earlier.p95_ms }];
  });
  const machine = median(timedRows.map(({ times }) => times));
  const rows = timedRows.flatMap(({ name, p95Ms, times }) => {
    if (times / machine <= tolerance) return [];
    const line = `${name}: p95 ${p95Ms} ms, ${round(times, 1)} times that of ${before.version} by the clock, where the median row took ${round(machine, 1)} times as long: machines differ.`;
    return [{ name, line }];
  });
  return [...goals, ...rows];
}

function timesWorse(now: PageGoal, before: PageGoal): number {
  return now.goal.startsWith("at least") ? before.worst / now.worst : now.worst / before.worst;
}
