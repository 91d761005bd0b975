import { type Connection, queryOne } from "../database/connection.ts";
import { type ArchiveResult, archiveGone } from "./archive.ts";
import type { RowMapping } from "./decide-row.ts";
import { type ImportOptions, type ImportResult, importRows } from "./import-rows.ts";
import type { Row } from "./read/row.ts";
import type { Dataset } from "./record.ts";
import { addCounts, countsOf, type ImportSummary } from "./summary.ts";

export interface RunOptions extends ImportOptions {
  /** What read the input: a source's name, `ndjson` or `csv`. */
  importer: string;
  /** What the input is called. */
  file: string;
  /** When the input was written. */
  asOf: Date;
  /** Whether it is all that the source lists: current records that it lacks are archived. */
  isFull: boolean;
  /** Whether to archive them however many they are. */
  isForced: boolean;
}

/** How an import ended. Refused: everything is imported, but so much would be archived that nothing was. */
export type RunResult = { outcome: "completed" } | { outcome: "refused"; message: string };

/**
 * Imports rows as {@link importRows} does, archives what a full list no longer has, and keeps the run in
 * `funding.imports`, however it ends. What became of the rows is counted in `options.summary`.
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
    const result = options.isFull ? await archive(run.connection, imported, options) : completed;
    const message = result.outcome === "refused" ? result.message : null;
    await finishRun(run, result.outcome, summary, message, imported.hasFinalLineBreak);
    return result;
  } catch (error) {
    // The database may be what failed; the next run then notes that this one was interrupted.
    if (run !== undefined) await finishRun(run, "failed", summary, messageOf(error), null).catch(() => undefined);
    throw error;
  }
}

interface Run {
  connection: Connection;
  id: string;
}

const completed: RunResult = { outcome: "completed" };

async function archive(
  connection: Connection,
  { mapping, decider }: ImportResult,
  { summary, isForced }: RunOptions,
): Promise<RunResult> {
  const messages: string[] = [];
  for (const dataset of mapping.datasets) {
    // Funders are not archived: what they gave stays.
    if (dataset === "funders") continue;
    const hasSeen = (sourceId: string) => decider.hasSeen(dataset, sourceId);
    const { unknownRows } = decider;
    const options = { hasUnknownRows: unknownRows > 0, isForced };
    const result = await archiveGone(connection, dataset, mapping.source, hasSeen, options);
    if (result.kind === "archived") addCounts(summary, dataset, { archived: result.count });
    else messages.push(refusal(dataset, result, unknownRows));
  }
  return messages.length === 0 ? completed : { outcome: "refused", message: messages.join("\n") };
}

type Refusal = Exclude<ArchiveResult, { kind: "archived" }>;

function refusal(dataset: Dataset, { kind, gone, current }: Refusal, unknownRows: number): string {
  const [some, all, unknown] = [gone, current, unknownRows].map((count) => count.toLocaleString("en-US"));
  const reason =
    kind === "too many"
      ? "which is more than a fifth"
      : `and ${unknown} of its rows could not be read, which may be theirs`;
  return `${some} of the source's ${all} current ${dataset} are not in the input, ${reason}: none was archived. If they are gone indeed, --force archives them.`;
}

/** Whether the newest run of the same kind that came to its end had a line break at the end of its files. */
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
    JSON.stringify(countsOf(summary)),
    message,
    hasFinalLineBreak,
  ]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
