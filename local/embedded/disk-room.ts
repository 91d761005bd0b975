import { statfsSync } from "node:fs";
import type { Log } from "../../shared/log/log.ts";

/**
 * Room that is kept for what reading writes: counts of requests, the write-ahead log (16 MiB a file), answers that clients have not read. With less,
 * nothing new is stored.
 */
export const reservedBytes = 128 * 1024 ** 2;

/** Room without which a database is not opened: recovery and the first checkpoint write some files of the log. */
export const openingBytes = 48 * 1024 ** 2;

/** Time for which an answer of the system is believed. Nothing fills the reserve in it. */
const lookMs = 50;

/** Bytes that the disk of a folder has left for this user; infinitely many where the system does not say. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Bytes in words: `12 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2).toLocaleString("en-US")} MB`;
}

/** Watches the disk of a folder. @returns whether it has more room than what is kept in reserve. A change is logged. */
export function watchRoom(folder: string, log: Log): () => boolean {
  let hadRoom = true;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    // Asking takes as long as a hundredth of a request.
    if (performance.now() - lookedAt < lookMs) return hadRoom;
    lookedAt = performance.now();
    const free = freeBytes(folder);
    const hasRoom = free >= reservedBytes;
    if (hasRoom !== hadRoom) {
      const error = hasRoom
        ? `the disk has room again (${megabytes(free)}): writes are taken again`
        : `the disk has ${megabytes(free)} left: reads go on, and nothing new is stored until ${megabytes(reservedBytes)} are free`;
      log.write(hasRoom ? "warning" : "error", { function: "server", error });
    }
    hadRoom = hasRoom;
    return hasRoom;
  };
}
