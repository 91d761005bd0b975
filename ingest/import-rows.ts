import type { Connection } from "../database/connection.ts";
import { decideRow, type RowDecision } from "./decide-row.ts";
import { InputError } from "./errors.ts";
import { loadBatch } from "./load.ts";
import { type MappingRequest, resolveMapping } from "./mapping/mapping.ts";
import { unusedColumns } from "./mapping/unused.ts";
import { peek } from "./peek.ts";
import { isBroken, type Row } from "./read/row.ts";
import type { Dataset, RecordOf } from "./record.ts";
import type { Reject, RejectSink } from "./reject-file.ts";
import { emptySummary, type ImportSummary } from "./summary.ts";

export interface ImportOptions extends MappingRequest {
  /** Opens the database, once the input and the mapping are found good. Absent on a dry run. */
  connect?(): Promise<Connection>;
  source: string;
  /** The day of the import, `YYYY-MM-DD`. */
  today: string;
  rejects: RejectSink;
  /** Is told the state of things after every batch. */
  report?(summary: ImportSummary): void;
  /** When aborted, the import ends after the batch at hand, with the signal's reason thrown. */
  signal?: AbortSignal;
}

/** A batch is one transaction: 500 records, or less of long ones. */
const batchRecords = 500;
const batchCharacters = 4_000_000;
/** The rows that a mapping is checked against: JSON rows need not have every member. */
const sampleRows = 100;

/**
 * Imports rows, and returns what became of them. A bad row goes to the rejects and costs no other;
 * every batch that is in stays in, whatever happens afterwards.
 *
 * @throws {InputError} when there is no row.
 * @throws {MappingError} when the mapping does not fit.
 */
export async function importRows(input: AsyncIterable<Row>, options: ImportOptions): Promise<ImportSummary> {
  const { sample, rows } = await peek(input, sampleRows);
  if (sample.length === 0) throw new InputError("has no rows");
  const readable = sample.flatMap((row) => (isBroken(row) ? [] : [row.values]));
  if (readable.length === 0) throw new InputError(`has no row that can be read among its first ${sample.length}`);
  const mapping = resolveMapping(options, readable);
  const connection = await options.connect?.();
  const decide = decideRow(mapping, options.source, options.today);

  const summary = { ...emptySummary(), unusedColumns: unusedColumns(mapping, readable) };
  let batch: RowDecision[] = [];
  let characters = 0;
  for await (const row of rows) {
    const decision = decide(row);
    batch.push(decision);
    characters += decision.size;
    if (batch.length < batchRecords && characters < batchCharacters) continue;
    await apply(batch, connection, options, summary);
    batch = [];
    characters = 0;
    options.signal?.throwIfAborted();
  }
  await apply(batch, connection, options, summary);
  return summary;
}

async function apply(
  batch: RowDecision[],
  connection: Connection | undefined,
  options: ImportOptions,
  summary: ImportSummary,
): Promise<void> {
  const rejects: Reject[] = [];
  const accepted = batch.filter((decision) => decision.kind === "record");
  for (const decision of batch) {
    summary.read++;
    if (decision.kind === "record") {
      for (const note of decision.notes) summary.notes.set(note, (summary.notes.get(note) ?? 0) + 1);
    } else {
      summary[decision.kind]++;
      rejects.push(decision.reject);
    }
  }
  if (connection === undefined) {
    summary.accepted += accepted.length;
  } else {
    // Only decideRow makes these records, and it makes them of the mapping's dataset.
    const records = accepted.map(({ record }) => record) as RecordOf[Dataset][];
    const { inserted, updated, unchanged, refused } = await loadBatch(connection, options.dataset, records as never);
    summary.inserted += inserted;
    summary.updated += updated;
    summary.unchanged += unchanged;
    summary.rejected += refused.length;
    for (const { index, reason } of refused) {
      const decision = accepted[index];
      if (decision !== undefined)
        rejects.push({
          line: decision.line,
          source_id: decision.record.source_id,
          reason: `the database: ${reason}`,
          row: decision.row,
        });
    }
  }
  await options.rejects.write(rejects.sort((one, other) => one.line - other.line));
  options.report?.(summary);
}
