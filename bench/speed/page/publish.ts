import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addRun, readSpeedHistory, type SpeedHistory, writeSpeedHistory } from "../history.ts";
import type { Findings } from "../speed-case.ts";
import { summarize } from "../summary.ts";
import { type Figures, readFigures, writeFigures } from "./figures.ts";
import { drawCourses } from "./picture.ts";
import { selectFigures } from "./select.ts";
import { renderTables, writeTables } from "./tables.ts";
import { findWorse } from "./worse.ts";

/** A run whose figures are published. */
export interface PublishedRun {
  version: string;
  /** Fingerprint of the code that was measured. */
  code: string;
  at: Date;
  grants: number;
}

/** What a folder of documents, such as docs, publishes of the speed. */
export interface Published {
  figures: Figures;
  history: SpeedHistory;
}

const figuresPath = (folder: string) => join(folder, "figures.json");
const historyPath = (folder: string) => join(folder, "speed-history.json");

/** @throws {FiguresError | SpeedHistoryError} when a file is damaged. */
export async function readPublished(folder: string): Promise<Published> {
  return { figures: await readFigures(figuresPath(folder)), history: await readSpeedHistory(historyPath(folder)) };
}

/**
 * Replaces what is published by a run: compared with the last release that was measured, whatever was measured since.
 *
 * @throws {FiguresError} when a table or a goal was not measured.
 */
export function replacePublished(last: Published, found: readonly Findings[], run: PublishedRun): Published {
  const { version, goals, rows } = last.figures;
  const before = last.figures.isReleased ? { version, goals, rows } : last.figures.before;
  const selected = { version: run.version, ...selectFigures(found) };
  return {
    figures: {
      format: 1,
      version: run.version,
      isReleased: false,
      code: run.code,
      at: run.at.toISOString().slice(0, 10),
      grants: run.grants,
      worse: before === undefined ? [] : findWorse(selected, before),
      goals: selected.goals,
      rows: selected.rows,
      ...(before === undefined ? {} : { before }),
    },
    history: addRun(last.history, summarize(found), run),
  };
}

/** Writes the figures, the history, its picture, and the tables of the page. @returns the paths, below the folder. */
export async function writePublished(folder: string, { figures, history }: Published): Promise<string[]> {
  const page = join(folder, "performance.md");
  await writeFile(page, writeTables(await readFile(page, "utf8"), renderTables(figures)));
  await writeFigures(figuresPath(folder), figures);
  await writeSpeedHistory(historyPath(folder), history);
  await mkdir(join(folder, "images"), { recursive: true });
  await writeFile(join(folder, "images/speed.svg"), drawCourses(history));
  return ["performance.md", "figures.json", "speed-history.json", "images/speed.svg"];
}
