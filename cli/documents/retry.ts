import { readerVersion, type UnreadableReason } from "../../ingest/documents/document-text.ts";

const dayMs = 86_400_000;
/** Days after which a file is tried again whose reading came to no end: a busy machine may have been why. */
const retryDays = 7;
/** Larger than any day, counted from 1970. */
const versionFactor = 100_000;

const unfinishedReasons: readonly UnreadableReason[] = ["out_of_time", "out_of_memory", "failed"];

/** Whether the reading of a document came to no end, so that another attempt may. */
export function isUnfinished(reason: UnreadableReason): boolean {
  return unfinishedReasons.includes(reason);
}

/**
 * Number to store of who read a file: the reader's version. Where its reading came to no end, the version and the day on which it is tried again, as one
 * negative number.
 */
export function readerToStore(isDone: boolean, nowMs: number, version: number = readerVersion): number {
  return isDone ? version : -(version * versionFactor + dayOf(nowMs) + retryDays);
}

/** Whether what is stored of an unchanged file stays, by who read it ({@link readerToStore}). */
export function isRead(reader: number | null, nowMs: number, version: number = readerVersion): boolean {
  if (reader === null || reader >= 0) return reader === version;
  return Math.floor(-reader / versionFactor) === version && dayOf(nowMs) < -reader % versionFactor;
}

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs);
}
