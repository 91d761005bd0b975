/** A row of the input as it was read, before anything is made of it. */
export interface GoodRow {
  /** The line on which the row begins, counted from 1. */
  line: number;
  /** The file it is in, where there are several: in an archive, or on the command line. */
  file?: string;
  values: Record<string, unknown>;
}

/** A row that could not be read, and why. */
export interface BrokenRow {
  line: number;
  file?: string;
  reason: string;
  /** The row's text, or its beginning. */
  text: string;
  /** What could be read of it, which may tell whose row it is. */
  values?: Record<string, unknown>;
}

export type Row = GoodRow | BrokenRow;

/** Also of what is on the way to be a row. */
export function isBroken<Other extends { line: number }>(row: Other | BrokenRow): row is BrokenRow {
  return "reason" in row;
}

/** The rows of one file, one after the other, in memory that does not grow with it. */
export type ReadRows = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Row>;
