import { RejectedRow } from "./errors.ts";
import { mapper } from "./mapping/apply.ts";
import type { Mapping } from "./mapping/mapping.ts";
import { normalizers } from "./normalize/normalize.ts";
import { isBroken, type Row } from "./read/row.ts";
import type { Dataset, RecordOf } from "./record.ts";
import type { Reject } from "./reject-file.ts";
import { SeenIds } from "./seen-ids.ts";

/** What is to become of a row. `size` is about how many characters it holds. */
export type RowDecision = { size: number } & (
  | { kind: "record"; line: number; record: RecordOf[Dataset]; row: Record<string, unknown>; notes: string[] }
  | { kind: "rejected" | "repeated"; reject: Reject }
);

/** Makes the function that decides on each row of one file, in turn. */
export function decideRow(mapping: Mapping, source: string, today: string): (row: Row) => RowDecision {
  const fieldsOf = mapper(mapping);
  const normalize = normalizers[mapping.dataset];
  const seen = new SeenIds();
  return (row) => {
    const { line } = row;
    if (isBroken(row)) {
      // A line may be 16 MB long, and its beginning shows what is wrong with it.
      const reject = { line, source_id: null, reason: row.reason, row: row.text.slice(0, 10_000) };
      return { kind: "rejected", reject, size: reject.row.length };
    }
    const size = sizeOf(row.values);
    const fields = fieldsOf(row.values);
    const notes: string[] = [];
    try {
      const record = normalize(fields, { source, today, note: (problem) => notes.push(problem) });
      const first = seen.lineOfFirst(record.source_id, line);
      if (first === undefined) return { kind: "record", line, record, row: row.values, notes, size };
      const reason = `repeats the source_id of line ${first}, which was kept`;
      return { kind: "repeated", reject: { line, source_id: record.source_id, reason, row: row.values }, size };
    } catch (error) {
      if (!(error instanceof RejectedRow)) throw error;
      const [id] = fields.get("source_id") ?? [];
      return {
        kind: "rejected",
        reject: { line, source_id: id === undefined ? null : String(id), reason: error.message, row: row.values },
        size,
      };
    }
  };
}

function sizeOf(values: Record<string, unknown>): number {
  return Object.values(values).reduce<number>(
    (size, value) => size + (typeof value === "string" ? value.length : 20),
    0,
  );
}
