import type { Snapshot } from "../../shared/responses/snapshots.ts";

/** Part of a file, in bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** A file that was opened: its bytes, or a short-lived address that has them. */
export type OpenedFile = { bytes: ReadableStream<Uint8Array> } | { url: string };

/** Storage of published snapshots, for reading. */
export interface SnapshotStore {
  /** Kind of the locations that it opens, which the database lists: `supabase:BUCKET`, `r2:BUCKET`. A folder lists its own. */
  readonly kind: "folder" | "supabase" | "r2";
  /** The newest snapshots, newest first, where the store lists them rather than the database. */
  list?(limit: number): Promise<Snapshot[]>;
  /**
   * Opens a file.
   *
   * @param location where its snapshot is, as the database lists it; empty where the store lists its own.
   * @param path `ID/NAME`.
   * @param range part of it to read; ignored where the answer is an address.
   * @returns null where there is no such file.
   * @throws where the store cannot be reached.
   */
  open(location: string, path: string, range: ByteRange | undefined): Promise<OpenedFile | null>;
}

/** Dependencies of the function `snapshots` beside a `ReadRuntime`. */
export interface SnapshotState {
  /** Published snapshots of the catalogue. */
  readonly snapshots: SnapshotStore;
}

/** Name of the bucket in a location: `BUCKET` of `supabase:BUCKET`. */
export function bucketOf(location: string): string {
  return location.slice(location.indexOf(":") + 1);
}
