import { type Connection, queryOne } from "../database/connection.ts";
import { type ArchiveResult, archiveMissing } from "./archive.ts";
import type { RowMapping } from "./decide-row.ts";
import { type ImportOptions, type ImportResult, importRows } from "./import-rows.ts";
import type { Row } from "./read/row.ts";
import type { Dataset } from "./record.ts";
import { addCounts, type ImportSummary, toStoredCounts } from "./summary.ts";

export interface RunOptions extends ImportOptions {
  /** Reader of the input: a source's name, `ndjson` or `csv`. */
  importer: string;
  /** Name of the input. */
  file: string;
  /** When the input was written. */
  asOf: Date;
  /** Whether the input is the source's full list, so that current records that it lacks are archived. */
  isFull: boolean;
  /** Whether to archive them even if they are many. */
  isForced: boolean;
}

/** Outcome of an import. `refused`: all rows are imported, but archiving was refused. */
export type RunResult = { outcome: "completed" } | { outcome: "refused"; message: string };

/**
 * Imports rows as {@link importRows} does, archives records that are missing from a full list, and logs the run in
 * `funding.imports`, also when it fails. `options.summary` counts what became of the rows.
 */
export async function runImport(rows: AsyncIterable<Row>, options: RunOptions): Promise<RunResult> {
  const { connect, summary } = options;
  let run: Run | undefined;
  let expectsLineBreak = false;
  const opening = async (mapping: RowMapping) => {
    const connections = (await connect?.(mapping)) ?? [];
    const [connection] = connections;
    if (connection === undefined) throw new Error("no database was opened");
    expectsLineBreak = !options.isForced && (await hadFinalLineBreak(connection, mapping, options));
    run = { connection, id: await startRun(connection, mapping, options) };
    return connections;
  };
  try {
    const imported = await importRows(rows, {
      ...options,
      expectsFinalLineBreak: () => expectsLineBreak,
      ...(connect === undefined ? {} : { connect: opening }),
    });
    if (run === undefined) return { outcome: "completed" };
    const result = options.isFull ? await archiveDatasets(run.connection, imported, options) : completed;
    const message = result.outcome === "refused" ? result.message : null;
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
}

const completed: RunResult = { outcome: "completed" };

async function archiveDatasets(
  connection: Connection,
  { mapping, decider }: ImportResult,
  { summary, isForced }: RunOptions,
): Promise<RunResult> {
  const messages: string[] = [];
  for (const dataset of mapping.datasets) {
    // Funders are never archived, because the grants that they gave stay.
    if (dataset === "funders") continue;
    const hasSeen = (sourceId: string) => decider.hasSeen(dataset, sourceId);
    const { unknownRows } = decider;
    const options = { hasUnknownRows: unknownRows > 0, isForced };
    const result = await archiveMissing(connection, dataset, mapping.source, hasSeen, options);
    if (result.kind === "archived") addCounts(summary, dataset, { archived: result.count });
    else messages.push(explainRefusal(dataset, result, unknownRows));
  }
  return messages.length === 0 ? completed : { outcome: "refused", message: messages.join("\n") };
}

type Refusal = Exclude<ArchiveResult, { kind: "archived" }>;

function explainRefusal(dataset: Dataset, { kind, missing, current }: Refusal, unknownRows: number): string {
  const [some, all, unknown] = [missing, current, unknownRows].map((count) => count.toLocaleString("en-US"));
  const reason =
    kind === "too many"
      ? "which is more than a fifth"
      : `and ${unknown} rows of the input were rejected without an identifier and may be theirs`;
  return `${some} of the source's ${all} current ${dataset} are not in the input, ${reason}: none was archived. If the publisher removed them, --force archives them.`;
}

/** Whether the files of the last completed run of the same kind ended with a line break. */
async function hadFinalLineBreak(
  connection: Connection,
  { source }: RowMapping,
  { importer }: RunOptions,
): Promise<boolean> {
  const { expected } = await queryOne<{ expected: boolean }>(
    connection,
    "select funding.had_final_line_break($1, $2) as expected",
    [source, importer],
  );
  return expected;
}

async function startRun(connection: Connection, mapping: RowMapping, options: RunOptions): Promise<string> {
  const { id } = await queryOne<{ id: string }>(
    connection,
    "select funding.start_import($1, $2, $3, $4, $5, $6)::text as id",
    [mapping.source, options.importer, mapping.datasets, options.file, options.isFull, options.asOf.toISOString()],
  );
  return id;
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
