import { type Connection, queryValue } from "../database/connection.ts";
import type { Dataset, RecordUpdate } from "./record.ts";

/** Counts of a batch's records by outcome. */
export interface LoadCounts {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** A record that the database refused. */
export interface Refusal {
  /** Index in the batch. */
  index: number;
  reason: string;
}

/**
 * Writes a batch of records in one transaction. If the database refuses a record, the batch is halved until that record
 * is alone, and the others are written.
 *
 * @param keptSince stored records that were changed then or later stay as they are.
 */
export async function loadBatch<Name extends Dataset>(
  connection: Connection,
  dataset: Name,
  records: readonly RecordUpdate<Name>[],
  keptSince?: Date,
): Promise<LoadCounts & { refused: Refusal[] }> {
  if (records.length === 0) return { inserted: 0, updated: 0, unchanged: 0, refused: [] };
  try {
    return { ...(await write(connection, dataset, JSON.stringify(records), keptSince)), refused: [] };
  } catch (error) {
    // Errors that no record causes, such as a lost connection or a full disk, end the import.
    if (!isRecordError(error)) throw error;
    if (records.length === 1) {
      return { inserted: 0, updated: 0, unchanged: 0, refused: [{ index: 0, reason: explainRefusal(error) }] };
    }
    const middle = Math.ceil(records.length / 2);
    const first = await loadBatch(connection, dataset, records.slice(0, middle), keptSince);
    const second = await loadBatch(connection, dataset, records.slice(middle), keptSince);
    return {
      inserted: first.inserted + second.inserted,
      updated: first.updated + second.updated,
      unchanged: first.unchanged + second.unchanged,
      refused: [...first.refused, ...second.refused.map(({ index, reason }) => ({ index: index + middle, reason }))],
    };
  }
}

/** Writes a batch, up to five times: concurrent batches may deadlock on each other's funders. */
async function write(
  connection: Connection,
  dataset: Dataset,
  batch: string,
  keptSince: Date | undefined,
  attempt = 1,
): Promise<LoadCounts> {
  try {
    // A database of the version before knows two parameters.
    return await queryValue<LoadCounts>(
      connection,
      `select funding.upsert_records($1, $2::jsonb ${keptSince === undefined ? "" : ", $3"})`,
      [dataset, batch, ...(keptSince === undefined ? [] : [keptSince.toISOString()])],
    );
  } catch (error) {
    if (attempt === maxAttempts || (error as { code?: string }).code !== deadlock) throw error;
    return write(connection, dataset, batch, keptSince, attempt + 1);
  }
}

const maxAttempts = 5;
const deadlock = "40P01";

/** Whether a record caused an error: SQLSTATE classes 21 (twice in a batch), 22 (data), 23 (constraint), 54 (too large). */
function isRecordError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "code" in error && /^(21|22|23|54)/.test(String(error.code));
}

function explainRefusal(error: Error & { code: string; constraint?: string; column?: string }): string {
  if (error.code === notNull && error.column !== undefined) return `${error.column} is missing`;
  return error.constraint === undefined ? error.message : `breaks the rule ${error.constraint}`;
}

const notNull = "23502";
