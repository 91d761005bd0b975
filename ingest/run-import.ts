import { type Connection, queryValue } from "../database/connection.ts";
import { type ArchiveResult, archiveMissing } from "./archive.ts";
import type { RowMapping } from "./decide-row.ts";
import { type ImportOptions, type ImportResult, importRows } from "./import-rows.ts";
import type { Row } from "./read/row.ts";
import type { Dataset } from "./record.ts";
import { canNoteSightings, noteFullList } from "./sightings.ts";
import { addCounts, type ImportSummary, toStoredCounts } from "./summary.ts";

export interface RunOptions extends ImportOptions {
  /** Reader of the input: a source's name, `ndjson` or `csv`. */
  importer: string;
  /** Name of the input. */
  file: string;
  /** When the input was written. */
  asOf: Date;
  /** Whether to archive them even if they are many, and to take a full list for the newest although it is not. */
  isForced: boolean;
  /** Time zone of the publisher, to be kept for the source. Default: what is kept. */
  timeZone?: string | undefined;
}

/**
 * Outcome of an import. `completed`: with a warning where the input is a full list that is older than the source's data. `refused`: all rows
 * are imported, but archiving was refused.
 */
export type RunResult = { outcome: "completed"; warning?: string } | { outcome: "refused"; message: string };

/**
 * Imports rows as {@link importRows} does, archives records that are missing from a full list, and logs the run in
 * `funding.imports`, also when it fails. A full list that is older than another run's file leaves alone records that were written since that
 * run began. `options.summary` gets the counts of the rows by outcome.
 */
export async function runImport(rows: AsyncIterable<Row>, options: RunOptions): Promise<RunResult> {
  const { connect, summary } = options;
  let run: Run | undefined;
  let expectsLineBreak = false;
  let notedAsOf: Date | undefined;
  const opening = async (mapping: RowMapping) => {
    const connections = (await connect?.(mapping)) ?? [];
    const [connection] = connections;
    if (connection === undefined) throw new Error("no database was opened");
    expectsLineBreak = !options.isForced && (await hadFinalLineBreak(connection, mapping, options));
    const id = await startRun(connection, mapping, options);
    if (options.timeZone !== undefined) {
      await connection.query("select funding.set_time_zone($1, $2)", [mapping.source, options.timeZone]);
    }
    run = { connection, id, newer: undefined, notesSightings: await canNoteSightings(connection) };
    notedAsOf = run.notesSightings && !isFullList(mapping, options) ? options.asOf : undefined;
    if (isFullList(mapping, options) && !options.isForced) run.newer = await findNewerRuns(connection, id);
    return connections;
  };
  try {
    const imported = await importRows(rows, {
      ...options,
      expectsFinalLineBreak: () => expectsLineBreak,
      keptSince: () => run?.newer?.since,
      seenAt: () => notedAsOf,
      ...(connect === undefined ? {} : { connect: opening }),
    });
    if (run === undefined) return { outcome: "completed" };
    const result = await archiveDatasets(run, imported, options);
    await noteFullLists(run, imported, options);
    const message = result.outcome === "refused" ? result.message : (result.warning ?? null);
    await finishRun(run, result.outcome, summary, message, imported.hasFinalLineBreak);
    return result;
  } catch (error) {
    // The database itself may have failed. The next run then records that this one was interrupted.
    if (run !== undefined) await finishRun(run, "failed", summary, messageOf(error), null).catch(() => undefined);
    throw error;
  }
}

interface Run {
  connection: Connection;
  id: string;
  /** Runs with newer files, where the input is a full list. */
  newer: NewerRuns | undefined;
  /** Whether the database notes when records were seen. */
  notesSightings: boolean;
}

function isFullList(mapping: RowMapping, { isFull = mapping.isFull ?? false }: RunOptions): boolean {
  return isFull;
}

/** Runs of the same source and dataset with newer files: `funding.newer_runs`. */
interface NewerRuns {
  /** When the first of them began. */
  since: Date;
  /** Time of the newest file. */
  asOf: Date;
  hasFullList: boolean;
}

