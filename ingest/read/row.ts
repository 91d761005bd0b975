import type { Note } from "../notes.ts";

/** A row of the input as it was read. */
export interface GoodRow {
  /** The line on which the row begins, counted from 1. */
  line: number;
  /** Its number among the rows of a JSON document, whose lines may have several. */
  record?: number;
  /** The file it is in, if there are several: in an archive, or on the command line. */
  file?: string;
  /** Set on a last row without a line break after it. */
  unterminated?: Unterminated;
  /** The reader's assumption about the row: a note, if the row becomes a record. */
  note?: Note;
  values: Record<string, unknown>;
}

/** A row that could not be read, and the reason. */
export interface BrokenRow {
  line: number;
  record?: number;
  file?: string;
  unterminated?: Unterminated;
  reason: string;
  /** The row's text, or its beginning. */
  text: string;
  /** Values that could be read, which may have the record's identifier. */
  values?: Record<string, unknown>;
}

export type Row = GoodRow | BrokenRow;

/**
 * Kind of a row whose file ends without a line break. Many files are written so; but if a source's earlier files ended
 * with one, the file was cut. `doubtful`: the row's last value may be cut, since a CSV value has no end of its own.
 * `whole`: the row is complete, since a JSON object has an end.
 */
export type Unterminated = "whole" | "doubtful";

/** Whether a row, or a record that becomes a row, could not be read. */
export function isBroken<Other extends { line: number }>(row: Other | BrokenRow): row is BrokenRow {
  return "reason" in row;
}

/** Place of a row in the input. */
export type RowPlace = Pick<GoodRow, "line" | "record" | "file">;

/** Returns a row's place, as members of an entry in a file. */
export function placeOf({ file, line, record }: RowPlace): RowPlace {
  return { ...(file === undefined ? {} : { file }), line, ...(record === undefined ? {} : { record }) };
}

/** Describes a row's place in a sentence: `grants.csv, line 1,204`. A line of a JSON document may have several rows. */
export function describePlace({ file, line, record }: RowPlace): string {
  const [noun, number] = record === undefined ? ["line", line] : ["record", record];
  return `${file === undefined ? "" : `${file}, `}${noun} ${number.toLocaleString("en-US")}`;
}

/** Yields the rows of one file, in memory that does not grow with the file. */
export type ReadRows = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Row>;
