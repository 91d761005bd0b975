import { ColumnDate, type DateOrder } from "../fields/date.ts";
import { dateFields, type parsers } from "../fields/parsers.ts";
import { isBlank } from "../fields/value.ts";
import type { FieldValues } from "../mapping/apply.ts";
import type { Note } from "../notes.ts";
import type { Row } from "../read/row.ts";
import type { Dataset } from "../record.ts";
import type { SourceDates } from "./source-dates.ts";

/** A row as its publisher wrote it: CSV columns, JSON members or XML elements, by name. */
export type RawRow = Record<string, unknown>;

/** A publisher's files: how their rows are read and mapped to records. */
export interface Source {
  /** Name in the command, `npm run import -- NAME FILE`: lower-case letters, digits and hyphens. */
  name: string;
  /** Description of the file for --help; fewer than 75 characters. */
  about: string;
  /** The `source` of its records, if it shares the records of another source. Default: `name`. */
  recordSource?: string;
  /** Datasets of its records. A row's first record identifies it; a rejected row counts as one of the first dataset. */
  datasets: readonly [Dataset, ...Dataset[]];
  /** Required columns. A file without them is of another kind, and refused as a whole. */
  columns?: readonly string[];
  /** Columns that its records are made of, by the publisher's names. */
  usedColumns?: readonly string[];
  /** Used columns that the summary names where a file lacks them: without one, every record loses a text or value that people search by. */
  missedColumns?: readonly string[];
  /** Whether the file is the publisher's full list, so that missing records are archived. */
  isFull: boolean;
  /** Whether a row shows that its file is a part of that list, such as a page of an API. Nothing is archived then. */
  isPart?(row: RawRow): boolean;
  /** Reader of the file's rows: `csvRows`, `ndjsonRows`, `jsonRows(...)` or `xmlRows(...)`. */
  read(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Row>;
  /** Whether a row is of an early stage, such as a forecast: it is read after all others, one of which may be of its record's later stage. */
  isEarly?(row: RawRow): boolean;
  /** Maps a row to its records, or to the reason why it is none. A pure function. */
  map(row: RawRow): Mapped;
}

/** A record with the source's own values; `ingest/normalize` parses, checks and repairs them. */
export interface MappedRecord {
  dataset: Dataset;
  /** The `source` of the record, where it is another than that of its file's. */
  source?: string;
  values: FieldValues;
  /** Whether fields without a value keep their stored values. Otherwise they are emptied. */
  isPartial: boolean;
  /** From 0 to 65,535: of rows with one identifier, the first of the highest rank is kept. Default: 0. */
  rank?: number;
  /** Values that the mapping left out, or assumed. */
  notes?: readonly Note[];
}

/** A row that is no record, with the reason. */
export interface NoRecord {
  reason: string;
  source_id: string | null;
}

export type Mapped = readonly MappedRecord[] | NoRecord;

/**
 * Fields of a record with the source's own values. A list offers several values: a field with one value takes the first
 * that is not blank, a long text makes a paragraph of each, a list takes all.
 */
export type Fields<Name extends Dataset> = { readonly [Field in keyof (typeof parsers)[Name]]?: unknown };

/**
 * Makes a grant.
 *
 * @param dates order of the source's dates, from `source-dates.ts`. Default: the month first.
 */
export function grant(fields: Fields<"grants">, dates: DateOrder = "mdy"): MappedRecord {
  return { dataset: "grants", values: toValues(fields, dates), isPartial: false };
}

/** Makes a contract, as {@link grant} does. */
export function contract(fields: Fields<"contracts">, dates: DateOrder = "mdy"): MappedRecord {
  return { dataset: "contracts", values: toValues(fields, dates), isPartial: false };
}

/** Makes a funder, as {@link grant} does. */
export function funder(fields: Fields<"funders">, dates: DateOrder = "mdy"): MappedRecord {
  return { dataset: "funders", values: toValues(fields, dates), isPartial: false };
}

/** Returns {@link grant}, {@link contract} and {@link funder} for a source, with its order of dates. */
export function createRecordMakers({ order }: SourceDates) {
  return {
    grant: (fields: Fields<"grants">) => grant(fields, order),
    contract: (fields: Fields<"contracts">) => contract(fields, order),
    funder: (fields: Fields<"funders">) => funder(fields, order),
  };
}

/** Makes a record partial: fields without a value keep their stored values. */
export function asPartial(record: MappedRecord): MappedRecord {
  return { ...record, isPartial: true };
}

/**
 * Makes the result for a row that is no record.
 *
 * @param source_id the row's identifier, if it has one.
 */
export function noRecord(reason: string, source_id: string | null = null): NoRecord {
  return { reason, source_id };
}

export function isNoRecord(mapped: Mapped): mapped is NoRecord {
  return "reason" in mapped;
}

function toValues(fields: Readonly<Record<string, unknown>>, dates: DateOrder): FieldValues {
  return new Map(
    Object.entries(fields).map(([field, value]) => {
      const items = (Array.isArray(value) ? value : [value]).filter((item) => !isBlank(item));
      return [field, dateFields.has(field) ? items.map((item) => new ColumnDate(item, dates)) : items];
    }),
  );
}
