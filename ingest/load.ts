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
    const { counts } = await queryOne<{ counts: LoadCounts }>(connection, statements[dataset], [
      JSON.stringify(records),
    ]);
    return { ...counts, refused: [] };
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

const statements: Record<Dataset, string> = {
  funders: "select funding.upsert_records('funders', $1::jsonb) as counts",
  grants: "select funding.upsert_records('grants', $1::jsonb) as counts",
  contracts: "select funding.upsert_records('contracts', $1::jsonb) as counts",
};

/** SQLSTATE classes 21 (a record twice in a batch), 22 (data), 23 (constraints) and 54 (something too large). */
function isRecordError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "code" in error && /^(21|22|23|54)/.test(String(error.code));
}

function reasonOf(error: Error & { constraint?: string }): string {
  return error.constraint === undefined ? error.message : `breaks the rule ${error.constraint}`;
}