async function archiveDatasets(
  { connection, newer }: Run,
  { mapping, decider }: ImportResult,
  options: RunOptions,
): Promise<RunResult> {
  const { summary, asOf, isForced } = options;
  const warning = newer && explainNewer(asOf, newer);
  const completed: RunResult = { outcome: "completed", ...(warning !== undefined && { warning }) };
  if (!isFullList(mapping, options) || newer?.hasFullList === true) return completed;
  const messages: string[] = [];
  for (const dataset of mapping.datasets) {
    // Funders are never archived, because the grants that they gave stay.
    if (dataset === "funders") continue;
    const hasSeen = (sourceId: string) => decider.hasSeen(dataset, sourceId);
    const { unknownRows } = decider;
    const bounds = { hasUnknownRows: unknownRows > 0, isForced, keptSince: newer?.since };
    const result = await archiveMissing(connection, dataset, mapping.source, hasSeen, bounds);
    if (result.kind === "archived") addCounts(summary, dataset, { archived: result.count });
    else messages.push(explainRefusal(dataset, result, unknownRows, newer !== undefined));
  }
  return messages.length === 0
    ? completed
    : { outcome: "refused", message: [...(warning === undefined ? [] : [warning]), ...messages].join("\n") };
}

/** Notes what a full list had, unless a newer one is in. */
async function noteFullLists(run: Run, { mapping, decider }: ImportResult, options: RunOptions): Promise<void> {
  const { connection, newer, notesSightings } = run;
  if (!notesSightings || !isFullList(mapping, options) || newer?.hasFullList === true) return;
  for (const dataset of mapping.datasets) {
    const hasSeen = (sourceId: string) => decider.hasSeen(dataset, sourceId);
    await noteFullList(connection, dataset, mapping.source, hasSeen, options.asOf);
  }
}

function explainNewer(asOf: Date, newer: NewerRuns): string {
  const [listed, newest, since] = [asOf, newer.asOf, newer.since].map(formatMinute);
  const archived = newer.hasFullList ? " Nothing was archived, since a newer full list is in." : "";
  return `The list is of ${listed}, and the source has data of ${newest}: records that changed since ${since}, when newer data came, stay as they are.${archived} If this list is the newest all the same, --force imports it.`;
}

const formatMinute = (time: Date) => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;

type Refusal = Exclude<ArchiveResult, { kind: "archived" }>;

function explainRefusal(
  dataset: Dataset,
  { kind, missing, current }: Refusal,
  unknownRows: number,
  isOld: boolean,
): string {
  const [some, all, unknown] = [missing, current, unknownRows].map((count) => count.toLocaleString("en-US"));
  const reason =
    kind === "too many"
      ? "which is more than a fifth"
      : `and ${unknown} rows of the input were rejected without an identifier and may be theirs`;
  // Forcing an old list would undo changes from newer data.
  const [which, advice] = isOld
    ? [" that newer data left alone", "Import the newest list."]
    : ["", "If the publisher removed them, --force archives them."];
  return `${some} of the source's ${all} current ${dataset}${which} are not in the input, ${reason}: none was archived. ${advice}`;
}

/** Whether the files of the last completed run of the same kind ended with a line break. */
async function hadFinalLineBreak(
  connection: Connection,
  { source }: RowMapping,
  { importer }: RunOptions,
): Promise<boolean> {
  return queryValue<boolean>(connection, "select funding.had_final_line_break($1, $2)", [source, importer]);
}

async function startRun(connection: Connection, mapping: RowMapping, options: RunOptions): Promise<string> {
  return queryValue<string>(connection, "select funding.start_import($1, $2, $3, $4, $5, $6)::text", [
    mapping.source,
    options.importer,
    mapping.datasets,
    options.file,
    isFullList(mapping, options),
    options.asOf.toISOString(),
  ]);
}

/** Returns the runs with newer files than a run's own, or undefined where there is none. */
async function findNewerRuns(connection: Connection, id: string): Promise<NewerRuns | undefined> {
  const [newer] = await connection.query<NewerRuns>(
    `select since, as_of as "asOf", has_full_list as "hasFullList" from funding.newer_runs($1) where since is not null`,
    [id],
  );
  return newer;
}

async function finishRun(
  { connection, id }: Run,
  outcome: RunResult["outcome"] | "failed",
  summary: ImportSummary,
  message: string | null,
  hasFinalLineBreak: boolean | null,
): Promise<void> {
  await connection.query("select funding.finish_import($1, $2, $3, $4, $5)", [
    id,
    outcome,
    JSON.stringify(toStoredCounts(summary)),
    message,
    hasFinalLineBreak,
  ]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
