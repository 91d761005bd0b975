import { ColumnDate, type DateOrder } from "../fields/date.ts";
import { dateFields, type parsers } from "../fields/parsers.ts";
import { isBlank } from "../fields/value.ts";
import type { FieldValues } from "../mapping/apply.ts";
import type { Row } from "../read/row.ts";
import type { Dataset } from "../record.ts";
import type { SourceDates } from "./source-dates.ts";

/** A row as its publisher wrote it: CSV columns, JSON members or XML elements, by their own names. */
export type RawRow = Record<string, unknown>;

/** A publisher's file that the importer knows: how its rows are read, and what records they are. */
export interface Source {
  /** What the command calls it: `npm run import -- NAME FILE`. Lower-case letters, digits and hyphens. */
  name: string;
  /** What the file is, for --help; fewer than 75 characters. */
  about: string;
  /** The `source` of its records, where that is another's: both then know the same records. Default: `name`. */
  recordSource?: string;
  /** The datasets of its records. A row is counted by its record in the first of them. */
  datasets: readonly [Dataset, ...Dataset[]];
  /** Columns without which the file is of another kind, and is refused as a whole. */
  columns?: readonly string[];
  /** Whether the file is all that the publisher lists, so that a record that it no longer has is to be archived. */
  isFull: boolean;
  /** The rows of a file, one after the other: `csvRows`, `ndjsonRows`, `jsonRows(...)`, `xmlRows(...)`. */
  read(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Row>;
  /** The records that a row is, or the reason why it is none. Pure. */
  map(row: RawRow, context: MapContext): Mapped;
}

export interface MapContext {
  /** The day of the import, `YYYY-MM-DD`. */
  today: string;
}

/** A record whose fields hold what the source wrote; `ingest/normalize` reads, checks and repairs them. */
export interface MappedRecord {
  dataset: Dataset;
  values: FieldValues;
  /** True when fields without a value are to stay as they are stored, rather than be emptied. */
  isPartial: boolean;
}

/** A row that is no record, and why. */
export interface NoRecord {
  reason: string;
  source_id: string | null;
}

export type Mapped = readonly MappedRecord[] | NoRecord;

/**
 * The fields of a record, each as the source writes it. A list gives its items in turn: a field of one
 * value takes the first that is not blank, a text makes paragraphs of them, a list takes all.
 */
export type Fields<Name extends Dataset> = { readonly [Field in keyof (typeof parsers)[Name]]?: unknown };

/**
 * A grant.
 *
 * @param dates what comes first in the source's dates, as `source-dates.ts` says. Default: the month.
 */
export function grant(fields: Fields<"grants">, dates: DateOrder = "mdy"): MappedRecord {
  return { dataset: "grants", values: valuesOf(fields, dates), isPartial: false };
}

/** A contract, as {@link grant}. */
export function contract(fields: Fields<"contracts">, dates: DateOrder = "mdy"): MappedRecord {
  return { dataset: "contracts", values: valuesOf(fields, dates), isPartial: false };
}

/** A funder, as {@link grant}. */
export function funder(fields: Fields<"funders">, dates: DateOrder = "mdy"): MappedRecord {
  return { dataset: "funders", values: valuesOf(fields, dates), isPartial: false };
}

/** {@link grant}, {@link contract} and {@link funder} of a source, with its dates read in its order. */
export function recordsDated({ order }: SourceDates) {
  return {
    grant: (fields: Fields<"grants">) => grant(fields, order),
    contract: (fields: Fields<"contracts">) => contract(fields, order),
    funder: (fields: Fields<"funders">) => funder(fields, order),
  };
}

/** The record, as one that says nothing of the fields it has no value for. */
export function partial(record: MappedRecord): MappedRecord {
  return { ...record, isPartial: true };
}

/** @param source_id the record's identifier, where the row has one. */
export function noRecord(reason: string, source_id: string | null = null): NoRecord {
  return { reason, source_id };
}

export function isNoRecord(mapped: Mapped): mapped is NoRecord {
  return "reason" in mapped;
}

function valuesOf(fields: Readonly<Record<string, unknown>>, dates: DateOrder): FieldValues {
  return new Map(
    Object.entries(fields).map(([field, value]) => {
      const items = (Array.isArray(value) ? value : [value]).filter((item) => !isBlank(item));
      return [field, dateFields.has(field) ? items.map((item) => new ColumnDate(item, dates)) : items];
    }),
  );
}
