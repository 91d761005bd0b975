import { callOrThrow } from "./call.ts";
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
 * Indexes records that came or changed since the last time, links versions, makes lexemes of an earlier version anew, cleans segments, and makes statistics of
 * funders and the suggestions anew, each call in a transaction of its own, until there is nothing to do. Never throws: a failure is logged, and the rest is left to the next
 * time. The records are found all the same, and other work goes on.
 */
export async function sealRecords({ database, log, isOver }: WorkContext, sizes = defaultSizes): Promise<void> {
  try {
    while (!isOver()) {
      const done = await callOrThrow(database, "seal_records", { most: sizes.sealed, most_merged: sizes.merged });
      const { failures, ...counts } = done;
      for (const failure of failures) log.write("error", { function: "dispatch", error: `seal_records: ${failure}` });
      if (!Object.values(counts).some((count) => count > 0)) return;
    }
  } catch (error) {
    log.write("error", { function: "dispatch", error: error instanceof Error ? error.message : String(error) });
  }
}
