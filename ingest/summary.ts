import type { Dataset } from "./record.ts";

/** What became of an import's records of one dataset. */
export interface DatasetCounts {
  inserted: number;
  updated: number;
  unchanged: number;
  /** Records that the file no longer has, and that left the current catalogue. */
  archived: number;
  /** On a dry run, the records that would have gone to the database. */
  accepted: number;
}

/** What became of an import's rows. */
export interface ImportSummary {
  /** Rows, of which a record may be one, several or none. */
  read: number;
  /** Rows whose identifier the file had before. */
  repeated: number;
  rejected: number;
  /** Records, by dataset; a dataset without any is absent. */
  records: Map<Dataset, DatasetCounts>;
  /** What was left out of records, by kind, and of how many. */
  notes: Map<string, number>;
  /** How the input's dates were read, where that is not plain: sentences. */
  dateNotes: string[];
  /** Columns that no field took. */
  unusedColumns: string[];
}

export function emptySummary(): ImportSummary {
  return { read: 0, repeated: 0, rejected: 0, records: new Map(), notes: new Map(), dateNotes: [], unusedColumns: [] };
}

/** Adds to the counts of a dataset. */
export function addCounts(summary: ImportSummary, dataset: Dataset, more: Partial<DatasetCounts>): void {
  const counts = summary.records.get(dataset) ?? { inserted: 0, updated: 0, unchanged: 0, archived: 0, accepted: 0 };
  summary.records.set(dataset, {
    inserted: counts.inserted + (more.inserted ?? 0),
    updated: counts.updated + (more.updated ?? 0),
    unchanged: counts.unchanged + (more.unchanged ?? 0),
    archived: counts.archived + (more.archived ?? 0),
    accepted: counts.accepted + (more.accepted ?? 0),
  });
}

/** The summary's numbers, as `funding.imports` keeps them. */
export function countsOf({ read, repeated, rejected, records }: ImportSummary): Record<string, unknown> {
  const written = [...records].map(([dataset, { accepted: _, ...counts }]) => [dataset, counts]);
  return { read, repeated, rejected, ...Object.fromEntries(written) };
}
