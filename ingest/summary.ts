import { NoteCounts } from "./notes.ts";
import type { Dataset } from "./record.ts";

/** Counts of an import's records of one dataset, by outcome. */
export interface DatasetCounts {
  inserted: number;
  updated: number;
  unchanged: number;
  /** Records that were archived because the file no longer has them. */
  archived: number;
  /** On a dry run, the records that would have gone to the database. */
  accepted: number;
}

/** Counts of an import's rows, by outcome. */
export interface ImportSummary {
  /** Rows. A row may be one record, several or none. */
  read: number;
  /** Rows whose identifier an earlier row had. */
  repeated: number;
  rejected: number;
  /** Records, by dataset; a dataset without any is absent. */
  records: Map<Dataset, DatasetCounts>;
  /** Numbers of what was left out of the records or assumed of them. */
  notes: NoteCounts;
  /** Sentences about a file's shape: which list of a JSON document was read. */
  shapeNotes: string[];
  /** Sentences about ambiguous dates: how they were read. */
  dateNotes: string[];
  /** Columns that no field took. */
  unusedColumns: string[];
  /** Columns of a known source that the file lacks, and that its records miss. */
  missingColumns: string[];
}

export function emptySummary(): ImportSummary {
  return {
    read: 0,
    repeated: 0,
    rejected: 0,
    records: new Map(),
    notes: new NoteCounts(),
    shapeNotes: [],
    dateNotes: [],
    unusedColumns: [],
    missingColumns: [],
  };
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

/** Returns the summary's numbers, as stored in `funding.imports`. */
export function toStoredCounts({ read, repeated, rejected, records }: ImportSummary): Record<string, unknown> {
  const written = [...records].map(([dataset, { accepted: _, ...counts }]) => [dataset, counts]);
  return { read, repeated, rejected, ...Object.fromEntries(written) };
}
