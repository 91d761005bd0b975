import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod";
import { median } from "../statistics.ts";
import type { SummaryLine } from "./summary.ts";

/** Runs that a history keeps. */
export const keptRuns = 30;

const historySchema = z.strictObject({
  format: z.literal(1),
  /** In order, the last one last. */
  runs: z.array(
    z.strictObject({
      at: z.iso.datetime(),
      version: z.string(),
      goals: z.array(z.strictObject({ what: z.string(), measured: z.number() })),
    }),
  ),
});

export type SpeedHistory = z.infer<typeof historySchema>;

/** How a goal's figure went: the last one, the median of all, and each as a bar between the least and the most. */
export interface Course {
  what: string;
  runs: number;
  median: number;
  last: number;
  course: string;
}

/** The history in a file is damaged, or something else. */
export class SpeedHistoryError extends Error {}

/**
 * Reads the history in a file: empty where there is no such file.
 *
 * @throws {SpeedHistoryError} when it is no history, so that it is not overwritten.
 */
export async function readSpeedHistory(path: string): Promise<SpeedHistory> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { format: 1, runs: [] };
    throw error;
  }
  try {
    return historySchema.parse(JSON.parse(text));
  } catch {
    throw new SpeedHistoryError(`${path} is no history of this command: move it away to begin a new one.`);
  }
}

export async function writeSpeedHistory(path: string, history: SpeedHistory): Promise<void> {
  await writeFile(path, `${JSON.stringify(history, null, 2)}\n`);
}

/** The history with one more run, of which the last 30 stay. A goal that was not measured is left out. */
export function addRun(
  history: SpeedHistory,
  lines: readonly SummaryLine[],
  run: { at: Date; version: string },
): SpeedHistory {
  const goals = lines.flatMap(({ what, measured }) => (measured === null ? [] : [{ what, measured }]));
  const added = { at: run.at.toISOString(), version: run.version, goals };
  return { format: 1, runs: [...history.runs, added].slice(-keptRuns) };
}

/** How each goal of the last run went. */
export function coursesOf({ runs }: SpeedHistory): Course[] {
  return (runs.at(-1)?.goals ?? []).map(({ what, measured }) => {
    const values = runs.flatMap(({ goals }) => goals.find((goal) => goal.what === what)?.measured ?? []);
    return { what, runs: values.length, median: median(values), last: measured, course: barsOf(values) };
  });
}

const bars = "▁▂▃▄▅▆▇█";

function barsOf(values: readonly number[]): string {
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  return values
    .map((value) => bars[span === 0 ? 0 : Math.round(((value - least) / span) * (bars.length - 1))])
    .join("");
}
