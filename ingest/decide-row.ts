import { DerivedIds, type DerivedIdsOptions } from "./derived-ids.ts";
import type { Reject } from "./entry-file.ts";
import { RejectedRow, ValueError } from "./errors.ts";
import { parseSourceId } from "./fields/code.ts";
import type { PlaceReadingMode } from "./fields/place.ts";
import { type DatasetRecord, type NormalizedRecord, normalize } from "./normalize/normalize.ts";
import type { DerivedIdentity } from "./normalize/source-id.ts";
import type { Note } from "./notes.ts";
import { describePlace, type GoodRow, isBroken, placeOf, type Row, type RowPlace } from "./read/row.ts";
import type { Dataset } from "./record.ts";
import { SeenIds } from "./seen-ids.ts";
import { isNoRecord, type Mapped, type MappedRecord, noRecord, type RawRow } from "./sources/source.ts";

/** Decision on a row. `supersedes` is the place of an earlier row of its record, which is of a lower rank. `size` is its approximate number of characters. */
export type RowDecision = { size: number } & (
  | { kind: "records"; records: readonly DatasetRecord[]; row: GoodRow; notes: readonly Note[]; supersedes?: number }
  | { kind: "rejected" | "repeated"; reject: Reject }
);

/** Mapping of an import's rows to records. */
export interface RowMapping {
  /** The `source` of the records. */
  source: string;
  /** Datasets of the records. A row's first record identifies it; a rejected row counts as one of the first dataset. */
  datasets: readonly [Dataset, ...Dataset[]];
  /** Whether the input is the source's full list, so that records that it lacks are archived. Default: false. */
  isFull?: boolean;
  map(row: RawRow): Mapped;
  /** Whether a row is decided after all others. */
  isEarly?(row: RawRow): boolean;
  /** Fields with one value for all rows. */
  constants?: ReadonlySet<string>;
}

/** Makes the identifiers of a dataset's records that have none of their own. */
export type CreateDerivedIds = (dataset: Dataset) => DerivedIds;

