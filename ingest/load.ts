import { type Connection, queryOne } from "../database/connection.ts";
import type { Dataset, RecordUpdate } from "./record.ts";

/** What became of a batch's records. */
export interface LoadCounts {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** A record that the database refused, by its place in the batch, and why. */
export interface Refusal {
  index: number;
  reason: string;
}

/**
 * Writes a batch of records in one transaction. If the database refuses a record, the batch is
 * halved until that record stands alone, so that it costs the others nothing.
 */
export async function loadBatch<Name extends Dataset>(
  connection: Connection,
  dataset: Name,
  records: readonly RecordUpdate<Name>[],
): Promise<LoadCounts & { refused: Refusal[] }> {
  if (records.length === 0) return { inserted: 0, updated: 0, unchanged: 0, refused: [] };
  try {
    return { ...(await write(connection, dataset, JSON.stringify(records))), refused: [] };
  } catch (error) {
    // Not every error is a record's fault: a lost connection or a full disk ends the import.
    if (!isRecordError(error)) throw error;
    if (records.length === 1) {
      return { inserted: 0, updated: 0, unchanged: 0, refused: [{ index: 0, reason: reasonOf(error) }] };
    }
    const middle = Math.ceil(records.length / 2);
    const first = await loadBatch(connection, dataset, records.slice(0, middle));
    const second = await loadBatch(connection, dataset, records.slice(middle));
    return {
      inserted: first.inserted + second.inserted,
      updated: first.updated + second.updated,
      unchanged: first.unchanged + second.unchanged,
      refused: [...first.refused, ...second.refused.map(({ index, reason }) => ({ index: index + middle, reason }))],
    };
  }
}

/** Batches that are written at the same time may wait for each other's funders; one of the two then tries again. */
async function write(connection: Connection, dataset: Dataset, batch: string, attempt = 1): Promise<LoadCounts> {
  try {
    const { counts } = await queryOne<{ counts: LoadCounts }>(
      connection,
      "select funding.upsert_records($1, $2::jsonb) as counts",
      [dataset, batch],
    );
    return counts;
  } catch (error) {
    if (attempt === 5 || (error as { code?: string }).code !== deadlock) throw error;
    return write(connection, dataset, batch, attempt + 1);
  }
}

const deadlock = "40P01";

/** SQLSTATE classes 21 (a record twice in a batch), 22 (data), 23 (constraints) and 54 (something too large). */
function isRecordError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "code" in error && /^(21|22|23|54)/.test(String(error.code));
}

function reasonOf(error: Error & { code: string; constraint?: string; column?: string }): string {
  if (error.code === notNull && error.column !== undefined) return `${error.column} is missing`;
  return error.constraint === undefined ? error.message : `breaks the rule ${error.constraint}`;
}

const notNull = "23502";
