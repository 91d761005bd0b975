/** A row of the input as it was read, before anything is made of it. */
export interface GoodRow {
  /** The line on which the row begins, counted from 1. */
  line: number;
  values: Record<string, unknown>;
}

/** A row that could not be read, and why. */
export interface BrokenRow {
  line: number;
  reason: string;
  /** The row's text, or its beginning. */
  text: string;
}

export type Row = GoodRow | BrokenRow;

export function isBroken(row: { line: number }): row is BrokenRow {
  return "reason" in row;
}

/** The kinds of file that can be read. */
export type Format = "ndjson" | "csv";

export const formats: readonly Format[] = ["ndjson", "csv"];
