import { failureError } from "./call.ts";
import type { WorkContext } from "./endpoint-work.ts";

/**
 * Slots that one call seals or merges at most; it moves up to a twentieth of `sealed` when it cleans or renews. A call holds no request back,
 * except on a database of one session.
 */
export interface SegmentSizes {
  sealed: number;
  merged: number;
}

/** Time between two sealings, in milliseconds. */
export const sealingMs = 5_000;
/** 1 to 3 s of a Postgres at 80,000 records. */
const defaultSizes: SegmentSizes = { sealed: 2_000, merged: 8_000 };

/**
 * Indexes records that came or changed since the last time, makes documents of an earlier version anew, and cleans segments, each call in a
 * transaction of its own, until there is nothing to do. Logs a failure, and leaves the rest to the next time: the records are found all the
 * same, and other work goes on.
 */
export async function sealRecords({ database, log, isOver }: WorkContext, sizes = defaultSizes): Promise<void> {
  while (!isOver()) {
    const outcome = await database.call("seal_records", { most: sizes.sealed, most_merged: sizes.merged });
    if (!outcome.ok) {
      log.write("error", { function: "dispatch", error: failureError("seal_records", outcome.failure).message });
      return;
    }
    // A database of the version before renews nothing.
    const { sealed, merged, renewed = 0, cleaned, failures } = outcome.value;
    for (const failure of failures) log.write("error", { function: "dispatch", error: `seal_records: ${failure}` });
    if (sealed + merged + renewed + cleaned === 0) return;
  }
}
