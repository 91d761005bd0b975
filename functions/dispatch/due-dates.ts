import { describeClockOffset } from "../../shared/database/clock-offset.ts";
import type { Log } from "../../shared/log/log.ts";
import { callOrThrow } from "./call.ts";
import type { BatchResult, WorkContext } from "./endpoint-work.ts";

/** Records that one call closes, archives or opens at most, of each kind and dataset. */
export const dueDatesBatchSize = 500;
/** Time between two looks for dates that have come, in milliseconds. */
export const dueDatesMs = 10_000;

/** Time between two lines of a log about a clock that disagrees, in milliseconds. */
const clockLineMs = 3_600_000;

/** When each log was last told that the clocks disagree, by `performance.now()`. */
const toldAt = new WeakMap<Log, number>();

/**
 * Lets dates act that have come, one batch: records close after their deadlines, leave the catalogue on their archive date, and open when posted. It
 * moves the database's clocks on, and logs when the machine's clock disagrees with them: at once, and then once an hour.
 */
export async function applyDueDates({ database, log }: Pick<WorkContext, "database" | "log">): Promise<BatchResult> {
  const { has_more, clock_offset_seconds } = await callOrThrow(database, "apply_due_dates", {
    maximum: dueDatesBatchSize,
  });
  tellOffset(log, clock_offset_seconds);
  return { found: has_more ? 1 : 0, made: 0 };
}

function tellOffset(log: Log, offsetSeconds: number): void {
  const now = performance.now();
  const told = toldAt.get(log);
  const clock = describeClockOffset(offsetSeconds);
  if (clock !== undefined) {
    if (told !== undefined && now - told < clockLineMs) return;
    toldAt.set(log, now);
    log.write("error", { function: "dispatch", clock });
  } else if (told !== undefined) {
    toldAt.delete(log);
    log.write("info", { function: "dispatch", clock: "the machine's clock and the database's agree again" });
  }
}
