import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod";

const row = z.strictObject({
  case: z.string(),
  side: z.string(),
  /** Grants in the database. */
  rows: z.number(),
  p50_ms: z.number().optional(),
  p95_ms: z.number().optional(),
  requests_per_second: z.number().optional(),
  ratio: z.number().optional(),
  /** A figure that is no time. */
  value: z.number().optional(),
  /** Milliseconds of a request's CPU time, by process. */
  cpu_ms: z.record(z.string(), z.number()).optional(),
});

const goal = z.strictObject({
  what: z.string(),
  goal: z.string(),
  isMet: z.boolean(),
  worst: z.number(),
  /** Absent where only the worst figure is known. */
  best: z.number().optional(),
});

const measured = { version: z.string(), goals: z.array(goal), rows: z.array(row) };

const schema = z.strictObject({
  format: z.literal(1),
  ...measured,
  /** Whether the figures are of that version. If not, they are of code after it. */
  isReleased: z.boolean(),
  /** Fingerprint of the measured code; null where none was taken. */
  code: z.string().nullable(),
  at: z.iso.date(),
  /** Grants of the run, without the tenth and the tenfold of some cases. */
  grants: z.number(),
  /** Figures of the last measured release, with which these were compared. */
  before: z.strictObject(measured).optional(),
  /** Names of what got worse, with a line of each for CHANGELOG.md. */
  worse: z.array(z.strictObject({ name: z.string(), line: z.string() })),
});

/** A line of a table of docs/performance.md, or a part of one. */
export type PageRow = z.infer<typeof row>;
/** A goal, with the worst and the best of its figures. */
export type PageGoal = z.infer<typeof goal>;
/** Goals and rows of one run. */
export type PageRun = Pick<z.infer<typeof schema>, "version" | "goals" | "rows">;
/** What the tables of docs/performance.md are written from: docs/figures.json. */
export type Figures = z.infer<typeof schema>;

/** The file of figures is damaged, or something else. */
export class FiguresError extends Error {}

/** @throws {FiguresError} when the file has no figures. */
export async function readFigures(path: string): Promise<Figures> {
  const text = await readFile(path, "utf8");
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new FiguresError(`${path} has no figures of this command: restore it from the last commit.`);
  }
}

/** Writes the fields in the order of the schema, as the file is written after it was read. */
export async function writeFigures(path: string, figures: Figures): Promise<void> {
  await writeFile(path, `${JSON.stringify(schema.parse(figures), null, 2)}\n`);
}
