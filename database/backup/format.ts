/**
 * A backup: an SQL script of `COPY ... FROM stdin` blocks, compressed with gzip. Two lines are ours: the second, a comment with the
 * {@link BackupHeader} as JSON, and the last, one with the {@link BackupEnd}. A file without its last line was cut short.
 */

/** Version of the format. A program that does not know it refuses the file. */
export const backupFormat = 1;

export const firstLine = "-- Funding Opportunities Data API: backup";

/** Header of the file. */
export interface BackupHeader {
  format: number;
  /** Version of the program that wrote it. */
  version: string;
  /** RFC 3339. */
  created_at: string;
  /** Versions of the migrations that made the database: its tables, and their columns, are theirs. */
  migrations: string[];
  /** Whether records had approximate vector indexes, which are built anew. */
  has_vector_indexes: boolean;
  /** Files of the data folder that belong to the data, by name: the key that seals webhook secrets, the demo's keys. */
  files: Record<string, string>;
}

/** Numbers of rows that the file must contain, by table. */
export interface BackupEnd {
  rows: Record<string, number>;
}

/** Rows of one table, or a part of them. */
export interface BackupRows {
  /** Schema and name. */
  table: string;
  /** Columns of the data, in its order, as in the file: quoted where that is needed. */
  columns: string[];
  /** In Postgres' text format. To be read before the next part of the backup. */
  data: AsyncIterable<Uint8Array>;
}

/** The file is no backup, or not a whole one, or this program cannot restore it. The message says which. */
export class BackupError extends Error {}
