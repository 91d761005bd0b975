import { RejectedRow, ValueError } from "./errors.ts";
import type { PlaceReadingMode } from "./fields/place.ts";
import { type DatasetRecord, normalize } from "./normalize/normalize.ts";
import { isBroken, type Row } from "./read/row.ts";
import type { Dataset } from "./record.ts";
import type { Reject } from "./reject-file.ts";
import { SeenIds } from "./seen-ids.ts";
import { isNoRecord, type Mapped, type MappedRecord, noRecord, type RawRow } from "./sources/source.ts";

/** What is to become of a row. `size` is about how many characters it holds. */
export type RowDecision = { size: number } & (
  | { kind: "records"; records: readonly DatasetRecord[]; row: Row & { values: RawRow }; notes: string[] }
  | { kind: "rejected" | "repeated"; reject: Reject }
);

/** What the rows of an import are: the `source` of their records, and how they are mapped. */
export interface RowMapping {
  source: string;
  /** The datasets of the records; a row is known by its record in the first of them. */
  datasets: readonly [Dataset, ...Dataset[]];
  map(row: RawRow): Mapped;
}

/** Decides on each row of an import, in turn. */
export class RowDecider {
  readonly #mapping: RowMapping;
  readonly #today: string;
  readonly #places: PlaceReadingMode;
  readonly #seen: Record<Dataset, SeenIds> = {
    grants: new SeenIds(),
    contracts: new SeenIds(),
    funders: new SeenIds(),
  };

  /** @param places how states are found. */
  constructor(mapping: RowMapping, today: string, places: PlaceReadingMode = "guess") {
    this.#mapping = mapping;
    this.#today = today;
    this.#places = places;
  }

  /** Rows that could not be read, and of which it is not known whose they are. */
  unknownRows = 0;

  /** Whether a row of this identifier came by, whatever became of it. */
  hasSeen(dataset: Dataset, sourceId: string): boolean {
    return this.#seen[dataset].has(sourceId);
  }

  decide(row: Row): RowDecision {
    if (isBroken(row)) return this.#broken(row);
    const size = sizeOf(row.values);
    const mapped = this.#mapped(row.values);
    if (isNoRecord(mapped)) return this.#rejected(row, mapped.reason, mapped.source_id, size);
    try {
      return this.#accepted(row, mapped, size);
    } catch (error) {
      if (!(error instanceof RejectedRow)) throw error;
      return this.#rejected(row, error.message, sourceIdIn(mapped), size);
    }
  }

  #mapped(values: RawRow): Mapped {
    try {
      return this.#mapping.map(values);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      return noRecord(error.message);
    }
  }

  #accepted(row: Row & { values: RawRow }, mapped: readonly MappedRecord[], size: number): RowDecision {
    const notes: string[] = [];
    const context = {
      source: this.#mapping.source,
      today: this.#today,
      places: this.#places,
      note: (note: string) => notes.push(note),
    };
    const [main] = this.#mapping.datasets;
    const records: DatasetRecord[] = [];
    for (const item of mapped.map((record) => normalize(record, context))) {
      const { source_id } = item.record;
      const first = this.#seen[item.dataset].lineOfFirst(source_id, row.line);
      if (first === undefined) records.push(item);
      // A funder comes with each of its grants; the row's own record comes once.
      else if (item.dataset === main) {
        const reason = `repeats the source_id of line ${first}, which was kept`;
        return { kind: "repeated", reject: rejectOf(row, reason, source_id), size };
      }
    }
    return { kind: "records", records, row, notes, size };
  }

  #broken(row: Row & { reason: string; text: string; values?: RawRow }): RowDecision {
    // A line may be 16 MB long, and its beginning shows what is wrong with it.
    const text = row.text.slice(0, 10_000);
    const mapped = row.values === undefined ? undefined : this.#mapped(row.values);
    const id = mapped === undefined || isNoRecord(mapped) ? null : sourceIdIn(mapped);
    if (id === null) this.unknownRows++;
    return this.#rejected({ ...row, values: text }, row.reason, id, text.length);
  }

  #rejected(
    row: { line: number; file?: string; values: RawRow | string },
    reason: string,
    sourceId: string | null,
    size: number,
  ): RowDecision {
    // The publisher lists the record all the same: it has not gone. A later row of it may be good.
    if (sourceId !== null) this.#seen[this.#mapping.datasets[0]].note(sourceId);
    return { kind: "rejected", reject: rejectOf(row, reason, sourceId), size };
  }
}

/** The reject-file entry of a row. */
export function rejectOf(
  { line, file, values }: { line: number; file?: string; values: RawRow | string },
  reason: string,
  source_id: string | null,
): Reject {
  return { ...(file === undefined ? {} : { file }), line, source_id, reason, row: values };
}

function sourceIdIn(mapped: readonly MappedRecord[]): string | null {
  const [id] = mapped[0]?.values.get("source_id") ?? [];
  return id === undefined ? null : String(id).trim();
}

function sizeOf(values: RawRow): number {
  return Object.values(values).reduce<number>(
    (size, value) => size + (typeof value === "string" ? value.length : 20),
    0,
  );
}
