/** What became of an import's rows. */
export interface ImportSummary {
  read: number;
  inserted: number;
  updated: number;
  unchanged: number;
  /** On a dry run, the rows that would have gone to the database. */
  accepted: number;
  /** Rows whose identifier the file had before. */
  repeated: number;
  rejected: number;
  /** What was left out of records, by kind, and of how many. */
  notes: Map<string, number>;
  /** Columns that no field took. */
  unusedColumns: string[];
}

export function emptySummary(): ImportSummary {
  return {
    read: 0,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    accepted: 0,
    repeated: 0,
    rejected: 0,
    notes: new Map(),
    unusedColumns: [],
  };
}