/** Decides on the rows of an import, one after the other. */
export class RowDecider {
  readonly #mapping: RowMapping;
  readonly #places: PlaceReadingMode;
  readonly #seen: Record<Dataset, SeenIds> = {
    grants: new SeenIds(),
    contracts: new SeenIds(),
    funders: new SeenIds(),
  };

  readonly #createDerivedIds: CreateDerivedIds;
  readonly #derivedIds = new Map<Dataset, DerivedIds>();

  /**
   * @param places how states are read.
   * @param createDerivedIds Default: identifiers of a source without stored records.
   */
  constructor(
    mapping: RowMapping,
    places: PlaceReadingMode = "guess",
    createDerivedIds: CreateDerivedIds = () => new DerivedIds(nothingStored),
  ) {
    this.#mapping = mapping;
    this.#places = places;
    this.#createDerivedIds = createDerivedIds;
  }

  /** Number of rejected rows without an identifier that could be read: each may be any record's. */
  unknownRows = 0;

  /** Whether a row with this identifier was in the input, also if it was rejected. */
  hasSeen(dataset: Dataset, sourceId: string): boolean {
    return this.#seen[dataset].has(sourceId);
  }

  /** Sentences for the summary: what the records without an identifier of their own are known by. */
  describeIdentity(): string[] {
    return [...this.#derivedIds.values()].flatMap((ids) => ids.describe() ?? []);
  }

  /** Identities of a row's records that have no identifier of their own. Empty where the row becomes no record. */
  identitiesOf(row: GoodRow): { dataset: Dataset; identity: DerivedIdentity }[] {
    const mapped = this.#mapRow(row.values);
    if (isNoRecord(mapped)) return [];
    try {
      return this.#normalize(mapped, () => undefined).flatMap(({ dataset, identity }) =>
        identity === undefined ? [] : [{ dataset, identity }],
      );
    } catch (error) {
      if (!(error instanceof RejectedRow || error instanceof ValueError)) throw error;
      return [];
    }
  }

  async decide(row: Row): Promise<RowDecision> {
    if (isBroken(row)) return this.#rejectBroken(row);
    const size = measureValue(row.values);
    const mapped = this.#mapRow(row.values);
    if (isNoRecord(mapped)) return this.#reject(row, mapped.reason, mapped.source_id, size);
    try {
      return await this.#accept(row, mapped, size);
    } catch (error) {
      // A value that a field's parser let pass costs its row and no other.
      if (!(error instanceof RejectedRow || error instanceof ValueError)) throw error;
      return this.#reject(row, error.message, readSourceId(mapped), size);
    }
  }

  #mapRow(values: RawRow): Mapped {
    try {
      return this.#mapping.map(values);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      return noRecord(error.message);
    }
  }

  #normalize(mapped: readonly MappedRecord[], note: (note: Note) => void): NormalizedRecord[] {
    const context = { places: this.#places, note };
    return mapped.map((record) => normalize(record, { ...context, source: record.source ?? this.#mapping.source }));
  }

  async #identify(item: NormalizedRecord): Promise<DatasetRecord> {
    const { identity, ...record } = item;
    if (identity === undefined) return record;
    const ids = this.#derivedIds.get(item.dataset) ?? this.#createDerivedIds(item.dataset);
    this.#derivedIds.set(item.dataset, ids);
    const source_id = await ids.resolve(identity);
    return { dataset: item.dataset, record: { ...item.record, source_id } } as DatasetRecord;
  }

  async #accept(row: GoodRow, mapped: readonly MappedRecord[], size: number): Promise<RowDecision> {
    const notes = [...(row.note === undefined ? [] : [row.note]), ...mapped.flatMap((record) => record.notes ?? [])];
    const main = mapped[0]?.dataset;
    const records: DatasetRecord[] = [];
    let supersedes: number | undefined;
    for (const [index, normalized] of this.#normalize(mapped, (note) => void notes.push(note)).entries()) {
      const item = await this.#identify(normalized);
      const { source_id } = item.record;
      const first = this.#seen[item.dataset].addKept(source_id, row.record ?? row.line, mapped[index]?.rank);
      if (item.dataset === main && first?.isKept === false) supersedes = first.line;
      if (first?.isKept !== true) records.push(item);
      // A funder is repeated with each of its grants. The row's own record must not be repeated.
      else if (item.dataset === main) {
        const place = describePlace({ line: first.line, ...(row.record === undefined ? {} : { record: first.line }) });
        const reason =
          normalized.identity === undefined
            ? `repeats the source_id of ${place}, which was kept`
            : `is the same as ${place} in all that is mapped`;
        return { kind: "repeated", reject: toReject(row, reason, source_id), size };
      }
    }
    return { kind: "records", records, row, notes, size, ...(supersedes === undefined ? {} : { supersedes }) };
  }

  #rejectBroken(row: Row & { reason: string; text: string; values?: RawRow }): RowDecision {
    // A line may be 16 MB long. Its beginning is enough to see what is wrong.
    const text = row.text.slice(0, 10_000);
    const mapped = row.values === undefined ? undefined : this.#mapRow(row.values);
    const id = mapped === undefined || isNoRecord(mapped) ? null : readSourceId(mapped);
    return this.#reject({ ...row, values: text }, row.reason, id, text.length);
  }

  #reject(
    row: RowPlace & { values: RawRow | string },
    reason: string,
    sourceId: string | null,
    size: number,
  ): RowDecision {
    // The publisher still lists the record, so it must not be archived. A later row of it may be good.
    if (sourceId === null) this.unknownRows++;
    else this.#seen[this.#mapping.datasets[0]].addRejected(sourceId);
    return { kind: "rejected", reject: toReject(row, reason, sourceId), size };
  }
}

const nothingStored: DerivedIdsOptions = {
  async *known() {},
  lookAhead: () => Promise.resolve(undefined),
  isFull: false,
  constants: new Set(),
};

/** Makes the entry of a row for the reject file. */
export function toReject(
  { values, ...place }: RowPlace & { values: RawRow | string },
  reason: string,
  source_id: string | null,
): Reject {
  return { ...placeOf(place), source_id, reason, row: values };
}

/** Reads the identifier of a row as it is stored. Null when the row has none, or one that cannot be read. */
export function readSourceId(mapped: readonly MappedRecord[]): string | null {
  const [id] = mapped[0]?.values.get("source_id") ?? [];
  try {
    return id === undefined ? null : parseSourceId(id) || null;
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return null;
  }
}

/** Returns the approximate number of characters in a row, also in its lists and objects. */
export function measureRow(row: Row): number {
  return isBroken(row) ? row.text.length : measureValue(row.values);
}

function measureValue(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 20;
  return Object.values(value).reduce<number>((size, item) => size + measureValue(item), 20);
}
